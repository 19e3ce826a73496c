import CassetteHTTP
import ServerTestSupport
import Testing

@testable import MockServerKit

/// Playback of recordings over a socket.
@Suite struct ReplayTests {
  private static func chunks(_ pieces: [(Double, String)], end: String? = nil) -> String {
    let list = pieces.map { "{\"after\":\($0.0),\"text\":\"\($0.1)\"}" }.joined(separator: ",")
    let end = end.map { ",\"end\":\"\($0)\"" } ?? ""
    return "{\"request\":{\"method\":\"GET\",\"url\":\"/s\"},\"response\":{\"status\":200,"
      + "\"headers\":[[\"Content-Type\",\"text/event-stream\"]],\"body\":{\"chunks\":[\(list)]\(end)}}}"
  }

  /// Returns the latest request in the journal once it meets a condition.
  private func entry(_ served: Served, _ isDone: ([String: Any]) -> Bool) throws -> [String: Any] {
    var entry: [String: Any] = [:]
    let isFound = try eventually {
      entry = (try served.told("GET journal")["entries"] as? [[String: Any]])?.last ?? [:]
      return isDone(entry)
    }
    #expect(isFound, "\(entry)")
    return entry
  }

  @Test(arguments: LoopKind.allCases)
  func `the journal and the log measure a stream until its last byte`(kind: LoopKind) throws {
    let served = try Served(kind, [Self.chunks([(0, "one"), (0.05, "two")])]) {
      $0.log = .requests
      $0.logFormat = .json
    }
    #expect(try served.ask("GET /s").text == "onetwo")
    let entry = try entry(served) { $0["duration"] as? Double ?? 0 >= 0.05 }
    #expect(entry["sentBytes"] as? Int == 6)
    #expect(entry["disconnected"] == nil)
    #expect(served.log.waits(for: "\"recording\":\"get-s\",\"cassette\":\"test\",\"sentBytes\":6"))
    #expect(served.log.text.ranges(of: "\"event\":\"answer\"").count == 1)
  }

  @Test(arguments: LoopKind.allCases)
  func `the journal and the log state that the client of a stream disconnected`(kind: LoopKind) throws {
    let served = try Served(kind, [Self.chunks([(0, "one")] + (0..<50).map { _ in (0.02, "two") })]) {
      $0.log = .requests
    }
    let client = try served.client()
    client.request("GET /s")
    #expect(try client.reads(until: "one"))
    client.close()
    let entry = try entry(served) { $0["disconnected"] as? Bool == true }
    #expect((3..<153).contains(entry["sentBytes"] as? Int ?? 0))
    #expect(served.log.waits(for: " ms, client disconnected"))
  }

  @Test func `the journal measures a long body until the client has read it`() throws {
    let long = String(repeating: "x", count: 12 << 20)
    let served = try Served(.platform, [Served.recording("GET /a", long)])
    let client = try served.client(receiveBuffer: 4_096)
    client.request("GET /a")
    #expect(client.hears(within: 60_000))
    client.close()
    let entry = try entry(served) { $0["disconnected"] as? Bool == true }
    #expect(entry["sentBytes"] as? Int ?? .max < 12 << 20)
  }

  private static let after = Served.recording("GET /a", "after")

  @Test(arguments: [0, 100_000] as [Double])
  func `recorded gaps are divided by the speed, and speed 0 plays without gaps`(speed: Double) throws {
    let served = try Served(.platform, [Self.chunks([(1_800, "one"), (1_800, "two")])]) { $0.speed = speed }
    #expect(try served.ask("GET /s").text == "onetwo")
  }

  @Test(arguments: LoopKind.allCases)
  func `chunks are sent one by one with their gaps, and the connection stays open`(kind: LoopKind) throws {
    let served = try Served(kind, [Self.chunks([(0, "one"), (0.05, ""), (0.05, "two"), (0, "three")]), Self.after])
    let client = try served.client()
    client.request("GET /s")
    client.request("GET /a")
    let start = ContinuousClock.now
    let answer = try client.answer()
    #expect(answer.text == "onetwothree")
    #expect(answer.headers["Transfer-Encoding"] == "chunked")
    #expect(ContinuousClock.now - start >= .milliseconds(90), "the gaps are kept")
    #expect(try client.answer().text == "after")
    #expect(try client.ask("HEAD /s").headers.contains("Content-Length") == false)
    #expect(try client.ask("GET /a").text == "after")
  }

  @Test(arguments: LoopKind.allCases)
  func `a stream to an HTTP 1.0 client is sent without chunks, and ends with the connection`(kind: LoopKind) throws {
    let served = try Served(kind, [Self.chunks([(0, "one"), (0.02, "two")])])
    let client = try served.client()
    client.send("GET /s HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
    let answer = try client.answer()
    #expect(answer.text == "onetwo" && answer.isEndedByClose)
    #expect(!answer.headers.contains("Transfer-Encoding") && answer.headers["Connection"] == "close")
  }

  @Test(arguments: LoopKind.allCases, [[(0, "one")], [(0, "one"), (0.02, "two")], []] as [[(Double, String)]])
  func `a stream that the origin reset is played and then reset`(kind: LoopKind, pieces: [(Double, String)]) throws {
    let served = try Served(kind, [Self.chunks(pieces, end: "reset")])
    let client = try served.client()
    client.request("GET /s")
    let (text, end) = client.readToEnd()
    #expect(end == .reset)
    for piece in pieces { #expect(text.contains(piece.1)) }
    #expect(!text.contains("\r\n0\r\n"))
  }

  @Test(arguments: LoopKind.allCases)
  func `a client that closed its sending side still receives every chunk`(kind: LoopKind) throws {
    let served = try Served(kind, [Self.chunks([(0, "one"), (0.05, "two"), (0.05, "three")])])
    let client = try served.client()
    client.request("GET /s")
    client.endSending()
    #expect(try client.answer().text == "onetwothree")
    #expect(client.readToEnd().end == .ended)
  }

  @Test(arguments: LoopKind.allCases)
  func `a client that disconnects during a stream does not affect other clients`(kind: LoopKind) throws {
    let served = try Served(kind, [Self.chunks([(0, "one"), (0.02, "two"), (0.02, "three")]), Self.after])
    for _ in 0..<5 {
      let client = try served.client()
      client.request("GET /s")
      #expect(client.hears(within: 60_000))
      client.close()
    }
    #expect(try served.ask("GET /s").text == "onetwothree")
  }

  private static func failure(_ name: String) -> String {
    "{\"request\":{\"method\":\"GET\",\"url\":\"/\(name)\"},\"failure\":{\"name\":\"\(name)\"}}"
  }

  @Test(arguments: LoopKind.allCases, ["networkConnectionLost", "cannotConnectToHost", "secureConnectionFailed"])
  func `a recorded failure resets the connection without an answer`(kind: LoopKind, name: String) throws {
    let served = try Served(kind, [Self.failure(name), Self.after])
    let client = try served.client()
    #expect(try client.ask("GET /a").text == "after")
    client.request("GET /\(name)")
    let (text, end) = client.readToEnd()
    #expect(text == "" && end == .reset)
    let entries = try #require(try served.admin("journal")["entries"] as? [[String: Any]])
    #expect(entries.last?["outcome"] as? String == "failed")
  }

  @Test(arguments: LoopKind.allCases)
  func `a recorded timeout sends no answer until the idle timeout closes the connection`(kind: LoopKind) throws {
    let served = try Served(kind, [Self.failure("timedOut"), Self.after]) { $0.idleTimeout = .seconds(0.4) }
    let client = try served.client()
    client.request("GET /timedOut")
    client.request("GET /a")
    let (text, _) = client.readToEnd()
    #expect(text == "")
  }

  @Test(arguments: LoopKind.allCases)
  func `each session plays recordings in its own order`(kind: LoopKind) throws {
    let recordings = ["1", "2", "3"].map { Served.recording("GET /a", $0, more: ",\"replay\":{\"repeat\":\"once\"}") }
    let served = try Served(kind, recordings)
    func text(_ session: String?) throws -> String {
      let answer = try served.ask("GET /a", session.map { ["X-Mock-Session": $0] } ?? [:])
      return answer.headers["Mockserver-Miss"] == "1" ? "miss" : answer.text
    }
    #expect(try [text(nil), text("a"), text("a"), text("b"), text(nil)] == ["1", "1", "2", "1", "2"])
    #expect(try [text("a"), text("a"), text(nil), text(nil)] == ["3", "miss", "3", "miss"])
    let json: HTTPHeaders = ["Content-Type": "application/json"]
    #expect(try served.ask("POST /__mock/reset", json, body: "{\"session\":\"a\"}").status == 200)
    #expect(try [text("a"), text(nil)] == ["1", "miss"])
    #expect(try served.ask("POST /__mock/reset", json).status == 200)
    #expect(try [text("a"), text(nil), text("b")] == ["1", "1", "1"])
  }

  private static let linked = Served.recording(
    "GET /a", "see https://api.example.com/b", headers: [("Link", "<https://api.example.com/a?page=2>; rel=\"next\"")])

  @Test(arguments: LoopKind.allCases)
  func `links in an answer lead to the host of the request`(kind: LoopKind) throws {
    let served = try Served(kind, [Self.linked], origin: "https://api.example.com")
    for host in [String(served.url.dropFirst(7)), "localhost:1", "mock.test", "a:1", "b:1", "c:1", "localhost:1"] {
      let answer = try served.ask("GET /a", ["Host": host])
      #expect(answer.text == "see http://\(host)/b")
      #expect(answer.headers["Link"] == "<http://\(host)/a?page=2>; rel=\"next\"")
    }
    let client = try served.client()
    client.send("GET /a HTTP/1.0\r\n\r\n")
    #expect(try client.answer().text == "see \(served.url)/b")
  }

  @Test(arguments: LoopKind.allCases)
  func `links stay unchanged with keepsLinks`(kind: LoopKind) throws {
    let served = try Served(kind, [Self.linked], origin: "https://api.example.com") { $0.keepsLinks = true }
    #expect(try served.ask("GET /a").text == "see https://api.example.com/b")
  }

  @Test(arguments: LoopKind.allCases)
  func `a miss is explained in the answer and the log`(kind: LoopKind) throws {
    let served = try Served(kind, [Self.after]) { $0.missStatus = 501 }
    let answer = try served.ask("GET /b")
    #expect(answer.status == 501)
    #expect(answer.headers["Mockserver-Miss"] == "1")
    #expect(answer.headers["Content-Type"] == "application/problem+json")
    #expect(answer.text.contains("GET /b was never recorded"))
    #expect(served.log.waits(for: "GET /b was never recorded"))
    #expect(try #require(try served.admin("misses")["misses"] as? [[String: Any]]).count == 1)
  }

  @Test(arguments: LoopKind.allCases)
  func `a fixture keeps its loaded content, and derived answers are marked in the journal`(kind: LoopKind) throws {
    let served = try Served(
      kind, ["fixtures/a.txt": "old", "test.json": Served.cassette([Served.recording("GET /b", "0123")])])
    let client = try served.client()
    #expect(try client.ask("GET /a").text == "old")
    try served.write("new", to: "fixtures/a.txt")
    // This server does not watch files.
    #expect(try client.ask("GET /a").text == "old")
    #expect(try client.ask("GET /b", ["Range": "bytes=1-2"]).text == "12")
    #expect(try client.ask("OPTIONS /b").status == 204)
    let entries = try #require(try served.admin("journal")["entries"] as? [[String: Any]])
    #expect(entries.map { $0["derived"] as? String } == [nil, nil, "206", "options"])
    #expect(entries.map { $0["recording"] as? String } == ["a.txt", "a.txt", "get-b", nil])
  }
}
