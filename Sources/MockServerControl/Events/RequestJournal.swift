internal import CassetteSystem

/// The latest requests of one loop and their outcomes, limited in number and bytes: the persistent part of an
/// ``EventRing``.
package struct RequestJournal: Sendable {
  /// The maximum number of requests that each loop stores, and that are reported for all loops together.
  package static let capacity = 1_000
  /// The maximum number of bytes of the requests of all loops.
  package static let bytes = 8 << 20
  /// The default for the maximum number of stored bytes of a body.
  package static let bodyBytes = 64 << 10

  /// The outcome of a request.
  package enum Outcome: Sendable, Equatable {
    /// A recording was played, from the table with the entry's table number.
    case played(entry: Int, derived: String?, approximate: String? = nil, after: Int? = nil)
    /// An added stub was played.
    case stub(String, derived: String?, approximate: String? = nil)
    case derived(String, approximate: String? = nil)
    /// A specification generated the response, for the operation with this name.
    case specified(String)
    /// The upstream server responded.
    case recorded
    case miss
    /// The request was rejected, for this reason.
    case refused(String)
  }

  /// A request as received; secrets are masked when it is displayed.
  package struct Entry: Sendable {
    package fileprivate(set) var number: UInt64 = 0
    /// The time in nanoseconds since 1970.
    package fileprivate(set) var at = 0
    package fileprivate(set) var status = 0
    package fileprivate(set) var sent = 0
    /// The time from request to response in nanoseconds.
    package fileprivate(set) var nanoseconds = 0
    /// True if the client closed the connection before the last byte was sent.
    package fileprivate(set) var isDisconnected = false
    package fileprivate(set) var outcome = Outcome.miss
    package fileprivate(set) var head: [UInt8] = []
    package fileprivate(set) var body: [UInt8] = []
    package fileprivate(set) var bodyLength = 0
    /// The number of the table that contains the recording.
    package fileprivate(set) var table = 0
    /// The number of the request in this journal, counted from 1.
    fileprivate var position: UInt64 = 0

    /// The allocated size in bytes; a slot keeps the capacity of the longest head it has stored.
    fileprivate var size: Int { head.capacity + body.capacity + 128 }
  }

  /// The position up to which a reader has read the journal.
  package struct Position: Sendable {
    fileprivate var written: UInt64 = 0

    /// Creates the position before the first request.
    package init() {}
  }

  private var entries: [Entry] = []
  private var next = 0
  private var size = 0
  /// The number of requests recorded so far.
  private var written: UInt64 = 0
  /// The position of the latest request that was dropped to free memory.
  private var given: UInt64 = 0
  /// The position of the latest request that `clear()` removed.
  private var cleared: UInt64 = 0
  private var plays = PlayTally()
  private let budget: Int
  /// The maximum number of bytes of a body that are stored from now on.
  var mostOfBody = RequestJournal.bodyBytes

  /// Creates the journal of one loop, one of `loops` that share the limits.
  ///
  /// Connections are not spread evenly over loops: each journal may contain the maximum number of requests, but only
  /// its share of the bytes.
  init(loops: Int) { budget = Self.bytes / max(1, loops) }

  /// Stores a request.
  @inline(__always)
  mutating func note(
    _ note: EventRing.Note, _ outcome: Outcome, of table: Int, head: Span<UInt8>, body: [UInt8]
  ) {
    if entries.count < Self.capacity {
      next = entries.count
      entries.append(Entry())
    }
    let slot = next
    next = slot + 1 == Self.capacity ? 0 : slot + 1
    if entries[slot].number != 0 {
      size -= entries[slot].size
      given = entries[slot].position
    }
    written &+= 1
    plays.count(outcome, of: table)
    entries[slot].write(note, outcome, of: table, head)
    if !body.isEmpty || entries[slot].bodyLength > 0 { entries[slot].keep(body, atMost: mostOfBody) }
    entries[slot].position = written
    size += entries[slot].size
    if size > budget { shed(from: slot) }
  }

  /// Updates one of the last requests after its last byte was sent.
  mutating func amend(_ note: EventRing.Note) {
    guard let slot = entries.lastIndex(where: { $0.number == note.number }) else { return }
    (entries[slot].sent, entries[slot].nanoseconds) = (note.sent, note.nanoseconds)
    entries[slot].isDisconnected = note.isDisconnected
  }

  /// Returns the latest requests after a position, oldest first, and the number of omitted ones, and advances the
  /// position.
  func read(after position: inout Position, atMost most: Int = .max) -> (entries: [Entry], lost: Int) {
    defer { position.written = written }
    let read = max(position.written, cleared)
    guard written > read else { return ([], 0) }
    var lost = Int(clamping: given - min(read, given))
    var found: [Entry] = []
    // Iterates from the latest request back to the position, so that no other requests are copied.
    var slot = next
    for _ in entries.indices {
      slot = slot == 0 ? entries.count - 1 : slot - 1
      guard entries[slot].number != 0 else { continue }
      if entries[slot].position <= read { break }
      if found.count < most { found.append(entries[slot]) } else { lost += 1 }
    }
    return (found.reversed(), lost)
  }

  /// Returns true if requests were recorded after a position, without copying them.
  func isPast(_ position: Position) -> Bool { written > position.written }

  /// Returns the plays that were counted since the last call, and resets the counts.
  mutating func takePlays() -> PlayTally { plays.take() }

  /// Removes all requests and counts.
  mutating func clear() {
    (entries, next, size, plays) = ([], 0, 0, PlayTally())
    (given, cleared) = (written, written)
  }

  /// Removes the requests that satisfy a condition.
  mutating func clear(where isGone: (Entry) -> Bool) {
    for slot in entries.indices where entries[slot].number != 0 && isGone(entries[slot]) {
      size -= entries[slot].size
      entries[slot] = Entry()
    }
  }

  /// Removes the oldest requests until the remaining ones fit.
  private mutating func shed(from newest: Int) {
    var slot = newest
    for _ in 1..<max(1, entries.count) {
      slot = slot + 1 == entries.count ? 0 : slot + 1
      if size <= budget { return }
      if entries[slot].number != 0 {
        size -= entries[slot].size
        given = max(given, entries[slot].position)
      }
      entries[slot] = Entry()
    }
  }
}

extension RequestJournal.Entry {
  /// Overwrites an older request, and reuses its memory.
  @inline(__always)
  fileprivate mutating func write(
    _ note: EventRing.Note, _ outcome: RequestJournal.Outcome, of table: Int, _ head: Span<UInt8>
  ) {
    (number, at, nanoseconds) = (note.number, note.at, note.nanoseconds)
    (status, sent, isDisconnected) = (Int(note.status), note.sent, note.isDisconnected)
    (self.outcome, self.table) = (outcome, table)
    self.head.removeAll(keepingCapacity: true)
    self.head.append(head)
  }

  fileprivate mutating func keep(_ body: [UInt8], atMost limit: Int) {
    bodyLength = body.count
    self.body = body.count > limit ? Array(body.prefix(limit)) : body
  }
}

/// The plays that one loop counts, by table and number of the recording; protected by the journal's lock.
package struct PlayTally: Sendable {
  /// The maximum number of stub names, because clients may use any names.
  private static let mostStubs = 20_000

  /// The number of the table that is currently played.
  private var table = 0
  private var current: [Int] = []
  private var earlier: [Int: [Int]] = [:]
  /// The number of plays of each stub, by id.
  package private(set) var stubs: [String: Int] = [:]

  /// The number of plays of each recording, by table number and recording number.
  package var recordings: [Int: [Int]] { earlier.merging([table: current]) { _, new in new } }

  /// Counts a play.
  @inline(__always)
  mutating func count(_ outcome: RequestJournal.Outcome, of table: Int) {
    switch outcome {
    case .played(let entry, _, _, _):
      if table != self.table { turn(to: table) }
      if entry >= current.count { current += [Int](repeating: 0, count: entry + 1 - current.count) }
      current[entry] &+= 1
    case .stub(let id, _, _):
      if stubs[id] != nil || stubs.count < Self.mostStubs { stubs[id, default: 0] &+= 1 }
    case .derived, .specified, .recorded, .miss, .refused: break
    }
  }

  private mutating func turn(to table: Int) {
    earlier = recordings
    (self.table, current) = (table, earlier.removeValue(forKey: table) ?? [])
  }

  /// Returns the counts and resets them.
  mutating func take() -> PlayTally {
    defer {
      current = [Int](repeating: 0, count: current.count)
      (earlier, stubs) = ([:], [:])
    }
    return self
  }
}
