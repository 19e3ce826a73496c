import CassetteHTTP
import Foundation
import ServerTestSupport
import Testing

@testable import MockServerKit

/// Calls to `/__mock/`: their answers, and which callers they refuse.
@Suite struct AdminTests {
  private static let one = [
    Served.recording("GET /a", "one"), Served.recording("POST /a", "two"), Served.recording("GET /b", "three"),
  ]
  private static let json: HTTPHeaders = ["Content-Type": "application/json"]

  @Test(arguments: LoopKind.allCases)
  func `health, interactions, journal and misses report the recordings and the requests received`(kind: LoopKind) throws
  {
    let served = try Served(kind, ["test.json": Served.cassette(Self.one), "fixtures/f.json": "{}"])
    let client = try served.client()
    for line in ["GET /a", "GET /a", "GET /f", "GET /zzz"] { _ = try client.ask(line, ["Accept": "x"]) }
    let health = try served.admin("health")
    #expect(health["status"] as? String == "ok")
    #expect(health["recordings"] as? Int == 3 && health["fixtures"] as? Int == 1)
    #expect(health["requests"] as? Int == 4 && health["misses"] as? Int == 1 && health["neverPlayed"] as? Int == 2)
    let interactions = try #require(try served.admin("interactions")["interactions"] as? [[String: Any]])
    #expect(interactions.map { $0["id"] as? String } == ["get-a", "post-a", "get-b", "f.json", "f.json"])
    #expect(interactions.map { $0["firstPlayedBy"] as? Int } == [1, nil, nil, 3, nil])
    #expect(interactions[0]["place"] as? String == "\(served.folder)/test.json:2")
    let journal = try #require(try served.admin("journal")["entries"] as? [[String: Any]])
    #expect(journal.map { $0["number"] as? Int } == [1, 2, 3, 4])
    #expect(journal.map { $0["status"] as? Int } == [200, 200, 200, 404])
    #expect(journal.map { $0["outcome"] as? String } == ["played", "played", "played", "miss"])
    #expect(journal.map { $0["url"] as? String } == ["/a", "/a", "/f", "/zzz"])
    #expect(journal[0]["recording"] as? String == "get-a" && journal[0]["cassette"] as? String == "test")
    #expect((journal[0]["headers"] as? [[String]])?.last == ["Accept", "x"])
    let misses = try served.admin("misses")
    #expect(misses["total"] as? Int == 1)
    #expect((misses["misses"] as? [[String: Any]])?.first?["number"] as? Int == 4)
    #expect(try served.ask("POST /__mock/reset", Self.json).status == 200)
    #expect((try served.admin("journal")["entries"] as? [Any])?.isEmpty == true)
    #expect((try served.admin("misses")["misses"] as? [Any])?.isEmpty == true)
  }

  struct Call: Sendable, CustomTestStringConvertible {
    var line: String
    var headers: [(String, String)] = []
    var status: Int
    var body = ""
    var testDescription: String { "\(line) \(headers.map { "\($0.0): \($0.1)" }) → \(status)" }
  }

  @Test(arguments: [
    Call(line: "GET /__mock/journal", headers: [("Host", "localhost:1")], status: 200),
    Call(line: "GET /__mock/journal", headers: [("Host", "[::1]:8080")], status: 200),
    Call(line: "GET /__mock/journal", headers: [("Host", "127.0.0.2")], status: 200),
    Call(line: "GET http://127.0.0.1/__mock/journal", headers: [("Host", "127.0.0.1")], status: 200),
    Call(line: "GET /__mock/journal?x=1", status: 400), Call(line: "HEAD /__mock/misses", status: 200),
    Call(line: "GET /__mock/journal", headers: [("Host", "evil.example")], status: 403),
    Call(line: "GET /__mock/health", headers: [("Host", "evil.example")], status: 403),
    Call(line: "GET /__mock/journal", headers: [("Host", "127.0.0.1.evil.example")], status: 403),
    Call(line: "GET /__mock/journal", headers: [("Host", "localhost.evil.example:80")], status: 403),
    Call(line: "GET http://evil.example/__mock/journal", headers: [("Host", "evil.example")], status: 403),
    Call(line: "GET /__mock/journal", headers: [("Origin", "http://evil.example")], status: 403),
    Call(line: "GET /__mock/journal", headers: [("Origin", "http://localhost:3000")], status: 403),
    Call(line: "GET /__mock/journal", headers: [("Origin", "null")], status: 403),
    Call(line: "GET /__mock/journal", headers: [("Origin", "https://127.0.0.1")], status: 403),
    Call(line: "GET /__mock/journal", headers: [("Sec-Fetch-Site", "cross-site")], status: 403),
    Call(line: "GET /__mock/journal", headers: [("Sec-Fetch-Site", "same-site")], status: 403),
    Call(line: "GET /__mock/journal", headers: [("Sec-Fetch-Site", "same-origin")], status: 403),
    Call(line: "GET /__mock/journal", headers: [("Sec-Fetch-Site", "none")], status: 403),
    Call(line: "GET /__mock/journal", headers: [("Sec-Fetch-Dest", "empty")], status: 403),
    Call(line: "GET /__mock/journal", headers: [("Referer", "http://127.0.0.1:1/page")], status: 403),
    Call(line: "GET /__mock/inspector.js", headers: [("Sec-Fetch-Site", "same-origin")], status: 403),
    Call(line: "GET /__mock/journal", headers: [("Sec-Fetch-Mode", "cors")], status: 200),
    Call(
      line: "OPTIONS /__mock/reset",
      headers: [("Origin", "http://evil.example"), ("Access-Control-Request-Method", "POST")], status: 403),
    Call(line: "POST /__mock/reset", status: 415),
    Call(line: "POST /__mock/reset", headers: [("Content-Type", "text/plain")], status: 415),
    Call(
      line: "POST /__mock/reset", headers: [("Content-Type", "application/x-www-form-urlencoded")], status: 415,
      body: "{}"),
    Call(
      line: "POST /__mock/reset", headers: [("Content-Type", "application/json; charset=utf-8")], status: 200,
      body: "{}"),
    Call(
      line: "POST /__mock/reset", headers: [("Content-Type", "application/json")], status: 400, body: "{\"session\":"),
    Call(
      line: "POST /__mock/reset", headers: [("Content-Type", "application/json")], status: 400, body: "{\"session\":5}"),
    Call(line: "POST /__mock/reset", headers: [("Content-Type", "application/json")], status: 400, body: "[]"),
    Call(line: "GET /__mock/reset", status: 405), Call(line: "DELETE /__mock/journal", status: 405),
    Call(line: "GET /__mock/nothing", status: 404), Call(line: "GET /__mock/secrets", status: 404),
  ])
  func `a control call from another site, with a foreign host or without JSON is refused`(call: Call) throws {
    let served = try Served(.platform, Self.one)
    let answer = try served.ask(call.line, HTTPHeaders(call.headers), body: call.body)
    #expect(answer.status == call.status)
    #expect(!answer.headers.contains("Access-Control-Allow-Origin"))
    #expect(throws: Never.self) {
      try JSONSerialization.jsonObject(with: Data(answer.body.isEmpty ? Array("{}".utf8) : answer.body))
    }
  }

  @Test func `a page of the server's port cannot call the control API with its own origin`() throws {
    let served = try Served(.platform, Self.one)
    for headers: HTTPHeaders in [["Origin": served.url], ["Referer": "\(served.url)/a"]] {
      #expect(try served.ask("GET /__mock/journal", headers).status == 403)
    }
  }

  @Test func `with an admin token only calls that send the token are answered, under any host name`() throws {
    let served = try Served(.platform, Self.one) { $0.admin = .token("s3cret") }
    func status(_ name: String, _ authorization: String?) throws -> Int {
      try served.ask(
        "GET /__mock/\(name)",
        HTTPHeaders([("Host", "mock.test")] + (authorization.map { [("Authorization", $0)] } ?? []))
      ).status
    }
    #expect(try status("journal", nil) == 401)
    #expect(try status("journal", "Bearer wrong!") == 401)
    #expect(try status("journal", "Bearer s3cre") == 401)
    #expect(try status("journal", "Bearer s3crets") == 401)
    #expect(try status("journal", "Basic s3cret") == 401)
    #expect(try status("journal", "Bearer s3cret") == 200)
    #expect(try status("health", nil) == 200)
    #expect(try served.ask("GET /__mock/health").text.contains("recordings") == false)
    let page: HTTPHeaders = ["Authorization": "Bearer s3cret", "Origin": "http://evil.example"]
    #expect(try served.ask("GET /__mock/journal", page).status == 403)
  }

  @Test func `with the control API off, requests to its paths are answered from the recordings`() throws {
    let served = try Served(.platform, [Served.recording("GET /__mock/health", "mine")]) { $0.admin = .off }
    #expect(try served.ask("GET /__mock/health").text == "mine")
    #expect(try served.ask("GET /__mock/journal").headers["Mockserver-Miss"] == "1")
  }

  @Test func `on an address of other machines, control calls without a token are refused`() throws {
    let served = try Served(.platform, Self.one) { $0.host = "0.0.0.0" }
    let client = try WireClient(served.url.replacing("0.0.0.0", with: "127.0.0.1"))
    #expect(try client.ask("GET /__mock/journal").status == 403)
    #expect(try client.ask("GET /a").text == "one")
  }

  // MARK: Journal

  @Test(arguments: LoopKind.allCases)
  func `the journal keeps the last thousand requests`(kind: LoopKind) throws {
    let served = try Served(kind, Self.one)
    let client = try served.client()
    for _ in 0..<11 {
      client.send(String(repeating: "GET /a HTTP/1.1\r\nHost: x\r\n\r\n", count: 100))
      for _ in 0..<100 { #expect(try client.answer().status == 200) }
    }
    let journal = try served.admin("journal")
    let numbers = (journal["entries"] as? [[String: Any]])?.compactMap { $0["number"] as? Int }
    #expect(numbers == Array(101...1_100))
    #expect(journal["requests"] as? Int == 1_100)
  }

  @Test(arguments: LoopKind.allCases)
  func `the journal keeps at most eight megabytes of requests`(kind: LoopKind) throws {
    let served = try Served(kind, Self.one) { $0.loops = 1 }
    let client = try served.client()
    let filler = String(repeating: "x", count: 60_000)
    for _ in 0..<200 { #expect(try client.ask("GET /a", ["X-Filler": filler]).status == 200) }
    let entries = try #require(try served.admin("journal")["entries"] as? [[String: Any]])
    #expect((100...140).contains(entries.count))
    #expect(entries.last?["number"] as? Int == 200)
  }

  @Test(arguments: [("x", 65_536), ("é", 32_768), ("€", 21_845), ("😀", 16_384)])
  func `the journal keeps the first 64 KB of a long body, in whole characters`(letter: String, kept: Int) throws {
    let served = try Served(.platform, Self.one)
    _ = try served.ask("POST /a", body: String(repeating: letter, count: 80_000))
    let entry = try #require((try served.admin("journal")["entries"] as? [[String: Any]])?.first)
    #expect((entry["body"] as? String)?.count == kept)
    #expect(entry["bodyBytes"] as? Int == letter.utf8.count * 80_000)
    #expect(entry["bodyIsCut"] as? Bool == true)
  }

  @Test func `a token that the journal's limit cuts off is left out of the body`() throws {
    let served = try Served(.platform, Self.one) { $0.journalBodyBytes = 40 }
    _ = try served.ask("POST /a", body: "{\"note\":\"it is ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8\"}")
    let entry = try #require((try served.admin("journal")["entries"] as? [[String: Any]])?.first)
    #expect(entry["body"] as? String == "{\"note\":\"it is " && entry["bodyIsCut"] as? Bool == true)
  }

  @Test func `a body that is not UTF-8 is null in the journal`() throws {
    let served = try Served(.platform, Self.one)
    let client = try served.client()
    client.request("POST /a", body: [0xff, 0xfe, 0])
    #expect(try client.answer().status == 200)
    let entry = try #require((try served.admin("journal")["entries"] as? [[String: Any]])?.first)
    #expect(entry["body"] is NSNull)
    #expect(entry["bodyBytes"] as? Int == 3)
  }

  @Test(arguments: LoopKind.allCases)
  func `secrets appear neither in the journal, misses and interactions nor in the log`(kind: LoopKind) throws {
    let recordings = [
      Served.recording("POST /login?api_key=s3cret0", "ok"), Served.recording("GET /a?token=s3cret1", "ok"),
    ]
    let served = try Served(kind, recordings) { $0.log = .requests }
    let client = try served.client()
    let fields: HTTPHeaders = [
      "Authorization": "Bearer s3cret", "Cookie": "id=s3cret", "X-Api-Key": "s3cret",
      "Referer": "http://x/?token=s3cret",
      "Proxy-Authorization": "Basic s3cret", "X-Auth-Token": "s3cret",
    ]
    for line in [
      "POST /login?api_key=s3cret0", "POST /login?api_key=s3cret9&code=s3cret8", "GET /a?access_token=s3cret",
    ] {
      _ = try client.ask(line, fields, body: "{\"password\":\"s3cret\",\"user\":{\"token\":\"s3cret\"}}")
    }
    let form = HTTPHeaders(fields.map { ($0.name, $0.value) } + [("Content-Type", "application/x-www-form-urlencoded")])
    _ = try client.ask("POST /login", form, body: "client_secret=s3cret&user=kean")
    let long = "{\"a\":\"\(String(repeating: "x", count: 65_500))\",\"password\":\"s3cret and much more of it\"}"
    _ = try client.ask("POST /login", fields, body: long)
    for name in ["journal", "misses", "interactions", "health"] {
      let text = try served.ask("GET /__mock/\(name)").text
      #expect(!text.contains("s3cret"), "\(name): \(text)")
    }
    #expect(served.log.waits(for: "POST /login"))
    #expect(!served.log.text.contains("s3cret"), "\(served.log.text)")
  }

  @Test(arguments: LoopKind.allCases)
  func `a secret found in one field of a request is masked everywhere in its journal entry`(kind: LoopKind) throws {
    let served = try Served(kind, [Served.recording("GET /a", "ok")])
    let client = try served.client()
    _ = try client.ask("GET /a", ["Authorization": "Bearer n4med-in-a-field", "X-Trace": "for n4med-in-a-field"])
    _ = try client.ask("POST /b/n4med-in-a-field", body: "what n4med-in-a-field may do")
    let text = try served.ask("GET /__mock/journal").text
    #expect(!text.contains("n4med"), "\(text)")
    #expect(text.contains("\"X-Trace\"") && text.contains("may do"))
  }
}
