package import CassetteHTTP
package import CassettePlayback
internal import CassetteSystem
internal import Cassettes

/// The buffer of one loop's responses and events, in order, until another thread takes them.
///
/// Recording an event copies a few numbers and the request line, formats nothing and never waits. If the buffer is
/// full, further events are counted and dropped.
package final class EventRing: Sendable {
  /// The maximum number of buffered notes, which a loop under full load produces in half a second.
  static let capacity = 1 << 16
  /// The maximum number of buffered bytes of requests and explanations.
  ///
  /// The last note may exceed it.
  static let bytes = 16 << 20
  /// The number of buffered notes at which they are delivered immediately.
  private static let pressure = capacity / 4

  /// The numeric facts about a response.
  ///
  /// Its strings are in the batch.
  package struct Note: Sendable {
    /// The number of the request.
    package var number: UInt64 = 0
    /// The time in nanoseconds since 1970.
    package var at = 0
    /// The time from request to response in nanoseconds.
    package var nanoseconds = 0
    /// The number of bytes of content that were sent.
    package var sent = 0
    /// The index of the recording in its table; -1 for none.
    package var entry: Int32 = -1
    /// The status of the response; 0 if there was no response.
    package var status: Int32 = 0
    /// The source of the response.
    package var outcome = MockServerEvent.Answer.Outcome.played
    /// True if the client closed the connection before the last byte was sent.
    package var isDisconnected = false
    fileprivate(set) var textStart: UInt32 = 0
    fileprivate(set) var methodLength: UInt32 = 0
    fileprivate(set) var targetLength: UInt32 = 0
    fileprivate(set) var sessionLength: UInt32 = 0
    /// The index in the batch's details; -1 for none.
    fileprivate(set) var detail: Int32 = -1
    fileprivate(set) var event: Int32 = -1
    fileprivate(set) var table: Int32 = -1

    /// Creates an empty note.
    package init() {}
  }

  /// Facts that only some responses have.
  package struct Detail: Sendable {
    package var approximation: String?
    package var words: String?
    /// The recording and its cassette, if the loop's table does not contain them.
    package var recording: (id: String, cassette: String)?
    /// The request, if its secrets must be searched for in the request itself.
    package var request: HTTPRequest?

    /// Creates details.
    ///
    /// - `approximation`: The parts in which the request differs from the recording; nil (the default) for none.
    /// - `words`: The effect of a fault or of upstream; nil (the default) for none.
    package init(approximation: String? = nil, words: String? = nil) {
      self.approximation = approximation
      self.words = words
    }
  }

  /// A response whose last byte has not been sent: subscribers receive its note afterwards.
  package struct Unfinished: Sendable {
    fileprivate var note: Note
    fileprivate var text: [UInt8] = []
    fileprivate var detail: Detail?
    fileprivate var isTold = false
  }

  /// The notes that are taken in one step.
  struct Batch: Sendable {
    fileprivate(set) var notes: [Note] = []
    /// The method, target and session of each request.
    fileprivate(set) var text: [UInt8] = []
    fileprivate(set) var details: [Detail] = []
    fileprivate(set) var events: [MockServerEvent] = []
    fileprivate(set) var tables: [RecordingTable] = []
    /// The number of dropped notes.
    fileprivate(set) var lost = 0
    /// The approximate size of the details and events in bytes.
    fileprivate var weight = 0

    fileprivate var isFull: Bool { notes.count >= EventRing.capacity || text.count + weight > EventRing.bytes }

    /// Removes all notes, and keeps the capacity unless it is much larger than was needed.
    mutating func removeAll() {
      let wasBusy = notes.count > 256 || notes.capacity <= 4_096
      notes.removeAll(keepingCapacity: wasBusy)
      text.removeAll(keepingCapacity: wasBusy)
      details = []
      events = []
      tables = []
      lost = 0
      weight = 0
    }
  }

  /// The urgency of a delivery.
  package enum Urgency {
    /// A delivery is already scheduled.
    case none
    case soon
    /// The buffer is almost full.
    case now
  }

  private struct State: Sendable {
    var batch = Batch()
    var journal: RequestJournal
  }

  // A loop writes only to its own ring, so the lock is contended only by readers.
  private let state: Locked<State>

  /// Creates the ring of one loop, one of `loops` that share the limits of the journal.
  init(loops: Int = 1) { state = Locked(State(journal: RequestJournal(loops: loops))) }

  /// Sets the table that the entries of the following notes refer to.
  package func begin(_ table: RecordingTable) { state.withLock { $0.batch.tables.append(table) } }

  /// Records a request and its response.
  ///
  /// - `isTold`: True if a subscriber receives responses; otherwise only the journal is updated.
  /// - `session`: The name of the session, for subscribers; empty for none.
  /// - `detail`: The facts that only some responses have; nil (the default) for none.
  @inline(__always)
  package func note(
    _ note: Note, _ outcome: RequestJournal.Outcome, of table: Int, head: Span<UInt8>, body: [UInt8], isTold: Bool,
    method: Span<UInt8>, target: Span<UInt8>, session: Span<UInt8>, _ detail: Detail? = nil
  ) -> Urgency {
    state.withLock { state in
      state.journal.note(note, outcome, of: table, head: head, body: body)
      return isTold ? state.batch.note(note, method: method, target: target, session: session, detail) : .none
    }
  }

  /// Withholds the note of a request that was recorded a moment ago, until ``finish(_:sent:nanoseconds:isDisconnected:)``.
  package func withhold(_ number: UInt64) -> Unfinished { state.withLock { $0.batch.withhold(number) } }

  /// Records the end of a response in the journal, and its note for subscribers.
  ///
  /// - `sent`: The number of bytes of content that were sent.
  /// - `nanoseconds`: The time from the request to the last byte.
  package func finish(_ answer: Unfinished, sent: Int, nanoseconds: Int, isDisconnected: Bool) -> Urgency {
    var answer = answer
    (answer.note.sent, answer.note.nanoseconds, answer.note.isDisconnected) = (sent, nanoseconds, isDisconnected)
    return state.withLock { state in
      state.journal.amend(answer.note)
      return answer.isTold ? state.batch.note(answer) : .none
    }
  }

  /// Records an event.
  package func note(_ event: MockServerEvent, at nanoseconds: Int) -> Urgency {
    state.withLock { $0.batch.note(event, at: nanoseconds) }
  }

  /// Takes all notes, and replaces them with an empty batch.
  func take(leaving empty: Batch) -> Batch {
    state.withLock { state in
      let taken = state.batch
      state.batch = empty
      if let table = taken.tables.last { state.batch.tables.append(table) }
      return taken
    }
  }

  // MARK: Access to the loop's journal

  /// The maximum number of bytes of a body that the journal stores from now on.
  package var mostOfBody: Int {
    get { state.withLock { $0.journal.mostOfBody } }
    set { state.withLock { $0.journal.mostOfBody = newValue } }
  }

  /// Returns the stored requests, the oldest first.
  package func read() -> [RequestJournal.Entry] {
    var position = RequestJournal.Position()
    return read(after: &position).entries
  }

  /// Returns the latest requests after a position, oldest first, and the number of omitted ones, and advances the
  /// position.
  package func read(
    after position: inout RequestJournal.Position, atMost most: Int = .max
  ) -> (entries: [RequestJournal.Entry], lost: Int) {
    state.withLock { $0.journal.read(after: &position, atMost: most) }
  }

  /// Returns true if requests were recorded after a position, without copying them.
  package func isPast(_ position: RequestJournal.Position) -> Bool { state.withLock { $0.journal.isPast(position) } }

  /// Returns the plays that were counted since the last call.
  package func takePlays() -> PlayTally { state.withLock { $0.journal.takePlays() } }

  /// Removes all requests from the journal.
  package func clear() { state.withLock { $0.journal.clear() } }

  /// Removes the requests from the journal that satisfy a condition.
  package func clear(where isGone: (RequestJournal.Entry) -> Bool) {
    state.withLock { $0.journal.clear(where: isGone) }
  }
}

extension EventRing.Batch {
  fileprivate mutating func add(_ detail: EventRing.Detail, to note: inout EventRing.Note) {
    note.detail = Int32(truncatingIfNeeded: details.count)
    details.append(detail)
    weight += 256 + (detail.request?.body.count ?? 0)
  }

  /// Records a response.
  @inline(__always)
  fileprivate mutating func note(
    _ numbers: EventRing.Note, method: Span<UInt8>, target: Span<UInt8>, session: Span<UInt8>,
    _ detail: EventRing.Detail?
  ) -> EventRing.Urgency {
    if isFull {
      lost += 1
      return .none
    }
    var note = numbers
    note.textStart = UInt32(truncatingIfNeeded: text.count)
    note.methodLength = UInt32(truncatingIfNeeded: method.count)
    note.targetLength = UInt32(truncatingIfNeeded: target.count)
    note.sessionLength = UInt32(truncatingIfNeeded: session.count)
    note.table = Int32(truncatingIfNeeded: tables.count - 1)
    text.append(method)
    text.append(target)
    if session.count > 0 { text.append(session) }
    if let detail { add(detail, to: &note) }
    notes.append(note)
    return urgency
  }

  /// Removes the note of one of the last requests; subscribers may already have received it.
  fileprivate mutating func withhold(_ number: UInt64) -> EventRing.Unfinished {
    var answer = EventRing.Unfinished(note: EventRing.Note())
    answer.note.number = number
    guard let index = notes.suffix(256).lastIndex(where: { $0.number == number && $0.event < 0 }) else { return answer }
    answer.note = notes.remove(at: index)
    let note = answer.note
    let length = Int(note.methodLength) + Int(note.targetLength) + Int(note.sessionLength)
    answer.text = Array(text[Int(note.textStart)..<Int(note.textStart) + length])
    answer.detail = note.detail < 0 ? nil : details[Int(note.detail)]
    answer.isTold = true
    // The loop may play other cassettes when the response ends.
    guard note.table >= 0, tables[Int(note.table)].entries.indices.contains(Int(note.entry)) else { return answer }
    let entry = tables[Int(note.table)].entries[Int(note.entry)]
    answer.detail = answer.detail ?? EventRing.Detail()
    answer.detail?.recording = (entry.interaction.id, entry.cassette)
    answer.note.entry = -1
    return answer
  }

  fileprivate mutating func note(_ answer: EventRing.Unfinished) -> EventRing.Urgency {
    let (text, note) = (answer.text.span, answer.note)
    let target = Int(note.methodLength)..<Int(note.methodLength) + Int(note.targetLength)
    return self.note(
      note, method: text.extracting(0..<target.lowerBound), target: text.extracting(target),
      session: text.extracting(target.upperBound..<text.count), answer.detail)
  }

  /// Records an event.
  fileprivate mutating func note(_ event: MockServerEvent, at nanoseconds: Int) -> EventRing.Urgency {
    if isFull {
      lost += 1
      return .none
    }
    var note = EventRing.Note()
    note.at = nanoseconds
    note.event = Int32(truncatingIfNeeded: events.count)
    if case .request(let request) = event.kind { weight += request.body.count }
    weight += 1_024
    events.append(event)
    notes.append(note)
    return urgency
  }

  @inline(__always)
  fileprivate var urgency: EventRing.Urgency {
    if notes.count == 1 { return .soon }
    return notes.count == EventRing.pressure ? .now : .none
  }
}
