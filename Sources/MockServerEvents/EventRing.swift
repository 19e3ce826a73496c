package import CassetteHTTP
package import CassettePlayback
internal import CassetteSystem

/// The notes of one loop about its answers and events, in order, until another thread takes them.
///
/// Noting copies a few numbers and the request line. Nothing is formatted and nobody is waited for: when whoever takes the
/// notes is too slow, further ones are counted and left out.
package final class EventRing: Sendable {
  /// The most notes that wait: half a second of a loop under full load.
  package static let capacity = 1 << 16
  /// The most bytes of requests and explanations that wait; one note may exceed it.
  package static let bytes = 16 << 20
  /// The number of waiting notes from which on they are taken at once.
  private static let pressure = capacity / 4

  /// The numbers of an answer; its texts are in the batch.
  package struct Note: Sendable {
    /// The number of the request.
    package var number: UInt64 = 0
    /// The time in nanoseconds since 1970.
    package var at = 0
    /// The time that the answer took.
    package var nanoseconds = 0
    /// The number of bytes of content that were sent.
    package var sent = 0
    /// The number of the recording in its table; -1 for none.
    package var entry: Int32 = -1
    /// The status; 0 for no answer.
    package var status: Int32 = 0
    /// The source of the answer.
    package var outcome = MockServerEvent.Answer.Outcome.played
    fileprivate(set) var textStart: UInt32 = 0
    fileprivate(set) var methodLength: UInt32 = 0
    fileprivate(set) var targetLength: UInt32 = 0
    fileprivate(set) var sessionLength: UInt32 = 0
    /// The place among the batch's details; -1 for none.
    fileprivate(set) var detail: Int32 = -1
    fileprivate(set) var event: Int32 = -1
    fileprivate(set) var table: Int32 = -1

    /// Creates a note that says nothing yet.
    package init() {}
  }

  /// The facts that only some answers have.
  package struct Detail: Sendable {
    package var approximation: String?
    package var words: String?
    /// The recording and its cassette, where the loop's table does not have them.
    package var recording: (id: String, cassette: String)?
    /// The request, where what is secret in it has to be found in the request itself.
    package var request: HTTPRequest?

    /// Creates details of an approximation, and of what a fault or upstream did.
    package init(approximation: String? = nil, words: String? = nil) {
      self.approximation = approximation
      self.words = words
    }
  }

  /// The notes between two takings.
  package struct Batch: Sendable {
    fileprivate(set) var notes: [Note] = []
    /// Method, target and session of each answer.
    fileprivate(set) var text: [UInt8] = []
    fileprivate(set) var details: [Detail] = []
    fileprivate(set) var events: [MockServerEvent] = []
    fileprivate(set) var tables: [RecordingTable] = []
    /// The number of notes that found no room.
    fileprivate(set) var lost = 0
    /// The approximate number of bytes of the details and events.
    fileprivate var weight = 0

    fileprivate var isFull: Bool { notes.count >= EventRing.capacity || text.count + weight > EventRing.bytes }

    /// Forgets everything, and keeps the room unless it is much more than was needed.
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

  /// The urgency with which notes are to be taken.
  package enum Urgency {
    /// Somebody was told already.
    case none
    case soon
    /// There is little room left.
    case now
  }

  private let batch = Locked(Batch())

  /// Notes which recordings the entries of the following notes are of.
  package func begin(_ table: RecordingTable) { batch.withLock { $0.tables.append(table) } }

  /// Notes an answer.
  @inline(__always)
  package func note(
    _ note: Note, method: Span<UInt8>, target: Span<UInt8>, session: Span<UInt8>, _ detail: Detail? = nil
  ) -> Urgency {
    batch.withLock { batch in
      if batch.isFull {
        batch.lost += 1
        return .none
      }
      var note = note
      note.textStart = UInt32(truncatingIfNeeded: batch.text.count)
      note.methodLength = UInt32(truncatingIfNeeded: method.count)
      note.targetLength = UInt32(truncatingIfNeeded: target.count)
      note.sessionLength = UInt32(truncatingIfNeeded: session.count)
      note.table = Int32(truncatingIfNeeded: batch.tables.count - 1)
      batch.text.append(method)
      batch.text.append(target)
      if session.count > 0 { batch.text.append(session) }
      if let detail { batch.add(detail, to: &note) }
      batch.notes.append(note)
      return batch.urgency
    }
  }

  /// Notes an answer whose texts are no longer where they came.
  package func note(_ note: Note, method: String, target: String, session: String, _ detail: Detail? = nil) -> Urgency {
    method.withUTF8Span { method in
      target.withUTF8Span { target in
        session.withUTF8Span { self.note(note, method: method, target: target, session: $0, detail) }
      }
    }
  }

  /// Notes an event.
  package func note(_ event: MockServerEvent, at nanoseconds: Int) -> Urgency {
    batch.withLock { batch in
      if batch.isFull {
        batch.lost += 1
        return .none
      }
      var note = Note()
      note.at = nanoseconds
      note.event = Int32(truncatingIfNeeded: batch.events.count)
      if case .request(let request) = event.kind { batch.weight += request.body.count }
      batch.weight += 1_024
      batch.events.append(event)
      batch.notes.append(note)
      return batch.urgency
    }
  }

  /// Takes what was noted, and leaves an empty batch in its place.
  func take(leaving empty: Batch) -> Batch {
    batch.withLock { batch in
      let taken = batch
      batch = empty
      if let table = taken.tables.last { batch.tables.append(table) }
      return taken
    }
  }
}

extension EventRing.Batch {
  fileprivate mutating func add(_ detail: EventRing.Detail, to note: inout EventRing.Note) {
    note.detail = Int32(truncatingIfNeeded: details.count)
    details.append(detail)
    weight += 256 + (detail.request?.body.count ?? 0)
  }

  @inline(__always)
  fileprivate var urgency: EventRing.Urgency {
    if notes.count == 1 { return .soon }
    return notes.count == EventRing.pressure ? .now : .none
  }
}
