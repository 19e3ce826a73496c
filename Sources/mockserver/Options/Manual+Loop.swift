import MockServerConsole
import MockServerKit
import MockServerSockets

/// The option that selects the event loop.
extension Manual {
  static let loop = Option(
    "loop", .choice(EventLoopKind.allCases.map(\.rawValue)), standard: EventLoopKind.platformDefault.rawValue,
    help: "The event loop: epoll is faster on Linux; dispatch, the default on Apple platforms, also runs on Linux.")
}

extension MockServer.Configuration {
  /// Sets the event loop according to the options.
  mutating func chooseLoop(_ invocation: Invocation) {
    usesDispatch = invocation.text(Manual.loop) == EventLoopKind.dispatch.rawValue
  }
}
