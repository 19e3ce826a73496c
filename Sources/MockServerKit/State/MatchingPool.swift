internal import CassetteSystem
internal import Dispatch

/// A pool of threads for requests whose matching may take long.
///
/// It has few threads; further requests are queued without blocking a loop.
final class MatchingPool: Sendable {
  private struct Line {
    var idle: [Int]
    var waiting: [@Sendable () -> Void] = []
  }

  // Serial queues get their own threads; a concurrent queue shares threads that other code in the process may block.
  private let queues: [DispatchQueue]
  private let line: Locked<Line>

  /// Creates a pool with a number of threads, which start on first use.
  init(threads: Int) {
    queues = (0..<threads).map { DispatchQueue(label: "mockserver.matching.\($0)") }
    line = Locked(Line(idle: Array(queues.indices)))
  }

  /// Runs a job as soon as a thread is free, in the order of the calls.
  func run(_ job: @escaping @Sendable () -> Void) {
    let free = line.withLock { line -> Int? in
      if let free = line.idle.popLast() { return free }
      line.waiting.append(job)
      return nil
    }
    guard let free else { return }
    queues[free].async { self.work(on: free, first: job) }
  }

  private func work(on thread: Int, first: @escaping @Sendable () -> Void) {
    var next: (@Sendable () -> Void)? = first
    while let job = next {
      job()
      next = line.withLock { line in
        if line.waiting.isEmpty {
          line.idle.append(thread)
          return nil
        }
        return line.waiting.removeFirst()
      }
    }
  }
}
