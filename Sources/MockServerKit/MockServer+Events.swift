public import CassetteHTTP
internal import CassetteSystem
@_exported public import MockServerControl

extension MockServer {
  /// An event of the server.
  public typealias Event = MockServerEvent

  /// The events of the server from now on; each access creates a new stream.
  ///
  /// ```swift
  /// for await event in server.events {
  ///   if case .miss(let miss) = event.kind { print(miss.reason) }
  /// }
  /// ```
  ///
  /// Events are delivered in chronological order, about 20 ms after they occur. A stream buffers up to 10,000 events
  /// for a slow reader; it drops further events, and reports their number with ``Event/Kind/lost(_:)``. The stream ends
  /// after the last event when the server stops. Requests are copied while a stream is in use, which reduces the
  /// throughput.
  public var events: AsyncStream<Event> {
    stream([.answers, .requests]) { event, lost in lost.map { Event(lost: $0, before: event) } ?? event }
  }

  /// The complete requests that are received from now on; each access creates a new stream.
  ///
  /// The stream buffers up to 10,000 requests for a slow reader, as ``events`` does, and drops further ones. It ends
  /// when the server stops.
  public var requests: AsyncStream<HTTPRequest> {
    stream(.requests) { event, lost in
      guard lost == nil, case .request(let request) = event.kind else { return nil }
      return request
    }
  }

  /// The maximum number of buffered elements of a stream.
  private static let buffered = 10_000

  /// Returns a stream of the elements that `element` creates from events and from the number of dropped elements.
  private func stream<Element: Sendable>(
    _ interest: EventFeed.Interest, _ element: @escaping @Sendable (Event, _ lost: Int?) -> Element?
  ) -> AsyncStream<Element> {
    let feed = feed
    return AsyncStream(bufferingPolicy: .bufferingOldest(Self.buffered)) { continuation in
      let lost = Locked(0)
      let subscriber = EventObserver(interest) { event in
        lost.withLock { lost in
          if lost > 0, let note = element(event, lost) {
            guard case .enqueued = continuation.yield(note) else {
              lost += 1
              return
            }
            lost = 0
          }
          guard let element = element(event, nil) else { return }
          if case .dropped = continuation.yield(element) { lost += 1 }
        }
      } finish: {
        continuation.finish()
      }
      continuation.onTermination = { _ in feed.remove(subscriber) }
      feed.add(subscriber)
    }
  }

  /// Adds an observer that is called for each event; must be called before the server starts in order to receive all
  /// events.
  ///
  /// The observer is called on a thread of the server, one event after the other, and must not call the server.
  /// Requests are copied only if `requests` is true.
  package func observe(requests: Bool = false, _ receive: @escaping @Sendable (Event) -> Void) {
    feed.add(EventObserver(requests ? [.answers, .requests] : .answers, receive))
  }

  /// Waits until observers have received the events of all previous answers.
  package func deliverEvents() { feed.drain() }
}

/// Passes events to a closure, one by one.
final class EventObserver: EventSubscriber {
  let interest: EventFeed.Interest
  private let take: @Sendable (MockServerEvent) -> Void
  private let end: @Sendable () -> Void

  init(
    _ interest: EventFeed.Interest, _ take: @escaping @Sendable (MockServerEvent) -> Void,
    finish: @escaping @Sendable () -> Void = {}
  ) {
    self.interest = interest
    self.take = take
    end = finish
  }

  func receive(_ events: NotedEvents) {
    for item in events {
      switch item {
      case .answer(let noted): if interest.contains(.answers) { take(noted.event) }
      case .event(let event):
        if case .request = event.kind, !interest.contains(.requests) { continue }
        take(event)
      }
    }
  }

  func finish() { end() }
}
