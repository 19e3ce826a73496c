import Foundation

/// A clock that a test advances; a sleeping task continues at its deadline.
final class TestClock: Clock, @unchecked Sendable {
  struct Instant: InstantProtocol {
    var offset = Duration.zero
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
  }

  private typealias Sleeper = CheckedContinuation<Void, any Error>

  // `@unchecked Sendable`: the lock guards all properties.
  private let lock = NSLock()
  private var time = Instant()
  private var next = 0
  private var sleepers: [Int: (deadline: Instant, continuation: Sleeper)] = [:]
  private var watchers: [Int: (isMet: ([Instant]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = [:]

  var now: Instant { lock.withLock { time } }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let number = lock.withLock {
      next += 1
      return next
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: Sleeper) in
        let ready: [CheckedContinuation<Void, Never>]? = lock.withLock {
          if Task.isCancelled || deadline <= time { return nil }
          sleepers[number] = (deadline, continuation)
          let deadlines = sleepers.values.map(\.deadline)
          let ready = watchers.filter { $0.value.isMet(deadlines) }
          for watcher in ready.keys { watchers[watcher] = nil }
          return ready.values.map(\.continuation)
        }
        guard let ready else {
          if Task.isCancelled { continuation.resume(throwing: CancellationError()) } else { continuation.resume() }
          return
        }
        for watcher in ready { watcher.resume() }
      }
    } onCancel: {
      lock.withLock { sleepers.removeValue(forKey: number) }?.continuation.resume(throwing: CancellationError())
    }
  }

  /// The number of tasks that sleep.
  var sleepingTasks: Int { lock.withLock { sleepers.count } }

  /// Waits until at least this number of tasks sleep.
  func slept(_ count: Int = 1) async { await wait { $0.count >= count } }

  /// Waits until a task sleeps for exactly this duration from now, and advances the time by it.
  ///
  /// Other tasks may sleep on the same clock, such as the time-out of a request.
  func pass(_ duration: Duration) async {
    let deadline = now.advanced(by: duration)
    await wait { $0.contains(deadline) }
    advance(by: duration)
  }

  /// Waits until a condition is met, or until the test is cancelled because its time limit has passed.
  private func wait(_ isMet: @escaping ([Instant]) -> Bool) async {
    let number = lock.withLock {
      next += 1
      return next
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = lock.withLock {
          if Task.isCancelled || isMet(sleepers.values.map(\.deadline)) { return true }
          watchers[number] = (isMet, continuation)
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      lock.withLock { watchers.removeValue(forKey: number) }?.continuation.resume()
    }
  }

  /// Advances the time, and resumes the tasks whose deadline has passed.
  func advance(by duration: Duration) {
    let due = lock.withLock {
      time = time.advanced(by: duration)
      let due = sleepers.filter { $0.value.deadline <= time }
      for number in due.keys { sleepers[number] = nil }
      return due.values.map(\.continuation)
    }
    for continuation in due { continuation.resume() }
  }
}
