package import CassetteHTTP
package import CassettePlayback
internal import CassetteSystem

/// The buffer of one loop's responses and events, in order, until another thread takes them.
///
/// Recording an event copies a few numbers and the request line, formats nothing and never waits. If the buffer is
/// full, further events are counted and dropped.
package final class EventRing: Sendable {
  /// The maximum number of buffered notes, which a loop under full load produces in half a second.
  package static let capacity = 1 << 16
  /// The maximum number of buffered bytes of requests and explanations.
  ///
  /// The last note may exceed it.
  package static let bytes = 16 << 20
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
    /// - Parameters:
    ///   - approximation: The parts in which the request differs from the recording; nil (the default) for none.
    ///   - words: The effect of a fault or of upstream; nil (the default) for none.
    package init(approximation: String? = nil, words: String? = nil) {
      self.approximation = approximation
      self.words = words
    }
  }

  /// The notes that are taken in one step.
  package struct Batch: Sendable {
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

  private let batch = Locked(Batch())

  /// Starts a table of recordings, to which the entry numbers of the following notes refer.
  package func begin(_ table: RecordingTable) { batch.withLock { $0.tables.append(table) } }

  /// Records a response.
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

  /// Records a response from strings, if the bytes of the request are no longer available.
  package func note(_ note: Note, method: String, target: String, session: String, _ detail: Detail? = nil) -> Urgency {
    method.withUTF8Span { method in
      target.withUTF8Span { target in
        session.withUTF8Span { self.note(note, method: method, target: target, session: $0, detail) }
      }
    }
  }

  /// Records an event.
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

  /// Takes all notes, and replaces them with an empty batch.
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
