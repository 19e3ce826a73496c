import CassetteHTTP
import CassetteSystem
import Cassettes
import Dispatch
import ServerTestSupport
import Testing

@testable import MockServerKit

/// Requests that are slow to match, and other requests meanwhile.
@Suite struct MatchingTests {
  /// Blocks the matching of requests until it is opened.
  private final class Gate: Sendable {
    private let held = Locked<[String]>([])
    private let semaphore = DispatchSemaphore(value: 0)

    /// Waits if a request has a body: the bodies in these tests are long enough to be matched off the event loop.
    func hold(_ request: HTTPRequest) {
      guard !request.body.isEmpty else { return }
      held.withLock { $0.append(request.pathAndQuery) }
      // The timeout ends the wait if a test fails.
      _ = semaphore.wait(timeout: .now() + 60)
    }

    func open(for count: Int = 1) { for _ in 0..<count { semaphore.signal() } }

    func holds(_ count: Int) -> Bool { eventually { self.held.withLock { $0.count } == count } }

    var seen: [String] { held.withLock { $0 } }
  }

  private static let body = [UInt8](repeating: UInt8(ascii: "a"), count: 100_000)

  private func served(_ kind: LoopKind, _ gate: Gate, log: MockServer.Configuration.Log = .misses) throws -> Served {
    let slow = Served.recording("POST /slow", "slow", more: #","match":{"body":{"matches":"[ab]*"}}"#)
    let once = Served.recording(
      "POST /once", "once", more: #","match":{"body":{"contains":"a"}},"replay":{"repeat":"once"}"#)
    return try Served(kind, [slow, once, Served.recording("GET /a", "a"), Served.recording("GET /b?x=1", "b")]) {
      $0.loops = 1
      $0.log = log
      $0.willMatch = { gate.hold($0) }
    }
  }

  @Test(arguments: LoopKind.allCases)
  func `an event loop answers other requests while one request is matched`(kind: LoopKind) throws {
    let gate = Gate()
    let served = try served(kind, gate)
    let slow = try served.client()
    slow.request("POST /slow", body: Self.body)
    #expect(gate.holds(1))
    #expect(try served.ask("GET /a").text == "a")
    #expect(try served.ask("GET /nothing").status == 404)
    let other = try served.client()
    #expect(try other.ask("GET /b?x=1").text == "b" && other.ask("GET /a").text == "a")
    gate.open()
    #expect(try slow.answer().text == "slow")
    #expect(try slow.ask("GET /a").text == "a", "the connection stays open")
  }

  @Test(arguments: LoopKind.allCases)
  func `requests of one connection are answered in order, also if one is slow to match`(kind: LoopKind) throws {
    let gate = Gate()
    let served = try served(kind, gate)
    let client = try served.client()
    client.request("POST /slow", body: Self.body)
    client.request("GET /a")
    client.request("POST /slow", body: Self.body)
    client.request("GET /b?x=1")
    gate.open(for: 2)
    #expect(try (0..<4).map { _ in try client.answer().text } == ["slow", "a", "slow", "b"])
  }

  @Test(arguments: LoopKind.allCases)
  func `slow requests beyond the number of threads wait in a queue without blocking the event loop`(kind: LoopKind)
    throws
  {
    let gate = Gate()
    let served = try served(kind, gate)
    let clients = try (0..<80).map { _ in try served.client() }
    for client in clients { client.request("POST /slow", body: Self.body) }
    #expect(eventually { !gate.seen.isEmpty })
    #expect(try served.ask("GET /a").text == "a")
    gate.open(for: clients.count)
    for client in clients { #expect(try client.answer().text == "slow") }
  }

  @Test(arguments: LoopKind.allCases)
  func `a client that disconnects while its request is matched does not affect other clients`(kind: LoopKind) throws {
    let gate = Gate()
    let served = try served(kind, gate)
    let leaving = try served.client()
    leaving.request("POST /slow", body: Self.body)
    #expect(gate.holds(1))
    leaving.close()
    #expect(try served.ask("GET /a").text == "a")
    gate.open(for: 2)
    #expect(try served.ask("POST /slow", body: String(decoding: Self.body, as: UTF8.self)).text == "slow")
    #expect(served.server.stop(within: .seconds(10))?.finished == true, "no connection is left open")
  }

  @Test(arguments: LoopKind.allCases)
  func `stop waits for requests that are being matched, at most for its time limit`(kind: LoopKind) throws {
    let gate = Gate()
    let patient = try served(kind, gate)
    let client = try patient.client()
    client.request("POST /slow", body: Self.body)
    #expect(gate.holds(1))
    let stopped = DispatchQueue(label: "stop")
    let group = DispatchGroup()
    stopped.async(group: group) { [server = patient.server] in server.stop(within: .seconds(30)) }
    // The server is stopping when connections are refused.
    #expect(eventually { (try? patient.client().ask("GET /a")) == nil })
    gate.open()
    let answer = try client.answer()
    #expect(answer.text == "slow" && answer.headers["Connection"] == "close")
    group.wait()

    let hasty = try served(kind, gate)
    let waiting = try hasty.client()
    waiting.request("POST /slow", body: Self.body)
    #expect(gate.holds(2))
    #expect(hasty.server.stop(within: .zero)?.finished == false)
    gate.open()
  }

  @Test(arguments: LoopKind.allCases)
  func `requests matched off the event loop are in the journal and the log`(kind: LoopKind) throws {
    let gate = Gate()
    gate.open(for: 3)
    let served = try served(kind, gate, log: .requests)
    let text = String(decoding: Self.body, as: UTF8.self)
    #expect(try served.ask("POST /once", body: text).text == "once")
    #expect(try served.ask("POST /once", body: text).status == 404)
    #expect(try served.ask("POST /slow", body: "c" + text).status == 404)
    #expect(served.log.waits(for: "1 POST /once 200"))
    #expect(served.log.waits(for: "2 POST /once 404 miss") && served.log.waits(for: "3 POST /slow 404 miss"))
    let journal = try served.admin("journal")["entries"] as? [[String: Any]]
    #expect(journal?.compactMap { $0["status"] as? Int } == [200, 404, 404])
  }

  @Test func `a matching pool runs all jobs in order, at most one per thread at a time`() {
    let pool = MatchingPool(threads: 2)
    let started = Locked<[Int]>([])
    let semaphore = DispatchSemaphore(value: 0)
    let group = DispatchGroup()
    for number in 0..<20 {
      group.enter()
      pool.run {
        started.withLock { $0.append(number) }
        semaphore.wait()
        group.leave()
      }
    }
    #expect(eventually { started.withLock { $0.count } == 2 })
    for _ in 0..<20 { semaphore.signal() }
    group.wait()
    #expect(started.withLock { $0.sorted() } == Array(0..<20))
    #expect(started.withLock { Set($0.prefix(2)) } == [0, 1])
  }
}
