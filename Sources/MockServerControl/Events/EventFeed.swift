package import CassetteHTTP
internal import CassetteMatching
internal import CassettePlayback
internal import CassetteSecrets
internal import CassetteSystem
internal import Cassettes
internal import Dispatch
internal import MockServerSockets

/// A receiver of a server's events, which are delivered shortly after they occur.
package protocol EventSubscriber: AnyObject, Sendable {
  /// The kinds of events to receive in addition to those that every subscriber receives.
  var interest: EventFeed.Interest { get }
  /// Handles the events since the last call.
  ///
  /// Calls are serial, on any thread.
  func receive(_ events: NotedEvents)
  /// Called after the last event.
  func finish()
}

extension EventSubscriber {
  package func finish() {}
}

/// The feed that delivers the events of one server to subscribers: the log, event streams and tests.
///
/// Each event loop writes to its own ring. A queue reads all rings shortly afterwards, so one delivery covers many
/// events.
package final class EventFeed: Sendable {
  /// The kinds of events that take time to collect, and are collected only for subscribers that request them.
  package struct Interest: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Responses.
    package static let answers = Interest(rawValue: 1)
    /// Requests with their fields and bodies.
    package static let requests = Interest(rawValue: 2)
  }

  /// The time between the first event and its delivery.
  private static let delay = DispatchTimeInterval.milliseconds(20)

  private struct Readers: Sendable {
    var subscribers: [any EventSubscriber] = []
    var mask: (@Sendable ([String], HTTPRequest?) -> [String])?
    /// Delivered batches, whose memory is reused.
    var spare: [EventRing.Batch] = []
  }

  // Loops must not wait for this lock, which is held while a log is written.
  private let readers = Locked(Readers())
  private let rings = Locked<[EventRing]>([])
  private let wanted = Counter()
  private let isScheduled = Flag()
  private let queue = DispatchQueue(label: "mockserver.events")
  private let mask: EventMask
  /// The ring for events that do not occur on a loop.
  private let common: EventRing

  /// Creates a feed.
  ///
  /// - `secrets`: The real values that are sent instead of aliases, keyed by alias number. Events show only aliases.
  package init(secrets: [Int: String]) {
    mask = EventMask(secrets: secrets)
    common = EventRing()
    rings.withLock { $0 = [common] }
  }

  /// The kinds of events that at least one subscriber requests.
  @inline(__always)
  package var interest: Interest { Interest(rawValue: UInt8(wanted.value)) }

  /// Masks the secrets that a recorder knows in the strings of events, in addition to the feed's own secrets.
  package func mask(by mask: @escaping @Sendable ([String], HTTPRequest?) -> [String]) {
    readers.withLock { $0.mask = mask }
  }

  /// Creates the ring of one loop, where `loops` is the number of loops.
  package func makeRing(loops: Int = 1) -> EventRing {
    let ring = EventRing(loops: loops)
    rings.withLock { $0.append(ring) }
    return ring
  }

  /// Adds a subscriber, which receives all events from now on.
  package func add(_ subscriber: any EventSubscriber) {
    drain()
    readers.withLock { readers in
      readers.subscribers.append(subscriber)
      update(readers)
    }
  }

  /// Removes a subscriber, which receives no further events.
  package func remove(_ subscriber: any EventSubscriber) {
    readers.withLock { readers in
      readers.subscribers.removeAll { $0 === subscriber }
      update(readers)
    }
  }

  private func update(_ readers: Readers) {
    let interest = readers.subscribers.reduce(Interest()) { $0.union($1.interest) }
    wanted.store(Int(interest.rawValue))
  }

  /// Records an event that occurs now.
  ///
  /// - `words`: The description for users, in which the feed masks its secrets. Empty by default.
  /// - `ring`: The ring of the current loop; nil (the default) outside of the loops.
  package func note(_ kind: MockServerEvent.Kind, _ words: String = "", in ring: EventRing? = nil) {
    let now = Platform.wallNanoseconds()
    schedule((ring ?? common).note(MockServerEvent(kind, at: now, mask.hiding(words)), at: now))
  }

  /// Schedules a delivery of the recorded events.
  @inline(__always)
  package func schedule(_ urgency: EventRing.Urgency) {
    if urgency != .none { wake(urgency) }
  }

  private func wake(_ urgency: EventRing.Urgency) {
    if urgency == .now {
      queue.async { self.drain() }
    } else if !isScheduled.set() {
      queue.asyncAfter(deadline: .now() + Self.delay) { self.drain() }
    }
  }

  /// Delivers the recorded events, and returns after all subscribers have handled them.
  package func drain() {
    let rings = rings.withLock { $0 }
    readers.withLock { readers in
      // Cleared before the rings are read, so that an event recorded meanwhile schedules another delivery.
      isScheduled.clear()
      var batches: [EventRing.Batch] = []
      for ring in rings { batches.append(ring.take(leaving: readers.spare.popLast() ?? EventRing.Batch())) }
      var mask = mask
      mask.recorded = readers.mask
      let events = NotedEvents(batches: batches, mask: mask)
      for subscriber in readers.subscribers { subscriber.receive(events) }
      _ = consume events
      for index in batches.indices { batches[index].removeAll() }
      readers.spare = batches
    }
  }

  /// Delivers the last events and ends the subscriptions.
  package func finish() {
    drain()
    let subscribers = readers.withLock { $0.subscribers }
    for subscriber in subscribers { subscriber.finish() }
  }
}

/// A response as recorded in a ring.
///
/// Its strings are created only when needed.
package struct NotedAnswer {
  let note: EventRing.Note
  let detail: EventRing.Detail?
  /// The table that the note's entry number refers to.
  let table: RecordingTable?
  /// The method and target of the request as received, and the session.
  let text: ArraySlice<UInt8>
  /// The mask for secrets in strings.
  let mask: EventMask

  /// The method and target, without a space between them.
  var request: ArraySlice<UInt8> { text.prefix(Int(note.methodLength) + Int(note.targetLength)) }

  var method: String { String(decoding: text.prefix(Int(note.methodLength)), as: UTF8.self) }

  /// The name that the client gave its session, which is a secret token if a gateway created it.
  var session: String {
    guard note.sessionLength > 0 else { return "" }
    let name = String(decoding: text.suffix(Int(note.sessionLength)), as: UTF8.self)
    return mask.hiding(SecretMask.masked(name, .text))
  }

  private var recording: (id: String, cassette: String)? {
    guard let table, table.entries.indices.contains(Int(note.entry)) else { return detail?.recording }
    let entry = table.entries[Int(note.entry)]
    return (entry.interaction.id, entry.cassette)
  }

  /// The response as an event.
  package var event: MockServerEvent { MockServerEvent(.answer(answer), at: note.at) }

  /// The public description of the response.
  var answer: MockServerEvent.Answer {
    let target = String(decoding: request.dropFirst(Int(note.methodLength)), as: UTF8.self)
    let texts = mask.masking(
      [SecretNames.masked(url: target), session, detail?.words ?? "", detail?.approximation ?? ""], detail?.request)
    return MockServerEvent.Answer(
      number: note.number, method: HTTPMethod(method), target: texts[0], session: texts[1],
      status: note.status == 0 ? nil : HTTPStatus(Int(note.status)), sentBytes: note.sent,
      duration: .nanoseconds(note.nanoseconds), outcome: note.outcome, recording: recording?.id,
      cassette: recording?.cassette, approximation: detail?.approximation == nil ? nil : texts[3],
      detail: detail?.words == nil ? nil : texts[2])
  }
}

/// The secrets of a server that cannot be recognized by their form.
struct EventMask: Sendable {
  /// The real values that are sent instead of aliases, keyed by alias number.
  var secrets: [Int: String] = [:]
  /// A function that masks the secrets known to a recorder in strings about a request.
  var recorded: (@Sendable ([String], HTTPRequest?) -> [String])?

  /// Returns a string with the server's secrets replaced by their aliases.
  func hiding(_ text: String) -> String { secrets.isEmpty ? text : StandIns.hiding(text, secrets) }

  /// Returns strings with aliases and masks instead of secrets, including those of a request that was not recorded.
  func masking(_ texts: [String], _ request: HTTPRequest?) -> [String] {
    let hidden = texts.map(hiding)
    return recorded?(hidden, request) ?? hidden
  }
}

/// The events taken from several rings in one delivery, merged by time.
///
/// Events of the same ring stay in order.
package struct NotedEvents: Sequence {
  /// A response or another event.
  package enum Element {
    case answer(NotedAnswer)
    case event(MockServerEvent)
  }

  let batches: [EventRing.Batch]
  let mask: EventMask

  package func makeIterator() -> Iterator { Iterator(self) }

  package struct Iterator: IteratorProtocol {
    private let batches: [EventRing.Batch]
    private let mask: EventMask
    /// The index of the next note in each batch.
    private var places: [Int]
    private var lost: Int
    private var time = 0

    fileprivate init(_ events: NotedEvents) {
      (batches, mask) = (events.batches, events.mask)
      places = Array(repeating: 0, count: batches.count)
      lost = batches.reduce(0) { $0 + $1.lost }
    }

    package mutating func next() -> Element? {
      guard let first = earliest else { return nextLoss() }
      let batch = batches[first]
      let note = batch.notes[places[first]]
      places[first] += 1
      time = note.at
      if note.event >= 0 { return .event(batch.events[Int(note.event)]) }
      let start = Int(note.textStart)
      let end = start + Int(note.methodLength) + Int(note.targetLength) + Int(note.sessionLength)
      return .answer(
        NotedAnswer(
          note: note, detail: note.detail < 0 ? nil : batch.details[Int(note.detail)],
          table: note.table < 0 ? nil : batch.tables[Int(note.table)], text: batch.text[start..<end], mask: mask))
    }

    private var earliest: Int? {
      var found: Int?
      var least = 0
      for index in batches.indices where places[index] < batches[index].notes.count {
        let at = batches[index].notes[places[index]].at
        if found == nil || at < least { (found, least) = (index, at) }
      }
      return found
    }

    /// Returns a final event that reports dropped events, if there are any.
    private mutating func nextLoss() -> Element? {
      guard lost > 0 else { return nil }
      defer { lost = 0 }
      let words = "\(lost) events were dropped because they were not read fast enough"
      return .event(MockServerEvent(.lost(lost), at: time, words))
    }
  }
}
