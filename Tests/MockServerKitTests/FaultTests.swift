import CassetteHTTP
import Cassettes
import ServerTestSupport
import Testing

@testable import MockServerKit

/// Faults on a socket.
@Suite struct FaultTests {
  private static let recordings = [Served.recording("GET /a", "0123456789"), Served.recording("GET /b", "b")]

  private func served(
    _ kind: LoopKind, _ faults: CassetteFault..., recordings: [String] = recordings,
    _ configure: (inout MockServer.Configuration) -> Void = { _ in }
  ) throws -> Served {
    try Served(kind, recordings) {
      $0.faults = faults
      configure(&$0)
    }
  }

  @Test(arguments: LoopKind.allCases)
  func `delayed and throttled answers keep the order of their requests, and the connection stays open`(kind: LoopKind)
    throws
  {
    let served = try served(kind, .latency(.milliseconds(40), on: "/a"), .throttle(bytesPerSecond: 200))
    let client = try served.client()
    client.request("GET /a")
    client.request("GET /b")
    client.request("HEAD /a")
    let start = ContinuousClock.now
    #expect(try client.answer().text == "0123456789")
    #expect(ContinuousClock.now - start >= .milliseconds(80), "40 ms of latency, and ten bytes at 200 bytes a second")
    #expect(try client.answer().text == "b")
    #expect(try client.answer(toHead: true).headers["Content-Length"] == "10")
    #expect(try client.ask("GET /b").text == "b")
  }

  @Test(arguments: LoopKind.allCases, [0, 1, 9])
  func `a truncated response states its full length, and ends with a reset`(kind: LoopKind, count: Int) throws {
    let served = try served(kind, .truncate(on: "/a", after: count))
    let client = try served.client()
    client.request("GET /a")
    let (text, end) = client.readToEnd()
    #expect(end == .reset)
    #expect(text.contains("\r\nContent-Length: 10\r\n"))
    #expect(text.hasSuffix("\r\n\r\n" + "0123456789".prefix(count)))
  }

  @Test(arguments: LoopKind.allCases)
  func `a timeout fault sends no answer, and other paths are answered`(kind: LoopKind) throws {
    let served = try served(kind, .timeout(on: "/a"), .latency(.milliseconds(10)))
    let client = try served.client()
    client.request("GET /a")
    #expect(!client.hears(within: 100))
    #expect(try served.ask("GET /b").text == "b")
  }

  @Test(arguments: LoopKind.allCases)
  func `a reset fault resets the connection without an answer, with latency as well`(kind: LoopKind) throws {
    let served = try served(kind, .reset(on: "/a"), .latency(.milliseconds(10)))
    let client = try served.client()
    client.request("GET /a")
    let (text, end) = client.readToEnd()
    #expect(text.isEmpty && end == .reset)
    #expect(try served.ask("GET /b").text == "b")
  }

  @Test(arguments: LoopKind.allCases)
  func `a client that disconnects before a delayed answer does not disturb other clients`(kind: LoopKind) throws {
    let served = try served(kind, .latency(.milliseconds(50), on: "/a"))
    for _ in 0..<20 {
      let client = try served.client()
      client.request("GET /a")
      client.close()
    }
    #expect(try served.ask("GET /a").text == "0123456789")
  }

  @Test(arguments: LoopKind.allCases)
  func `a delayed answer is sent before the server stops`(kind: LoopKind) throws {
    let served = try served(kind, .latency(.milliseconds(100)))
    let client = try served.client()
    client.request("GET /a")
    #expect(try eventually { try "\(served.admin("journal"))".contains("/a") })
    #expect(served.server.stop()?.finished == true)
    #expect(try client.answer().text == "0123456789")
  }

  @Test func `faults count requests over all loops, and do not apply to control calls`() throws {
    let served = try served(.platform, .status(429, headers: ["Retry-After": "1"], first: 3)) { $0.loops = 3 }
    var statuses: [Int] = []
    for _ in 0..<6 { statuses.append(try served.ask("GET /a").status) }
    #expect(statuses == [429, 429, 429, 200, 200, 200])
    let journal = try served.admin("journal")
    #expect("\(journal)".contains("fault"))
    #expect(try served.ask("POST /__mock/reset", ["Content-Type": "application/json"]).status == 200)
    #expect(try served.ask("GET /a").headers["Retry-After"] == "1")
  }

  @Test func `a fault that no request met is in the summary`() throws {
    let served = try served(.platform, .reset(on: "/c"), .latency(.seconds(0)))
    _ = try served.ask("GET /a")
    #expect(served.server.stop()?.faultsNeverMet == [".reset(on: \"/c\")"])
  }
}
