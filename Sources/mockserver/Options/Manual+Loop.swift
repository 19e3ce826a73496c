import MockServerKit
import MockServerOptions
import MockServerSockets

/// The option for the event loop that waits for sockets.
extension Manual {
  static let loop = Option(
    "loop", .choice(EventLoopKind.allCases.map(\.rawValue)), standard: EventLoopKind.platformDefault.rawValue,
    help: "What waits for sockets: epoll is faster on Linux; dispatch, the one of Apple platforms, runs there, too.")
}

extension MockServer.Configuration {
  /// Takes the event loop that the command line names.
  mutating func chooseLoop(_ invocation: Invocation) {
    usesDispatch = invocation.text(Manual.loop) == EventLoopKind.dispatch.rawValue
  }
}
