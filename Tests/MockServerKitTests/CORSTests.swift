import CassetteHTTP
import Cassettes
import Foundation
import MockServerWire
import ServerTestSupport
import TestSupport
import Testing

@testable import MockServerKit
@testable import MockServerUpstream

@Suite struct `CORS policy` {
  private static let recordings = [
    Served.recording("GET /a", "a", headers: [("Link", "</b>; rel=next"), ("X-Total", "2")]),
    Served.recording(
      "GET /other", "o",
      headers: [("Access-Control-Allow-Origin", "https://app.example"), ("Access-Control-Allow-Credentials", "false")]),
    Served.recording(
      "OPTIONS /other", "", status: 403, headers: [("Access-Control-Allow-Origin", "https://app.example")]),
    Served.recording("PUT /ruled", "r", more: ",\"match\":{\"path\":\"/ruled/{id}\"}"),
  ]
  private static let own = "http://localhost:3000"
  private static let staging = "https://staging.example"
  private static let evil = "https://evil.example"

  private func served(_ kind: LoopKind = .platform, _ cors: CORSPolicy = CORSPolicy()) throws -> Served {
    try Served(kind, Self.recordings) { $0.cors = cors }
  }

  private func fields(_ answer: WireClient.Answer) -> [String] {
    answer.headers.filter { $0.name.lowercased().hasPrefix("access-control-") }.map { "\($0.name): \($0.value)" }
  }

  @Test(arguments: LoopKind.allCases)
  func `a page of a local origin can read every response and every field`(kind: LoopKind) throws {
    let served = try served(kind)
    let answer = try served.ask("GET /a", ["Origin": Self.own])
    #expect(answer.text == "a")
    #expect(answer.headers["Access-Control-Allow-Origin"] == Self.own)
    #expect(answer.headers["Access-Control-Allow-Credentials"] == "true")
    #expect(answer.headers.members(of: "Access-Control-Expose-Headers").contains("Link"))
    #expect(answer.headers.members(of: "Access-Control-Expose-Headers").contains("X-Total"))
    #expect(answer.headers.members(of: "Vary").contains("Origin"))
    let other = try served.ask("GET /other", ["Origin": Self.own])
    #expect(other.headers.values(of: "Access-Control-Allow-Origin") == [Self.own])
    #expect(other.headers.values(of: "Access-Control-Allow-Credentials") == ["true"])
  }

  @Test func `a page of a local origin can read misses and injected faults`() throws {
    let served = try Served(.platform, Self.recordings) { $0.faults = [.status(503, on: "/a")] }
    let fault = try served.ask("GET /a", ["Origin": Self.own])
    #expect(fault.status == 503)
    #expect(fault.headers["Access-Control-Allow-Origin"] == Self.own)
    let miss = try served.ask("GET /nowhere", ["Origin": Self.own])
    #expect(miss.status == 404)
    #expect(miss.headers["Access-Control-Allow-Origin"] == Self.own)
    #expect(miss.headers.members(of: "Access-Control-Expose-Headers").contains("Mockserver-Miss"))
  }

  @Test func `a page of another origin receives only the recorded Access-Control fields`() throws {
    let served = try served()
    for origin in [Self.evil, "null", "http://localhost.evil.example", "http://127.0.0.1.evil.example", "file://"] {
      #expect(try fields(served.ask("GET /a", ["Origin": origin])) == [])
      #expect(try fields(served.ask("GET /nowhere", ["Origin": origin])) == [])
      #expect(
        try fields(served.ask("GET /other", ["Origin": origin])) == [
          "Access-Control-Allow-Origin: https://app.example", "Access-Control-Allow-Credentials: false",
        ])
      let preflight: HTTPHeaders = ["Origin": origin, "Access-Control-Request-Method": "GET"]
      #expect(try fields(served.ask("OPTIONS /a", preflight)) == [])
      #expect(try served.ask("OPTIONS /other", preflight).status == 403)
    }
    #expect(try fields(served.ask("GET /a")) == [])
  }

  @Test func `a page of an origin named in the policy can read responses, like a page of a local origin`() throws {
    var policy = CORSPolicy()
    policy.named = [try #require(WebOrigin(Self.staging))]
    let served = try served(.platform, policy)
    for origin in [Self.staging, Self.own] {
      #expect(try served.ask("GET /a", ["Origin": origin]).headers["Access-Control-Allow-Origin"] == origin)
    }
    #expect(try fields(served.ask("GET /a", ["Origin": Self.evil])) == [])
  }

  @Test func `the policy "recorded" leaves the recorded Access-Control fields unchanged for every origin`() throws {
    let served = try served(.platform, .recorded)
    #expect(try fields(served.ask("GET /a", ["Origin": Self.own])) == [])
    #expect(
      try served.ask("GET /other", ["Origin": Self.own]).headers["Access-Control-Allow-Origin"] == "https://app.example"
    )
    let preflight: HTTPHeaders = ["Origin": Self.own, "Access-Control-Request-Method": "GET"]
    #expect(try served.ask("OPTIONS /other", preflight).status == 403)
    #expect(try fields(served.ask("OPTIONS /a", preflight)) == [])
  }

  @Test(arguments: [("/a", "DELETE"), ("/other", "GET"), ("/ruled/7", "PUT"), ("/nowhere", "POST")])
  func `a preflight from a local origin is allowed for every recorded or unknown path`(path: String, method: String)
    throws
  {
    let served = try served()
    let answer = try served.ask(
      "OPTIONS \(path)",
      [
        "Origin": Self.own, "Access-Control-Request-Method": method, "Access-Control-Request-Headers": "authorization",
        "Access-Control-Request-Private-Network": "true",
      ])
    #expect(answer.status == 204)
    #expect(answer.headers.values(of: "Access-Control-Allow-Origin") == [Self.own])
    #expect(answer.headers["Access-Control-Allow-Credentials"] == "true")
    #expect(answer.headers.members(of: "Access-Control-Allow-Methods").contains(method))
    #expect(answer.headers["Access-Control-Allow-Headers"] == "authorization")
    #expect(answer.headers["Access-Control-Allow-Private-Network"] == "true")
    // A miss is reported for the request that follows, not for its preflight.
    #expect(try served.admin("misses")["total"] as? Int == 0)
    let entries = try #require(served.admin("journal")["entries"] as? [[String: Any]])
    #expect(entries.first?["derived"] as? String == "preflight")
  }

  @Test func `a cross-origin call or preflight to the control API is refused`() throws {
    let served = try served()
    for name in ["health", "journal"] {
      let answer = try served.ask("GET /__mock/\(name)", ["Origin": Self.own])
      #expect(answer.status == 403)
      #expect(fields(answer) == [])
    }
    let preflight: HTTPHeaders = ["Origin": Self.own, "Access-Control-Request-Method": "POST"]
    let answer = try served.ask("OPTIONS /__mock/reset", preflight)
    #expect(answer.status == 403)
    #expect(fields(answer) == [])
  }

  @Test func `a recorder answers preflights itself and records the origin's own Access-Control fields`() throws {
    let origin = try LoopbackOrigin { _ in
      [.text("HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: https://app.example\r\nContent-Length: 1\r\n\r\nx")]
    }
    let upstream = try UpstreamOrigin(origin.url)
    let served = try Served { configuration in
      configuration.recording = RecordingSettings(
        upstream: upstream, cassette: "\(configuration.cassettes[0])/a.json")
    }
    let preflight: HTTPHeaders = ["Origin": Self.own, "Access-Control-Request-Method": "PUT"]
    #expect(try served.ask("OPTIONS /a", preflight).status == 204)
    #expect(origin.requests.isEmpty)
    let answer = try served.ask("PUT /a", ["Origin": Self.own], body: "y")
    #expect(answer.headers.values(of: "Access-Control-Allow-Origin") == [Self.own])
    #expect(origin.requests.count == 1)
    served.server.stop()
    _ = try served.server.saveRecording()
    let recorded = try CassetteFile.read(path: "\(served.folder)/a.json").interactions
    #expect(recorded.map(\.method) == [.put])
    #expect(recorded.first?.response?.headers["Access-Control-Allow-Origin"] == "https://app.example")
  }
}
