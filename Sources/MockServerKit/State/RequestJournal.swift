internal import CassetteSystem
internal import Synchronization

/// The last requests of one loop and what answered them, bounded in number and bytes.
///
/// A loop writes to its own journal only; the lock is there for the rare reader.
final class RequestJournal: Sendable {
  /// How many requests are kept over all loops.
  static let entries = 1_000
  /// How many bytes they take over all loops.
  static let bytes = 8 << 20
  /// How much of a body is kept.
  static let bodyBytes = 4 << 10

  /// What became of a request.
  enum Outcome: Sendable, Equatable {
    /// A recording played, of the reel of that generation.
    case played(entry: Int, derived: String?, approximate: String? = nil, after: Int? = nil)
    case derived(String)
    /// Upstream answered.
    case recorded
    case miss
  }

  /// One request, kept as it came; secrets are masked when it is shown.
  struct Entry: Sendable {
    var number: UInt64 = 0
    /// Nanoseconds since 1970.
    var at = 0
    var status = 0
    var sent = 0
    var outcome = Outcome.miss
    var head: [UInt8] = []
    var body: [UInt8] = []
    var bodyLength = 0
    /// Which reel the number of a recording belongs to.
    var generation = 0

    /// Room counts, not use: a slot keeps the room of the longest head it has held.
    fileprivate var size: Int { head.capacity + body.capacity + 128 }
  }

  fileprivate struct Ring {
    var entries: [Entry] = []
    var next = 0
    var size = 0
  }

  private let ring = Mutex(Ring())
  private let capacity: Int
  private let budget: Int

  /// - Parameter loops: How many journals share the bounds.
  init(loops: Int) {
    // Connections are not spread evenly over loops: each may have all of the entries, and its share of the bytes.
    capacity = Self.entries
    budget = Self.bytes / max(1, loops)
  }

  /// Keeps a request.
  @inline(__always)
  func note(
    number: UInt64, at: Int, status: Int, sent: Int, outcome: Outcome, generation: Int, head: Span<UInt8>, body: [UInt8]
  ) {
    ring.withLock { ring in
      if ring.entries.count < capacity {
        ring.next = ring.entries.count
        ring.entries.append(Entry())
      }
      let slot = ring.next
      ring.next = slot + 1 == capacity ? 0 : slot + 1
      ring.size -= ring.entries[slot].number == 0 ? 0 : ring.entries[slot].size
      ring.entries[slot].write(
        number: number, at: at, status: status, sent: sent, outcome: outcome, generation: generation, head: head,
        body: body)
      ring.size += ring.entries[slot].size
      if ring.size > budget { ring.shed(from: slot, to: budget) }
    }
  }

  /// What is kept, the oldest first.
  func read() -> [Entry] {
    ring.withLock { ring in
      let wrapped = ring.entries.count == capacity
      let ordered = wrapped ? Array(ring.entries[ring.next...] + ring.entries[..<ring.next]) : ring.entries
      return ordered.filter { $0.number != 0 }
    }
  }

  /// Forgets everything.
  func clear() { ring.withLock { $0 = Ring() } }
}

extension RequestJournal.Entry {
  /// Overwrites an older request, in the memory it has.
  @inline(__always)
  fileprivate mutating func write(
    number: UInt64, at: Int, status: Int, sent: Int, outcome: RequestJournal.Outcome, generation: Int,
    head: Span<UInt8>,
    body: [UInt8]
  ) {
    self.number = number
    self.at = at
    self.status = status
    self.sent = sent
    self.outcome = outcome
    self.generation = generation
    self.head.removeAll(keepingCapacity: true)
    self.head.append(head)
    if bodyLength > 0 || !body.isEmpty {
      bodyLength = body.count
      self.body = Array(body.prefix(RequestJournal.bodyBytes))
    }
  }
}

extension RequestJournal.Ring {
  /// Forgets the oldest requests until the others fit.
  fileprivate mutating func shed(from newest: Int, to budget: Int) {
    var slot = newest
    for _ in 1..<max(1, entries.count) {
      slot = slot + 1 == entries.count ? 0 : slot + 1
      if size <= budget { return }
      if entries[slot].number != 0 { size -= entries[slot].size }
      entries[slot] = RequestJournal.Entry()
    }
  }
}
