package import CassetteHTTP
internal import CassetteSystem
internal import Dispatch
internal import MockServerSockets

/// A reader of a server's events, some time after they happened.
package protocol EventSubscriber: AnyObject, Sendable {
  /// The kinds of events that it wants; all other events reach every subscriber.
  var interest: EventFeed.Interest { get }
  /// Takes what was noted since the last call; one call at a time, on any thread.
  func receive(_ events: NotedEvents)
  /// Takes note that no more events will come.
  func finish()
}

extension EventSubscriber {
  package func finish() {}
}

/// The events of one server, on their way from the loops to their readers: the log, streams, a test.
///
/// Loops note into rings of their own. One queue takes the notes a little later, and all that came meanwhile with them.
package final class EventFeed: Sendable {
  /// The kinds of events that cost a loop something, and are noted only for those who want them.
  package struct Interest: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Each answer.
    package static let answers = Interest(rawValue: 1)
    /// Each request, with its fields and its body.
    package static let requests = Interest(rawValue: 2)
  }

  /// The time that the first note waits for others.
  private static let delay = DispatchTimeInterval.milliseconds(20)

  private struct Readers: Sendable {
    var subscribers: [any EventSubscriber] = []
    var mask: (@Sendable ([String], HTTPRequest?) -> [String])?
    /// Batches that were read, whose memory is used again.
    var spare: [EventRing.Batch] = []
  }

  // Never taken by a loop: it is held while a log is written.
  private let readers = Locked(Readers())
  private let rings = Locked<[EventRing]>([])
  private let wanted = Counter()
  private let isScheduled = Flag()
  private let queue = DispatchQueue(label: "mockserver.events")
  private let mask: EventMask
  /// The ring for events outside of the loops.
  private let common: EventRing

  /// Creates a feed whose events have none of the real values that are sent in the place of aliases.
  package init(secrets: [Int: String]) {
    mask = EventMask(secrets: secrets)
    common = EventRing()
    rings.withLock { $0 = [common] }
  }

  /// The kinds of events that any subscriber wants.
  @inline(__always)
  package var interest: Interest { Interest(rawValue: UInt8(wanted.value)) }

  /// Masks texts of answers by what a recorder knows, too.
  package func mask(by mask: @escaping @Sendable ([String], HTTPRequest?) -> [String]) {
    readers.withLock { $0.mask = mask }
  }

  /// Makes a ring for a loop.
  package func makeRing() -> EventRing {
    let ring = EventRing()
    rings.withLock { $0.append(ring) }
    return ring
  }

  /// Tells a subscriber what happens from now on.
  package func add(_ subscriber: any EventSubscriber) {
    drain()
    readers.withLock { readers in
      readers.subscribers.append(subscriber)
      update(readers)
    }
  }

  /// Tells a subscriber nothing more.
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

  /// Notes an event that happens now, in words for people, secrets masked; nil is the ring outside the loops.
  package func note(_ kind: MockServerEvent.Kind, _ words: String = "", in ring: EventRing? = nil) {
    let now = Platform.wallNanoseconds()
    schedule((ring ?? common).note(MockServerEvent(kind, at: now, mask.hiding(words)), at: now))
  }

  /// Schedules the taking of notes.
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

  /// Gives subscribers what has been noted; when it returns, they have it.
  package func drain() {
    let rings = rings.withLock { $0 }
    readers.withLock { readers in
      // Before the notes are taken: whoever notes the next one has it taken again.
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

  /// Gives subscribers the last events, and ends their streams.
  package func finish() {
    drain()
    let subscribers = readers.withLock { $0.subscribers }
    for subscriber in subscribers { subscriber.finish() }
  }
}
