internal import CassetteSystem

/// The last requests of one loop and what answered them, bounded in number and bytes.
///
/// A loop writes to its own journal only; the lock is there for the rare reader.
package final class RequestJournal: Sendable {
  /// The number of requests that are kept over all loops.
  package static let entries = 1_000
  /// The number of bytes that they take over all loops.
  package static let bytes = 8 << 20
  /// The number of bytes of a body that are kept unless told.
  package static let bodyBytes = 64 << 10

  /// The outcome of a request.
  package enum Outcome: Sendable, Equatable {
    /// A recording played, of the table of that number.
    case played(entry: Int, derived: String?, approximate: String? = nil, after: Int? = nil)
    /// A stub that was added played.
    case stub(String, derived: String?, approximate: String? = nil)
    case derived(String, approximate: String? = nil)
    /// A specification answered, for the operation of that name.
    case specified(String)
    /// Upstream answered.
    case recorded
    case miss
    /// Bytes that are no request, and why, or one that this server does not take.
    case refused(String)
  }

  /// One request, kept as it came; secrets are masked when it is shown.
  package struct Entry: Sendable {
    package fileprivate(set) var number: UInt64 = 0
    /// Nanoseconds since 1970.
    package fileprivate(set) var at = 0
    package fileprivate(set) var status = 0
    package fileprivate(set) var sent = 0
    /// The duration of the answer, in nanoseconds.
    package fileprivate(set) var nanoseconds = 0
    package fileprivate(set) var outcome = Outcome.miss
    package fileprivate(set) var head: [UInt8] = []
    package fileprivate(set) var body: [UInt8] = []
    package fileprivate(set) var bodyLength = 0
    /// The number of the table that the recording's number belongs to.
    package fileprivate(set) var table = 0
    /// Its place among all that this journal was told.
    fileprivate var position: UInt64 = 0

    /// The session that it named; empty for none.
    package var session: String { JournalRecord(self).session }

    /// Room counts, not use: a slot keeps the room of the longest head it has held.
    fileprivate var size: Int { head.capacity + body.capacity + 128 }
  }

  fileprivate struct Ring {
    var entries: [Entry] = []
    var next = 0
    var size = 0
    /// The number of requests that came.
    var written: UInt64 = 0
    /// Up to where requests were given up for room.
    var given: UInt64 = 0
    /// Up to where they were forgotten because somebody said so.
    var cleared: UInt64 = 0
    var plays = PlayTally()
  }

  /// The position up to which a reader has read.
  package struct Position: Sendable {
    fileprivate var written: UInt64 = 0

    /// The beginning.
    package init() {}
  }

  private let ring = Locked(Ring())
  private let bodyLimit = Counter(RequestJournal.bodyBytes)
  private let capacity: Int
  private let budget: Int

  /// Creates the journal of one loop, one of `loops` that share the bounds.
  package init(loops: Int) {
    // Connections are not spread evenly over loops: each may have all of the entries, and its share of the bytes.
    capacity = Self.entries
    budget = Self.bytes / max(1, loops)
  }

  /// The number of bytes of a body that are kept from now on.
  package var mostOfBody: Int {
    get { bodyLimit.value }
    set { bodyLimit.store(newValue) }
  }

  /// Keeps a request.
  @inline(__always)
  package func note(
    number: UInt64, at: Int, nanoseconds: Int, status: Int, sent: Int, outcome: Outcome, table: Int,
    head: Span<UInt8>, body: [UInt8]
  ) {
    ring.withLock { ring in
      if ring.entries.count < capacity {
        ring.next = ring.entries.count
        ring.entries.append(Entry())
      }
      let slot = ring.next
      ring.next = slot + 1 == capacity ? 0 : slot + 1
      if ring.entries[slot].number != 0 {
        ring.size -= ring.entries[slot].size
        ring.given = ring.entries[slot].position
      }
      ring.written &+= 1
      ring.plays.count(outcome, of: table)
      ring.entries[slot].write(
        number: number, at: at, status: status, sent: sent, outcome: outcome, table: table, head: head)
      ring.entries[slot].nanoseconds = nanoseconds
      if !body.isEmpty || ring.entries[slot].bodyLength > 0 { ring.entries[slot].keep(body, atMost: mostOfBody) }
      ring.entries[slot].position = ring.written
      ring.size += ring.entries[slot].size
      if ring.size > budget { ring.shed(from: slot, to: budget) }
    }
  }

  /// Returns the kept requests, the oldest first.
  package func read() -> [Entry] {
    var position = Position()
    return read(after: &position).entries
  }

  /// Returns requests after a position, which moves on: the latest `most`, oldest first, and how many more there were.
  package func read(after position: inout Position, atMost most: Int = .max) -> (entries: [Entry], lost: Int) {
    ring.withLock { ring in
      defer { position.written = ring.written }
      let read = max(position.written, ring.cleared)
      guard ring.written > read else { return ([], 0) }
      var lost = Int(clamping: ring.given - min(read, ring.given))
      var found: [Entry] = []
      // From the latest back to what was read: what nobody asks for is not copied.
      var slot = ring.next
      for _ in ring.entries.indices {
        slot = slot == 0 ? ring.entries.count - 1 : slot - 1
        guard ring.entries[slot].number != 0 else { continue }
        if ring.entries[slot].position <= read { break }
        if found.count < most { found.append(ring.entries[slot]) } else { lost += 1 }
      }
      return (found.reversed(), lost)
    }
  }

  /// Tells whether there is something behind a position; cheap.
  package func isPast(_ position: Position) -> Bool { ring.withLock { $0.written > position.written } }

  /// Hands over what was counted since it was asked last.
  func takePlays() -> PlayTally { ring.withLock { $0.plays.take() } }

  /// Forgets everything.
  package func clear() {
    ring.withLock { ring in
      let written = ring.written
      ring = Ring()
      (ring.written, ring.given, ring.cleared) = (written, written, written)
    }
  }

  /// Forgets those requests that a condition is true of.
  package func clear(where isGone: (Entry) -> Bool) {
    ring.withLock { ring in
      for slot in ring.entries.indices where ring.entries[slot].number != 0 && isGone(ring.entries[slot]) {
        ring.size -= ring.entries[slot].size
        ring.entries[slot] = Entry()
      }
    }
  }
}

extension RequestJournal.Entry {
  /// Overwrites an older request, in the memory it has.
  @inline(__always)
  fileprivate mutating func write(
    number: UInt64, at: Int, status: Int, sent: Int, outcome: RequestJournal.Outcome, table: Int, head: Span<UInt8>
  ) {
    self.number = number
    self.at = at
    self.status = status
    self.sent = sent
    self.outcome = outcome
    self.table = table
    self.head.removeAll(keepingCapacity: true)
    self.head.append(head)
  }

  fileprivate mutating func keep(_ body: [UInt8], atMost limit: Int) {
    bodyLength = body.count
    self.body = body.count > limit ? Array(body.prefix(limit)) : body
  }
}

extension RequestJournal.Ring {
  /// Forgets the oldest requests until the others fit.
  fileprivate mutating func shed(from newest: Int, to budget: Int) {
    var slot = newest
    for _ in 1..<max(1, entries.count) {
      slot = slot + 1 == entries.count ? 0 : slot + 1
      if size <= budget { return }
      if entries[slot].number != 0 {
        size -= entries[slot].size
        given = max(given, entries[slot].position)
      }
      entries[slot] = RequestJournal.Entry()
    }
  }
}
