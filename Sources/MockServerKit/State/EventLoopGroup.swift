internal import CassettePlayback
internal import CassetteSystem
internal import Cassettes
internal import MockServerSockets
internal import MockServerUpstream

/// The response that was built for a plan, or the reason why its body cannot be read.
typealias PlannedResponse = Result<PlayedResponse, CassetteError>

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
    case matched(UInt64, Plan, PlannedResponse?)
    /// Stop accepting, finish what is in flight until that time of the monotonic clock, and end.
    case stop(UInt64)
  }

  /// The shared side of one loop.
  final class Slot: Sendable {
    fileprivate let messages = Locked<[Message]>([])
    fileprivate let handle = Locked<LoopHandle?>(nil)
    fileprivate let clients = Counter()
    fileprivate let waits = Flag()
    /// True if the loop looks for messages before it sleeps.
    private let isUp = Flag()

    /// Says that messages need wake nobody, until ``rest()``.
    func rise() { isUp.set() }

    /// Says that messages are to wake the loop; false when there are some already.
    func rest() -> Bool {
      isUp.clear()
      // A sender that still saw the flag has left its message before this look.
      if messages.withLock({ $0.isEmpty }) { return true }
      isUp.set()
      return false
    }

    /// Leaves a message, and tells whether the loop has to be woken for it.
    fileprivate func leave(_ message: Message) -> Bool {
      let isFirst = messages.withLock { messages in
        messages.append(message)
        return messages.count == 1
      }
      return isFirst && !isUp.isSet
    }

    /// Takes the messages that have come.
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

  /// Makes a loop reachable, and has it look for what was sent before.
  func register(_ loop: Int, _ handle: LoopHandle) {
    slots[loop].handle.withLock { $0 = handle }
    handle.wake()
  }

  /// Sends a message, and wakes the loop unless it is up, or another message has: it takes all that are there.
  func send(_ message: Message, to loop: Int) {
    if slots[loop].leave(message) { slots[loop].handle.withLock { $0 }?.wake() }
  }

  /// Takes a place for one more connection, if there is one.
  func admit() -> Bool {
    let count = total.add(1)
    if count <= limit { return true }
    total.add(-1)
    return false
  }

  /// Gives back a place that was not taken.
  func giveBack() { total.add(-1) }

  /// The loop that should serve a new connection: the one that accepted it, unless another has clearly fewer.
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

  /// Gives a place back, and tells the loops that wait for one.
  func leave(_ loop: Int) {
    slots[loop].clients.add(-1)
    total.add(-1)
    guard waiting.value > 0 else { return }
    for other in slots.indices where slots[other].waits.clear() {
      waiting.add(-1)
      send(.accept, to: other)
    }
  }

  /// Notes that a loop has stopped accepting until there is room.
  func waitForRoom(_ loop: Int) {
    if !slots[loop].waits.set() { waiting.add(1) }
  }
}
