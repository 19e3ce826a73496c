import CassetteHTTP
import CassetteSession
import CassetteSystem
import Cassettes
import Dispatch
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The number of ends of each task, and a wait for all of them.
private final class Ends: Sendable {
  private struct State {
    var ends: [Int]
    var missing: Int
    var wrong: [String] = []
    var waiting: CheckedContinuation<Bool, Never>?
  }

  private let state: Locked<State>

  init(of tasks: Int) { state = Locked(State(ends: Array(repeating: 0, count: tasks), missing: tasks)) }

  func note(_ task: Int, wrong: String? = nil) {
    let waiting: CheckedContinuation<Bool, Never>? = state.withLock { state in
      state.ends[task] += 1
      state.missing -= 1
      if let wrong { state.wrong.append(wrong) }
      guard state.missing == 0 else { return nil }
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume(returning: true)
  }

  /// Returns true if all tasks end within a number of seconds.
  func all(within seconds: Double) async -> Bool {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.missing == 0 { return true }
        state.waiting = continuation
        return false
      }
      if isOver { return continuation.resume(returning: true) }
      DispatchQueue.global().asyncAfter(deadline: .now() + seconds) {
        let waiting = self.state.withLock { state in
          defer { state.waiting = nil }
          return state.waiting
        }
        waiting?.resume(returning: false)
      }
    }
  }

  var notOnce: Int { state.withLock { $0.ends.count { $0 != 1 } } }
  var wrong: [String] { state.withLock { $0.wrong } }
}

@Suite struct `Concurrent changes of tasks and sessions` {
  /// Calls of a client on a task in progress.
  ///
  /// Foundation ends the process if a finishing task is resumed again, with any protocol. Suspended tasks are therefore
  /// answered seconds later, or not at all.
  private enum Gust: CaseIterable {
    case none, cancel, cancelElsewhere, suspend, suspendOften, suspendElsewhere, cancelSuspended
  }

  /// Calls of a client on a session with tasks in progress.
  private enum End: CaseIterable {
    case none, finish, invalidate, invalidateElsewhere, drop
  }

  private static let paths = ["at-once", "later", "streamed", "redirected", "failing", "nothing"]

  private func path(for gust: Gust, _ random: inout Seeded) -> String {
    switch gust {
    case .suspendElsewhere, .cancelSuspended: "held"
    case .suspend, .suspendOften: "slow"
    case .none, .cancel, .cancelElsewhere: Self.paths.randomElement(using: &random) ?? ""
    }
  }

  private func player(_ number: Int) -> CassettePlayer {
    let player = CassettePlayer([
      Cassette(
        name: "storm-\(number)",
        interactions: [
          .made(.get, "/at-once", body: "\(number)"),
          .made(.get, "/redirected", status: 302, headers: [("Location", "/later")]),
          Interaction(
            method: .get, url: "/streamed",
            outcome: .response(
              RecordedResponse(
                status: 200,
                body: .chunks("\(number)".utf8.map { BodyChunk(after: 0.001, bytes: [$0]) }, end: .complete)))),
        ])
    ])
    player.add([
      CassetteStub(.get("/later"), .text("\(number)").delay(.milliseconds(1))),
      CassetteStub(.get("/slow"), .text("\(number)").delay(.seconds(3))),
      CassetteStub(.get("/held"), .text("never").delay(.seconds(50))),
      CassetteStub(.get("/failing"), .failing(.networkConnectionLost)),
    ])
    return player
  }

  private func blow(_ gust: Gust, on task: URLSessionTask) {
    switch gust {
    case .none: task.resume()
    case .cancel:
      task.resume()
      task.cancel()
    case .cancelElsewhere:
      task.resume()
      DispatchQueue.global().async { task.cancel() }
    case .suspend:
      task.resume()
      task.suspend()
      task.resume()
    case .suspendOften:
      task.resume()
      for _ in 0..<5 {
        task.suspend()
        task.resume()
      }
    case .suspendElsewhere:
      task.resume()
      DispatchQueue.global().async { task.suspend() }
      DispatchQueue.global().async { task.resume() }
      DispatchQueue.global().async { task.cancel() }
    case .cancelSuspended:
      task.resume()
      task.suspend()
      task.cancel()
      task.resume()
    }
  }

  @Test(arguments: UInt64(1)...4)
  func `each of 2,500 tasks ends once with its own answer despite random cancels, suspends and invalidations`(
    seed: UInt64
  ) async {
    var random = Seeded(seed)
    let (total, each) = (2_500, 25)
    let ends = Ends(of: total)
    for number in 0..<(total / each) {
      let player = player(number)
      let session = player.session()
      let end = End.allCases.randomElement(using: &random) ?? .none
      for index in 0..<each {
        var gust = Gust.allCases.randomElement(using: &random) ?? .none
        // A held request fails at once if its player has ended.
        if end == .drop, gust == .suspendElsewhere { gust = .cancelElsewhere }
        let path = path(for: gust, &random)
        let url = URL(string: "https://api.example.com/\(path)") ?? URL(filePath: "/")
        let task = session.dataTask(with: url) { data, response, error in
          // Each answer is from the player of the session.
          let text = String(decoding: data ?? Data(), as: UTF8.self)
          let isRight = error != nil || (response != nil && text == "\(number)")
          ends.note(number * each + index, wrong: isRight ? nil : "\(path) of \(number) said \"\(text)\"")
        }
        blow(gust, on: task)
      }
      switch end {
      case .none: break
      case .finish: session.finishTasksAndInvalidate()
      case .invalidate: session.invalidateAndCancel()
      case .invalidateElsewhere: DispatchQueue.global().async { session.invalidateAndCancel() }
      case .drop: player.end()
      }
    }
    #expect(await ends.all(within: 1_200), "some tasks did not end")
    #expect(ends.notOnce == 0)
    #expect(ends.wrong == [])
  }
}
