internal import CassetteSystem

/// The last requests of one loop and their outcomes, limited in number and bytes.
///
/// A loop writes only to its own journal. The lock serves occasional readers.
package final class RequestJournal: Sendable {
  /// The number of requests that are kept in all loops together.
  package static let entries = 1_000
  /// The number of bytes that the requests of all loops may use.
  package static let bytes = 8 << 20
  /// The default number of bytes of a body that are kept.
  package static let bodyBytes = 64 << 10

  /// The outcome of a request.
  package enum Outcome: Sendable, Equatable {
    /// A recording was played; `entry` is its index in the table.
    case played(entry: Int, derived: String?, approximate: String? = nil, after: Int? = nil)
    /// A stub was played.
    case stub(String, derived: String?, approximate: String? = nil)
    case derived(String, approximate: String? = nil)
    /// A specification provided the response, for the named operation.
    case specified(String)
    /// Upstream provided the response.
    case recorded
    case miss
    /// The request was invalid or not supported by this server, for the given reason.
    case refused(String)
  }

  /// A request as received.
  ///
  /// Secrets are masked when it is shown.
  package struct Entry: Sendable {
    package fileprivate(set) var number: UInt64 = 0
    /// The time in nanoseconds since 1970.
    package fileprivate(set) var at = 0
    package fileprivate(set) var status = 0
    package fileprivate(set) var sent = 0
    /// The time from request to response in nanoseconds.
    package fileprivate(set) var nanoseconds = 0
    package fileprivate(set) var outcome = Outcome.miss
    package fileprivate(set) var head: [UInt8] = []
    package fileprivate(set) var body: [UInt8] = []
    package fileprivate(set) var bodyLength = 0
    /// The number of the table that the recording's index refers to.
    package fileprivate(set) var table = 0
    /// The position among all requests of this journal.
    fileprivate var position: UInt64 = 0

    /// The session named by the request; empty if there is none.
    package var session: String { JournalRecord(self).session }

    /// The size is based on capacity, because an entry keeps the memory of the longest head that it has held.
    fileprivate var size: Int { head.capacity + body.capacity + 128 }
  }

  fileprivate struct Ring {
    var entries: [Entry] = []
    var next = 0
    var size = 0
    /// The number of requests received.
    var written: UInt64 = 0
    /// The position of the last request that was dropped for space.
    var given: UInt64 = 0
    /// The position of the last request that a call of `clear()` removed.
    var cleared: UInt64 = 0
    var plays = PlayTally()
  }

  /// The position up to which a reader has read.
  package struct Position: Sendable {
    fileprivate var written: UInt64 = 0

    /// Creates a position before the first request.
    package init() {}
  }

  private let ring = Locked(Ring())
  private let bodyLimit = Counter(RequestJournal.bodyBytes)
  private let capacity: Int
  private let budget: Int

  /// Creates the journal of a loop.
  ///
  /// - Parameter loops: The number of loops that share the limits.
  package init(loops: Int) {
    // Connections may be distributed unevenly. Each journal may hold all of the entries, but only its share of the
    // bytes.
    capacity = Self.entries
    budget = Self.bytes / max(1, loops)
  }

  /// The maximum number of bytes kept of each later body.
  package var mostOfBody: Int {
    get { bodyLimit.value }
    set { bodyLimit.store(newValue) }
  }

  /// Adds a request.
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

  /// Returns the requests after a position, and advances the position.
  ///
  /// - Parameters:
  ///   - position: The position of the reader.
  ///   - most: The maximum number of requests, unlimited by default. The latest are returned.
  /// - Returns: The requests, the oldest first, and the number of further requests that were dropped.
  package func read(after position: inout Position, atMost most: Int = .max) -> (entries: [Entry], lost: Int) {
    ring.withLock { ring in
      defer { position.written = ring.written }
      let read = max(position.written, ring.cleared)
      guard ring.written > read else { return ([], 0) }
      var lost = Int(clamping: ring.given - min(read, ring.given))
      var found: [Entry] = []
      // Only requests that are returned are copied, from the latest backwards.
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

  /// Returns true if there are requests after a position.
  ///
  /// Takes constant time.
  package func isPast(_ position: Position) -> Bool { ring.withLock { $0.written > position.written } }

  /// Returns the plays counted since the last call.
  func takePlays() -> PlayTally { ring.withLock { $0.plays.take() } }

  /// Removes all requests and counts.
  package func clear() {
    ring.withLock { ring in
      let written = ring.written
      ring = Ring()
      (ring.written, ring.given, ring.cleared) = (written, written, written)
    }
  }

  /// Removes the requests for which a condition is true.
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
  /// Overwrites an older request in its memory.
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
  /// Removes the oldest requests until the others fit into the budget.
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
