internal import CassettePlayback
internal import CassetteSystem
internal import Cassettes
internal import Dispatch
internal import MockServerSockets
internal import MockServerUpstream

/// The response that was built for a plan, or the reason why its body cannot be read.
typealias PlannedResponse = Result<PlayedResponse, CassetteError>

/// All loops of a server: their numbers of clients, and the messages between them.
final class EventLoopGroup: Sendable {
  /// A message from one loop to another.
  enum Message: Sendable {
    /// Serve this connection, which may have arrived at the inspector's port.
    case adopt(Int32, atInspector: Bool)
    /// There is room again: accept connections.
    case accept
    /// The addresses of an upstream server are resolved.
    case resolved
    /// The disk can accept more of the response body of this request.
    case drained(UInt64)
    /// The exchange of this request was written, or writing failed.
    case kept(UInt64, Recorder.Outcome)
    /// The deck has answered the pending request with this number.
    case matched(UInt64, Plan, PlannedResponse?)
    /// Stop accepting, finish requests in flight until this time of the monotonic clock, and end.
    case stop(UInt64)
  }

  /// The part of one loop that other threads access.
  final class Slot: Sendable {
    fileprivate let messages = Locked<[Message]>([])
    fileprivate let handle = Locked<LoopHandle?>(nil)
    fileprivate let clients = Counter()
    fileprivate let waits = Flag()
    /// True if the loop checks for messages before it sleeps.
    private let isUp = Flag()

    /// Suppresses wake-ups until ``rest()`` is called.
    func rise() { isUp.set() }

    /// Enables wake-ups; returns false if messages have already arrived.
    func rest() -> Bool {
      isUp.clear()
      // A sender that still saw the flag has added its message before this check.
      if messages.withLock({ $0.isEmpty }) { return true }
      isUp.set()
      return false
    }

    /// Adds a message, and returns true if the loop has to be woken for it.
    fileprivate func leave(_ message: Message) -> Bool {
      let isFirst = messages.withLock { messages in
        messages.append(message)
        return messages.count == 1
      }
      return isFirst && !isUp.isSet
    }

    /// Removes and returns all messages.
    func takeMessages() -> [Message] {
      messages.withLock { messages in
        defer { messages = [] }
        return messages
      }
    }
  }

  private let slots: [Slot]
  private let total = Counter()
  private let waiting = Counter()
  private let limit: Int

  init(loops: Int, limit: Int) {
    slots = (0..<loops).map { _ in Slot() }
    self.limit = limit
  }

  subscript(loop: Int) -> Slot { slots[loop] }

  /// Registers a loop's handle, and wakes the loop so that it reads earlier messages.
  func register(_ loop: Int, _ handle: LoopHandle) {
    slots[loop].handle.withLock { $0 = handle }
    handle.wake()
  }

  /// Sends a message, and wakes the loop unless it is awake or another message has woken it.
  func send(_ message: Message, to loop: Int) {
    if slots[loop].leave(message) { slots[loop].handle.withLock { $0 }?.wake() }
  }

  /// Reserves a place for one more connection; returns false if there is none.
  func admit() -> Bool {
    let count = total.add(1)
    if count <= limit { return true }
    total.add(-1)
    return false
  }

  /// Returns a reserved place that is not used.
  func giveBack() { total.add(-1) }

  /// Returns the loop that should serve a new connection: the accepting loop, unless another has clearly fewer clients.
  func slot(for loop: Int) -> Int {
    let own = slots[loop].clients.value
    var best = loop
    var fewest = own - max(0, own / 8)
    for other in slots.indices where other != loop {
      let count = slots[other].clients.value
      if count < fewest {
        best = other
        fewest = count
      }
    }
    slots[best].clients.add(1)
    return best
  }

  /// Returns a client's place, and notifies the loops that wait for one.
  func leave(_ loop: Int) {
    slots[loop].clients.add(-1)
    total.add(-1)
    guard waiting.value > 0 else { return }
    for other in slots.indices where slots[other].waits.clear() {
      waiting.add(-1)
      send(.accept, to: other)
    }
  }

  /// Marks a loop as waiting for room to accept connections.
  func waitForRoom(_ loop: Int) {
    if !slots[loop].waits.set() { waiting.add(1) }
  }
}

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
