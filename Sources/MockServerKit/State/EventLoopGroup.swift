internal import CassettePlayback
internal import MockServerSockets
internal import MockServerUpstream
internal import Synchronization

/// All loops of a server, as each of them sees the others: how busy they are, and how to hand them a connection.
final class EventLoopGroup: Sendable {
  /// A message from one loop to another.
  enum Message: Sendable {
    /// Serve this connection.
    case adopt(Int32)
    /// There is room again: accept.
    case accept
    /// The addresses of upstream are known.
    case resolved
    /// There is room again for the body of that request's answer.
    case drained(UInt64)
    /// The exchange of that request is settled.
    case kept(UInt64, Recorder.Outcome)
    /// The deck has answered the loop's pending request of that number.
    case matched(UInt64, Answer)
    /// Stop accepting, finish what is in flight until that time of the monotonic clock, and end.
    case stop(UInt64)
  }

  /// The shared side of one loop.
  final class Slot: Sendable {
    fileprivate let messages = Mutex<[Message]>([])
    fileprivate let handle = Mutex<LoopHandle?>(nil)
    fileprivate let clients = Atomic<Int>(0)
    fileprivate let waits = Atomic<Bool>(false)

    /// Takes the messages that have come.
    func takeMessages() -> [Message] {
      messages.withLock { messages in
        let taken = messages
        messages = []
        return taken
      }
    }
  }

  private let slots: [Slot]
  private let total = Atomic<Int>(0)
  private let waiting = Atomic<Int>(0)
  private let limit: Int

  init(loops: Int, limit: Int) {
    slots = (0..<loops).map { _ in Slot() }
    self.limit = limit
  }

  subscript(loop: Int) -> Slot { slots[loop] }

  /// The number of open connections.
  var count: Int { total.load(ordering: .relaxed) }

  /// Makes a loop reachable, and has it look for what was sent before.
  func register(_ loop: Int, _ handle: LoopHandle) {
    slots[loop].handle.withLock { $0 = handle }
    handle.wake()
  }

  /// Sends a message, and wakes the loop unless another message has: it takes all that are there.
  func send(_ message: Message, to loop: Int) {
    let isFirst = slots[loop].messages.withLock { messages in
      messages.append(message)
      return messages.count == 1
    }
    if isFirst { slots[loop].handle.withLock { $0 }?.wake() }
  }

  /// Takes a place for one more connection, if there is one.
  func admit() -> Bool {
    let count = total.add(1, ordering: .relaxed).newValue
    if count <= limit { return true }
    total.subtract(1, ordering: .relaxed)
    return false
  }

  /// Gives back a place that was not taken.
  func giveBack() { total.subtract(1, ordering: .relaxed) }

  /// The loop that should serve a new connection: the one that accepted it, unless another has clearly fewer.
  func slot(for loop: Int) -> Int {
    let own = slots[loop].clients.load(ordering: .relaxed)
    var best = loop
    var fewest = own - max(0, own / 8)
    for other in slots.indices where other != loop {
      let count = slots[other].clients.load(ordering: .relaxed)
      if count < fewest {
        best = other
        fewest = count
      }
    }
    slots[best].clients.add(1, ordering: .relaxed)
    return best
  }

  /// Gives a place back, and tells the loops that wait for one.
  func leave(_ loop: Int) {
    slots[loop].clients.subtract(1, ordering: .relaxed)
    total.subtract(1, ordering: .relaxed)
    guard waiting.load(ordering: .relaxed) > 0 else { return }
    for other in slots.indices where slots[other].waits.exchange(false, ordering: .relaxed) {
      waiting.subtract(1, ordering: .relaxed)
      send(.accept, to: other)
    }
  }

  /// Notes that a loop has stopped accepting until there is room.
  func waitForRoom(_ loop: Int) {
    if !slots[loop].waits.exchange(true, ordering: .relaxed) { waiting.add(1, ordering: .relaxed) }
  }
}
