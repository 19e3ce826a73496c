import CassetteHTTP
import CassetteSystem
import Cassettes
import Dispatch
import ServerTestSupport
import Testing

@testable import MockServerKit

/// Requests whose matching takes long, beside those whose does not.
@Suite struct MatchingTests {
  /// Holds requests back where the deck would be asked, until it is opened.
  private final class Gate: Sendable {
    private let held = Locked<[String]>([])
    private let semaphore = DispatchSemaphore(value: 0)

    /// Waits while a request's body is long: those are matched beside the loop.
    func hold(_ request: HTTPRequest) {
      guard !request.body.isEmpty else { return }
      held.withLock { $0.append(request.pathAndQuery) }
      // The end of a test that failed: nothing is left waiting for ever.
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
  func `a loop answers others while one request is matched`(kind: LoopKind) throws {
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
    #expect(try slow.ask("GET /a").text == "a", "the connection goes on")
  }

  @Test(arguments: LoopKind.allCases)
  func `requests of one connection are answered in their order`(kind: LoopKind) throws {
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
  func `more requests than threads wait in line, and no loop with them`(kind: LoopKind) throws {
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
  func `a client that leaves meanwhile takes nothing with it`(kind: LoopKind) throws {
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
  func `a server that stops waits for what is matched, as long as it is told`(kind: LoopKind) throws {
    let gate = Gate()
    let patient = try served(kind, gate)
    let client = try patient.client()
    client.request("POST /slow", body: Self.body)
    #expect(gate.holds(1))
    let stopped = DispatchQueue(label: "stop")
    let group = DispatchGroup()
    stopped.async(group: group) { [server = patient.server] in server.stop(within: .seconds(30)) }
    // Once nobody can connect any more, it is stopping.
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
  func `what is matched beside the loop is noted and logged as everything else`(kind: LoopKind) throws {
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

  @Test func `a pool runs every job, a few at a time, in the order they came`() {
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
