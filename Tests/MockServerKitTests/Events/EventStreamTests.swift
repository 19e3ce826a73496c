import CassetteHTTP
import CassettePlayback
import Cassettes
import ServerTestSupport
import Testing

@testable import MockServerKit

/// The streams of events that a program receives from a server.
@Suite struct EventStreamTests {
  @Test(arguments: LoopKind.allCases)
  func `the event stream contains requests, answers and misses, and ends when the server stops`(kind: LoopKind)
    async throws
  {
    let served = try Served(kind, [Served.recording("GET /a", "abc")]) { $0.log = .none }
    let events = served.server.events
    let client = try served.client()
    _ = try client.ask("GET /a", ["X-Mock-Session": "one"])
    _ = try client.ask("POST /b", ["X-Mock-Session": "two"], body: "hello")
    served.server.stop()
    var seen: [String] = []
    for await event in events {
      switch event.kind {
      case .request(let request):
        seen.append("request \(request.method) \(String(decoding: request.body, as: UTF8.self))")
      case .miss(let miss): seen.append("miss \(miss.number) \(miss.request)")
      case .answer(let answer):
        #expect(answer.duration > .zero && answer.duration < .seconds(60))
        seen.append(
          "\(answer.outcome) \(answer.number) \(answer.method) \(answer.target) \(answer.status?.code ?? 0) "
            + "\(answer.session) \(answer.recording ?? "-") \(answer.cassette ?? "-")")
        if answer.outcome == .played { #expect(answer.sentBytes == 3) }
      default: seen.append("\(event.kind)")
      }
    }
    #expect(
      seen == [
        "request GET ", "played 1 GET /a 200 one get-a test", "request POST hello", "miss 2 POST /b",
        "miss 2 POST /b 404 two - -",
      ])
  }

  @Test func `the request stream contains whole requests from its creation on, without control calls`() async throws {
    let served = try Served(.platform, [Served.recording("GET /a", "a")])
    let client = try served.client()
    _ = try client.ask("GET /a")
    let requests = served.server.requests
    _ = try client.ask("GET /a", ["X-Mock-Session": "s", "X-Other": "o"])
    _ = try client.ask("GET /__mock/health")
    served.server.stop()
    var seen: [HTTPRequest] = []
    for await request in requests { seen.append(request) }
    #expect(seen.map(\.pathAndQuery) == ["/a"] && seen.first?.headers["X-Other"] == "o")
  }

  @Test(arguments: LoopKind.allCases)
  func `the log of prepared answers has one line per request with its session`(kind: LoopKind) throws {
    let served = try Served(kind, [Served.recording("GET /a", "a"), Served.recording("GET /b", "b")]) {
      $0.log = .requests
    }
    let client = try served.client()
    for number in 0..<50 { _ = try client.ask(number % 2 == 0 ? "GET /a" : "GET /b", ["x-mock-session": "s\(number)"]) }
    served.server.stop()
    let lines = served.log.text.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(lines.map { $0[1] } == (1...50).map { "\($0)" })
    #expect(lines.map { $0[3] } == (0..<50).map { $0 % 2 == 0 ? "/a" : "/b" })
    #expect(lines.map { $0.last } == (0..<50).map { "session=s\($0)" })
  }
}
