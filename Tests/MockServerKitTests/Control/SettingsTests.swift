import CassetteHTTP
import Foundation
import ServerTestSupport
import Testing

@testable import MockServerControl
@testable import MockServerKit

/// Settings and resources that change while the server runs.
@Suite struct SettingsTests {
  /// How a client sees a fault: a whole answer, an end, a reset, a cut answer or silence.
  enum Sight: String, Sendable { case answer, ends, resets, cut, silence }

  private static let text = "0123456789abcdef"

  private func sight(of served: Served, _ line: String = "GET /a") throws -> (Sight, String) {
    let client = try served.client()
    client.request(line, ["Connection": "close"])
    guard client.hears(within: 300) else { return (.silence, "") }
    let (text, end) = client.readToEnd(300)
    if end == .timedOut { return (.silence, text) }
    if end == .reset { return (text.isEmpty ? .resets : .cut, text) }
    if text.isEmpty { return (.ends, text) }
    let isWhole = text.contains("Content-Length: 16\r\n") && text.hasSuffix("\r\n\r\n\(Self.text)")
    return (isWhole || text.contains(" 503 ") ? .answer : .cut, text)
  }

  private static let kinds: [(String, Sight)] = [
    ("reset", .resets), ("empty", .ends), ("malformed", .cut), ("timeout", .silence), ("never", .silence),
    ("garbage", .cut), ("truncate", .cut), ("stall", .silence), ("badChunk", .cut),
  ]

  @Test(arguments: kinds) func `a fault has the same effect from a cassette and from the settings`(
    _ kind: String, _ sight: Sight
  ) throws {
    let more = ",\"replay\":{\"fault\":{\"kind\":\"\(kind)\",\"first\":1}}"
    let file = try Served(.platform, [Served.recording("GET /a", Self.text, more: more)])
    let steered = try Served(.platform, [Served.recording("GET /a", Self.text)])
    _ = try steered.told("PUT settings", "{\"faults\":[{\"kind\":\"\(kind)\",\"on\":\"/a\",\"first\":1}]}")
    let (one, other) = (try self.sight(of: file), try self.sight(of: steered))
    #expect(one.0 == sight && other.0 == sight, "\(one.1) \(other.1)")
    // The faults that cut a body send half of it first.
    if ["truncate", "stall", "badChunk"].contains(kind) {
      #expect(one.1.contains("01234567") && !one.1.contains("012345678") && other.1.contains("01234567"))
    }
    // The fault applies to the first request only.
    #expect(try self.sight(of: file).0 == .answer && self.sight(of: steered).0 == .answer)
  }

  @Test func `faults obey every, after and a seeded probability, which a reset starts again`() throws {
    let served = try Served(.platform, [Served.recording("GET /a", Self.text)])
    let faults =
      "{\"faults\":[{\"kind\":\"reset\",\"every\":3},{\"kind\":\"truncate\",\"after\":5,\"on\":\"/a?x\"}],\"seed\":7}"
    let told = try served.told("PUT settings", faults)
    #expect((told["faults"] as? [[String: Any]])?.map { $0["kind"] as? String } == ["reset", "truncate"])
    #expect(try (1...6).map { _ in try sight(of: served).0 } == [.answer, .answer, .resets, .answer, .answer, .resets])
    _ = try served.told("PUT settings", "{\"faults\":[{\"kind\":\"truncate\",\"after\":5}]}")
    let cut = try sight(of: served)
    #expect(cut.0 == .cut && cut.1.hasSuffix("\r\n\r\n01234"))
    // A seed makes the faults reproducible, and the probability holds approximately.
    _ = try served.told("PUT settings", "{\"faults\":[{\"kind\":\"status\",\"status\":503,\"probability\":0.5}]}")
    func run() throws -> [Int] { try (1...40).map { _ in try served.ask("GET /a").status } }
    let first = try run()
    #expect((8...32).contains(first.count { $0 == 503 }), "\(first)")
    _ = try served.told("POST reset", "{}")
    #expect(try run() == first)
  }

  @Test func `settings that are put are shown unchanged, and null or an empty list removes only that setting`() throws {
    let served = try Served(.platform, [Served.recording("GET /a", Self.text)])
    let all = """
      {"latency":"20ms..80ms","bytesPerSecond":4000,"faults":[{"kind":"status","on":"POST /b","status":429,"headers":\
      {"Retry-After":"1"},"body":"slow","first":2},{"kind":"delay","delay":"50ms"},\
      {"kind":"throttle","bytesPerSecond":9}],\
      "clock":"2026-11-22T12:00:00Z","seed":7}
      """
    let told = try served.told("PUT settings", all)
    let wanted = try #require(JSONSerialization.jsonObject(with: Data(all.utf8)) as? NSDictionary)
    for (name, value) in wanted { #expect((told as NSDictionary)[name] as? NSObject == value as? NSObject, "\(name)") }
    let one = try served.told("PUT settings", "{\"latency\":null,\"faults\":[]}")
    #expect(one["latency"] == nil || one["latency"] is NSNull)
    #expect((one["faults"] as? [Any])?.isEmpty == true && one["seed"] as? Int == 7)
  }

  @Test(arguments: ["0", "9007199254740993", "9223372036854775808", "18446744073709551615"])
  func `a 64-bit seed is stored and shown with all digits`(seed: String) throws {
    let served = try Served(.platform, [Served.recording("GET /a", Self.text)])
    #expect(try served.steer("PUT settings", "{\"seed\":\(seed)}").text.contains("\"seed\":\(seed)"))
    let shown = try served.steer("GET settings").text
    let again = try served.steer("PUT settings", shown)
    #expect(again.status == 200 && again.text == shown)
  }

  @Test func `every path that supports PUT accepts the document of its GET, and shows the same afterwards`() throws {
    let waiting = Served.recording("GET /s", "on", more: #","replay":{"when":{"lamp":"on"}}"#)
    let served = try Served(
      .platform,
      [
        "a.json": #"{"cassette":1,"resource":{"path":"/todos","seed":[{"id":1}]}}"#,
        "b.json": Served.cassette([waiting]),
      ])
    let response = #"{"status":200,"headers":[["Content-Type","application/json"]],"body":{"json":{"a":[1]}}}"#
    let stub =
      #"{"id":"mine","keep":true,"session":"s","request":{"method":"GET","url":"/x"},"response":\#(response)}"#
    #expect(try served.steer("POST interactions", stub).status == 201)
    let settings = #"{"latency":"20ms..80ms","faults":[{"kind":"reset","on":"/b","first":2}],"seed":7}"#
    _ = try served.told("PUT settings", settings)
    let routes = Set(["settings", "scenarios/lamp", "resources/todos", "interactions/mine"])
    let paths = ControlRoutes.all.filter { $0.method == .put }.map { $0.path.dropFirst("/__mock/".count) }
    #expect(Set(paths.map { $0.prefix { $0 != "/" } }) == Set(routes.map { $0.prefix { $0 != "/" } }))
    for route in routes {
      let shown = try served.steer("GET \(route)")
      #expect(shown.status == 200, "\(route): \(shown.text)")
      let put = try served.steer("PUT \(route)", shown.text)
      #expect(put.status == 200, "\(route): \(put.text)")
      #expect(try served.steer("GET \(route)").text == shown.text)
    }
    #expect(try served.text("GET /x", of: "s") == #"{"a":[1]}"#)
    for (route, body) in [
      ("scenarios/lamp", #"{"name":"other","state":"on"}"#), ("resources/todos", #"{"path":"/other","elements":[]}"#),
      ("interactions/mine", #"{"id":"other","interaction":{"request":{"url":"/x"},"response":{"status":200}}}"#),
    ] {
      let refused = try served.steer("PUT \(route)", body)
      #expect(refused.status == 400 && refused.text.contains("other"), "\(refused.text)")
    }
  }

  @Test(arguments: [
    ("{\"latency\":\"soon\"}", "latency"), ("{\"latency\":-1}", "latency"),
    ("{\"bytesPerSecond\":0}", "bytesPerSecond"),
    ("{\"clock\":\"noon\"}", "clock"), ("{\"seed\":-1}", "seed"), ("{\"faults\":[{\"kind\":\"rest\"}]}", "reset"),
    ("{\"faults\":[{\"on\":\"/a\"}]}", "kind"), ("{\"faults\":[{\"kind\":\"reset\",\"after\":1}]}", "after"),
    ("{\"faults\":[{\"kind\":\"reset\",\"probability\":2}]}", "probability"),
    ("{\"faults\":[{\"kind\":\"status\",\"status\":700}]}", "200 to 599"),
    ("{\"faults\":[{\"kind\":\"status\",\"status\":500,\"headers\":{\"a b\":\"c\"}}]}", "a b"),
    ("{\"faults\":[{\"kind\":\"delay\",\"delay\":\"1s..2s\"}]}", "latency"),
    ("{\"seed\":1,\"matching\":\"strict\"}", "matching"),
  ]) func `an invalid setting is refused by name, and changes no setting`(_ body: String, _ word: String) throws {
    let served = try Served(.platform, [Served.recording("GET /a", Self.text)])
    let before = try served.steer("GET settings").text
    let answer = try served.steer("PUT settings", body)
    #expect(answer.status == 400 && answer.text.contains(word), "\(answer.text)")
    #expect(try served.steer("GET settings").text == before)
  }

  @Test func `a clock setting is the fixed time of templates`() throws {
    let body = ",\"template\":true"
    let recording =
      "{\"request\":{\"method\":\"GET\",\"url\":\"/now\"},\"response\":{\"status\":200,"
      + "\"body\":{\"text\":\"{{now}}\"}\(body)}}"
    let served = try Served(.platform, [recording])
    _ = try served.told("PUT settings", "{\"clock\":\"2026-11-22T12:00:00Z\"}")
    #expect(try served.text("GET /now") == "2026-11-22T12:00:00Z")
  }

  @Test func `putting the elements of a resource warns of recordings that answer its path first`() throws {
    let served = try Served(
      .platform,
      [
        "a.json": #"{"cassette":1,"resource":{"path":"/todos","seed":[{"id":1}]}}"#,
        "b.json": Served.cassette([Served.recording("GET /todos", "recorded")]),
      ])
    let put = try served.told("PUT resources/todos", "{\"elements\":[]}")
    #expect((put["warnings"] as? [String])?.first?.contains("b.json") == true, "\(put)")
    #expect(try served.text("GET /todos") == "recorded")
    #expect(try served.told("GET resources/todos")["warnings"] == nil)
    let alone = try Served(.platform, ["a.json": #"{"cassette":1,"resource":{"path":"/todos","seed":[{"id":1}]}}"#])
    #expect(try alone.told("PUT resources/todos", "{\"elements\":[]}")["warnings"] == nil)
  }

  @Test func `the elements of a resource are shown and replaced for one session`() throws {
    let served = try Served(.platform, ["a.json": #"{"cassette":1,"resource":{"path":"/v2/todos","seed":[{"id":1}]}}"#])
    let all = try #require(try served.told("GET resources")["resources"] as? [[String: Any]])
    #expect(all.count == 1 && all[0]["path"] as? String == "/v2/todos" && all[0]["elements"] as? Int == 1)
    let body = "{\"session\":\"s\",\"elements\":[{\"id\":7,\"title\":\"a\"},{\"id\":9}]}"
    let put = try served.told("PUT resources/v2/todos", body)
    #expect((put["elements"] as? [[String: Any]])?.map { $0["id"] as? Int } == [7, 9])
    #expect(try served.text("GET /v2/todos/7", of: "s") == #"{"id":7,"title":"a"}"#)
    #expect(try served.text("GET /v2/todos/7") == "404")
    #expect((try served.told("GET resources/v2/todos?session=s")["elements"] as? [Any])?.count == 2)
    #expect((try served.told("GET resources/v2/todos")["elements"] as? [Any])?.count == 1)
    for (line, body, status) in [
      ("GET resources/v2/todo", "", 404), ("PUT resources/v2/todo", "{\"elements\":[]}", 404),
      ("PUT resources/v2/todos", "{\"elements\":[{\"name\":1}]}", 422), ("PUT resources/v2/todos", "{}", 400),
    ] {
      #expect(try served.steer(line, body).status == status)
    }
    #expect(try served.steer("GET resources/v2/todo").text.contains("/v2/todos"))
    _ = try served.told("POST reset", "{\"session\":\"s\"}")
    #expect((try served.told("GET resources/v2/todos?session=s")["elements"] as? [Any])?.count == 1)
  }
}
