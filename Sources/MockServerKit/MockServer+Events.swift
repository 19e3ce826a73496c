public import CassetteHTTP
internal import CassetteSystem
@_exported public import MockServerEvents

extension MockServer {
  /// An event on the server.
  public typealias Event = MockServerEvent

  /// The events of the server from now on; each use begins a stream of its own.
  ///
  /// ```swift
  /// for await event in server.events {
  ///   if case .miss(let miss) = event.kind { print(miss.reason) }
  /// }
  /// ```
  ///
  /// Events come about 20 ms after what they tell of, in the order of time. A stream holds up to 10,000 of them for a slow
  /// reader; then it leaves out further ones, and says how many with ``Event/Kind/lost(_:)``. It ends when the server
  /// stops, after the last event. While somebody reads, each request is copied: that costs a part of the speed.
  public var events: AsyncStream<Event> {
    stream([.answers, .requests]) { event, lost in lost.map { Event(lost: $0, before: event) } ?? event }
  }

  /// The requests that are received from now on, complete; each use begins a stream of its own.
  ///
  /// It holds up to 10,000 of them for a slow reader, as ``events`` does; further ones are left out. It ends when the server
  /// stops.
  public var requests: AsyncStream<HTTPRequest> {
    stream(.requests) { event, lost in
      guard lost == nil, case .request(let request) = event.kind else { return nil }
      return request
    }
  }

  /// The most elements that wait in a stream.
  private static let buffered = 10_000

  /// A stream of what `element` makes of events, and of how many were left out before.
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

  /// Calls for each event; to be called before the server starts, or the first ones are missed.
  ///
  /// It is called on a thread of the server's, one event after the other, and must not call the server. Requests are
  /// copied
  /// where they are wanted.
  package func observe(requests: Bool = false, _ receive: @escaping @Sendable (Event) -> Void) {
    feed.add(EventObserver(requests ? [.answers, .requests] : .answers, receive))
  }

  /// Waits until observers have heard of all that was answered so far.
  package func deliverEvents() { feed.drain() }
}

/// Hands events to a closure, one by one.
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
