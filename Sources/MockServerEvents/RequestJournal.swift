internal import CassetteSystem

/// The last requests of one loop and their answers, bounded in number and bytes: the part of an ``EventRing`` that stays.
package struct RequestJournal: Sendable {
  /// The number of requests that are kept over all loops.
  package static let capacity = 1_000
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

    /// Room counts, not use: a slot keeps the room of the longest head it has held.
    fileprivate var size: Int { head.capacity + body.capacity + 128 }
  }

  /// The position up to which a reader has read.
  package struct Position: Sendable {
    fileprivate var written: UInt64 = 0

    /// The beginning.
    package init() {}
  }

  private var entries: [Entry] = []
  private var next = 0
  private var size = 0
  /// The number of requests that came.
  private var written: UInt64 = 0
  /// Up to where requests were given up for room.
  private var given: UInt64 = 0
  /// Up to where they were forgotten because somebody said so.
  private var cleared: UInt64 = 0
  private var plays = PlayTally()
  private let budget: Int
  /// The number of bytes of a body that are kept from now on.
  var mostOfBody = RequestJournal.bodyBytes

  /// Creates the journal of one loop, one of `loops` that share the bounds.
  ///
  /// Connections are not spread evenly over loops: each may have all of the entries, and its share of the bytes.
  init(loops: Int) { budget = Self.bytes / max(1, loops) }

  /// Keeps a request.
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

  /// Returns requests after a position, which moves on: the latest `most`, oldest first, and how many more there were.
  func read(after position: inout Position, atMost most: Int = .max) -> (entries: [Entry], lost: Int) {
    defer { position.written = written }
    let read = max(position.written, cleared)
    guard written > read else { return ([], 0) }
    var lost = Int(clamping: given - min(read, given))
    var found: [Entry] = []
    // From the latest back to what was read: what nobody asks for is not copied.
    var slot = next
    for _ in entries.indices {
      slot = slot == 0 ? entries.count - 1 : slot - 1
      guard entries[slot].number != 0 else { continue }
      if entries[slot].position <= read { break }
      if found.count < most { found.append(entries[slot]) } else { lost += 1 }
    }
    return (found.reversed(), lost)
  }

  /// Tells whether there is something behind a position; cheap.
  func isPast(_ position: Position) -> Bool { written > position.written }

  /// Hands over what was counted since it was asked last.
  mutating func takePlays() -> PlayTally { plays.take() }

  /// Forgets everything.
  mutating func clear() {
    (entries, next, size, plays) = ([], 0, 0, PlayTally())
    (given, cleared) = (written, written)
  }

  /// Forgets those requests that a condition is true of.
  mutating func clear(where isGone: (Entry) -> Bool) {
    for slot in entries.indices where entries[slot].number != 0 && isGone(entries[slot]) {
      size -= entries[slot].size
      entries[slot] = Entry()
    }
  }

  /// Forgets the oldest requests until the others fit.
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
  /// Overwrites an older request, in the memory it has.
  @inline(__always)
  fileprivate mutating func write(
    _ note: EventRing.Note, _ outcome: RequestJournal.Outcome, of table: Int, _ head: Span<UInt8>
  ) {
    (number, at, nanoseconds) = (note.number, note.at, note.nanoseconds)
    (status, sent) = (Int(note.status), note.sent)
    (self.outcome, self.table) = (outcome, table)
    self.head.removeAll(keepingCapacity: true)
    self.head.append(head)
  }

  fileprivate mutating func keep(_ body: [UInt8], atMost limit: Int) {
    bodyLength = body.count
    self.body = body.count > limit ? Array(body.prefix(limit)) : body
  }
}
