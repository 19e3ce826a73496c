import CassetteHTTP
import CassetteJSON
import Foundation
import ServerTestSupport
import Testing

@testable import CassetteOpenAPI
@testable import MockServerControl
@testable import MockServerKit

/// The control API as a whole: its routes, its OpenAPI document and its refusals.
@Suite struct ControlTests {
  @Test func `the OpenAPI document describes every route with its query parameters and responses`() throws {
    let served = try Served(.platform, [Served.recording("GET /a", "a")])
    let document = try served.told("GET openapi.json")
    #expect(document["openapi"] as? String == "3.1.0")
    let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
    for route in ControlRoutes.all {
      let operation = try #require(paths[route.path.replacing("*}", with: "}")]?[route.method.rawValue.lowercased()])
      let names = (operation["parameters"] as? [[String: Any]])?.filter { $0["in"] as? String == "query" }
        .compactMap { $0["name"] as? String }
      #expect(names ?? [] == route.query.map(\.name))
      let responses = try #require(operation["responses"] as? [String: [String: Any]])
      let content = try #require(responses["\(route.status)"]?["content"] as? [String: [String: [String: Any]]])
      #expect(content.keys.sorted() == ([route.answers] + route.also).sorted())
      for type in content.values { #expect(type["schema"]?.isEmpty == false, "\(route.path)") }
    }
    let schemas = (document["components"] as? [String: Any])?["schemas"] as? [String: Any] ?? [:]
    for (number, part) in try served.steer("GET openapi.json").text.components(separatedBy: "\"$ref\"").enumerated()
    where number > 0 {
      let name = part.split(separator: "\"")[1].split(separator: "/").last.map(String.init) ?? ""
      #expect(schemas[name] != nil, "\(name)")
    }
    let operations = paths.values.flatMap { $0.values.compactMap { $0["operationId"] as? String } }
    #expect(Set(operations).count == ControlRoutes.all.count)
  }

  @Test func `each array in the OpenAPI document states the type of its elements`() throws {
    func arraysWithoutItems(_ value: Any) -> Int {
      if let list = value as? [Any] { return list.reduce(0) { $0 + arraysWithoutItems($1) } }
      guard let object = value as? [String: Any] else { return 0 }
      let types = [object["type"] as? String].compactMap(\.self) + (object["type"] as? [String] ?? [])
      let isLacking = types.contains("array") && object["items"] == nil
      return (isLacking ? 1 : 0) + object.values.reduce(0) { $0 + arraysWithoutItems($1) }
    }
    #expect(try arraysWithoutItems(Served(.platform, []).told("GET openapi.json")) == 0)
  }

  @Test func `the answers of the control API conform to its OpenAPI document`() throws {
    let served = try Served(.platform, [Served.recording("GET /a", "a"), Served.recording("POST /a", "b")])
    let check = ContractCheck(try OpenAPIDocument(Array(try served.steer("GET openapi.json").body)))
    let request = #""request":{"method":"GET","url":"/a"}"#
    try served.stub("/stub", "text")
    for line in ["GET /a", "GET /b", "GET /stub"] { _ = try served.ask(line) }
    for (line, body, status) in [
      ("GET interactions", "", 200), ("POST interactions", Served.recording("GET /c", "c"), 201),
      ("POST interactions", "{}", 400), ("GET scenarios", "", 200), ("GET sessions", "", 200),
      ("GET resources", "", 200), ("GET settings", "", 200),
      ("PUT settings", #"{"latency":"1ms","faults":[{"kind":"reset","on":"POST /x","first":1}],"seed":1}"#, 200),
      ("GET journal", "", 200), ("GET journal?as=cassette", "", 200), ("GET journal/1", "", 200),
      ("GET journal/1?as=curl", "", 200), ("GET journal/2", "", 200), ("GET recordings", "", 200),
      ("GET misses", "", 200), ("POST verify", "{\(request)}", 200), ("POST verify", "{\(request),\"times\":9}", 409),
      ("GET health", "", 200), ("GET metrics", "", 200), ("GET openapi.json", "", 200), ("GET edits", "", 200),
      ("GET nowhere", "", 404), ("DELETE interactions", "", 200), ("POST reset", "{}", 200),
    ] {
      let answer = try served.steer(line, body)
      #expect(answer.status == status, "\(line): \(answer.text)")
      guard status != 404 else { continue }
      let words = line.split(separator: " ")
      let found = check.check(
        ContractExchange(
          method: String(words[0]), target: "/__mock/\(words[1])", status: answer.status, headers: answer.headers,
          body: Array(answer.body)))
      let findings = found.findings.filter { $0.place.hasPrefix("response") }
      #expect(findings.isEmpty, "\(line): \(findings)")
    }
  }

  @Test func `the table of routes in Steering.md equals the table in the code`() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/MockServerKit/MockServerKit.docc/Steering.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") && $0.contains(" /__mock/") }
    let expected = ControlRoutes.all.map { "| `\($0.method.rawValue) \($0.path)` | \($0.summary) |" }
    #expect(rows.map(String.init) == expected)
  }

  @Test func `an unknown query parameter or member of a body is refused by name on every route`() throws {
    let served = try Served(.platform, [Served.recording("GET /a", "a")])
    // The inspector's files are served only at the inspector's port.
    for route in ControlRoutes.all where ControlAPI.PageFile(rawValue: route.path) == nil {
      let path = String(
        route.path.replacing("{id}", with: "x").replacing("{name}", with: "x").replacing("{path*}", with: "x")
          .dropFirst(8))
      let answer = try served.steer("\(route.method.rawValue) \(path)?verbose=1", "{}")
      #expect(answer.status == 400 && answer.text.contains("verbose"), "\(route.path): \(answer.text)")
      guard case .members = route.content else { continue }
      let body = try served.steer("\(route.method.rawValue) \(path)", "{\"verbose\":1}")
      #expect(body.status == 400 && body.text.contains("verbose"), "\(route.path): \(body.text)")
    }
  }

  @Test func `health waits for a generation of the recordings, and names the files it loaded or the broken one`() throws
  {
    let served = try Served(.platform, ["test.json": Served.cassette([Served.recording("GET /a", "old")])]) {
      $0.watches = true
    }
    #expect(try served.told("GET health")["generation"] as? Int == 1)
    try served.write(Served.cassette([Served.recording("GET /a", "new, and longer")]), to: "test.json")
    let health = try served.told("GET health?generation=2&seconds=60")
    #expect((health["lastLoad"] as? [String: Any])?["files"] as? [String] == ["\(served.folder)/test.json"])
    #expect(try served.text("GET /a") == "new, and longer")
    try served.write("{\"cassette\":1,", to: "test.json")
    let broken = try served.steer("GET health?generation=3&seconds=60")
    #expect(broken.status == 409 && broken.text.contains("test.json"), "\(broken.text)")
    #expect(try served.steer("GET health?generation=9&seconds=0").status == 409)
  }

  @Test func `metrics are written in the Prometheus text format`() throws {
    let served = try Served(.platform, [Served.recording("GET /a", "a")])
    _ = try served.text("GET /a")
    _ = try served.text("GET /b")
    let answer = try served.steer("GET metrics")
    #expect(answer.headers["Content-Type"]?.hasPrefix("text/plain; version=0.0.4") == true)
    #expect(
      answer.text.contains("\nmockserver_requests_total 2\n") && answer.text.contains("\nmockserver_misses_total 1\n"))
    for line in answer.text.split(separator: "\n") where !line.hasPrefix("#") {
      #expect(line.split(separator: " ").count == 2 && Int(line.split(separator: " ")[1]) != nil, "\(line)")
    }
  }

  @Test func `settings change the level and the journal of a running server`() throws {
    let served = try Served(.platform, [Served.recording("POST /a", "a", more: "")])
    #expect(try served.told("GET settings")["matching"] as? String == "careful")
    let body = "{\"matching\":\"exact\",\"journal\":{\"bodyBytes\":4}}"
    #expect(try served.told("PUT settings", body)["matching"] as? String == "exact")
    #expect(try served.ask("POST /a", body: "123456").status == 200)
    // The level `exact` plays each recording once.
    #expect(try served.ask("POST /a", body: "123456").status == 404)
    let entry = try #require((try served.told("GET journal")["entries"] as? [[String: Any]])?.first)
    #expect(
      entry["body"] as? String == "1234" && entry["bodyBytes"] as? Int == 6 && entry["bodyIsCut"] as? Bool == true)
    #expect(try served.steer("PUT settings", "{\"matching\":\"strict\"}").status == 400)
    #expect(try served.steer("PUT settings", "{\"journal\":{\"secrets\":true}}").status == 400)
    #expect(try served.steer("PUT settings", "{\"journal\":{\"requests\":1}}").status == 400)
    let shown = try served.steer("GET settings").text
    let put = try served.steer("PUT settings", shown)
    #expect(put.status == 200)
    #expect(put.text == shown)
  }
}
