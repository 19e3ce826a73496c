internal import Dispatch

/// The events that a socket is waited on for, or turned out to be ready for.
@frozen
package struct Readiness: OptionSet, Sendable {
  package let rawValue: UInt8

  @inlinable
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The socket has bytes to read, an end, or a connection to accept.
  package static let readable = Readiness(rawValue: 1)
  /// The socket has room to write.
  package static let writable = Readiness(rawValue: 2)
  /// The connection is broken or ended on both sides; only ever reported, never asked for.
  package static let ended = Readiness(rawValue: 4)
  /// True if a read is worth trying: there is something, or the end of it.
  @inlinable
  package var calls: Bool { rawValue & 5 != 0 }

  /// The loop is woken alone, of several that wait on one listener; only ever asked for.
  package static let exclusive = Readiness(rawValue: 8)
}

/// Waits for sockets to be ready and calls the one that is.
///
/// A loop and its owner are made on the loop's own thread (or serial queue) and never leave it: nothing in them is
/// locked. Other threads reach it through its ``LoopHandle`` alone.
package protocol EventLoop: AnyObject {
  /// Starts to wait on a descriptor; false when the system refuses it.
  func watch(_ descriptor: Int32, for interest: Readiness) -> Bool

  /// Changes what a watched descriptor is waited on for; an empty set pauses it.
  func change(_ descriptor: Int32, to interest: Readiness)

  /// Stops waiting on a descriptor that another object closes.
  ///
  /// - Parameters:
  ///   - descriptor: The watched descriptor.
  ///   - done: Called when the system no longer watches the descriptor, so that it may be closed.
  func forget(_ descriptor: Int32, _ done: @escaping @Sendable () -> Void)

  /// Stops waiting on a descriptor and closes it.
  func close(_ descriptor: Int32)

  /// Asks for one call of ``EventLoopOwner/deadlinePassed(_:)`` on the monotonic clock, in the place of an earlier
  /// wish.
  func wake(at time: UInt64?)

  /// Ends the loop after the calls in progress.
  func stop()
}

/// The calls of an event loop, always on the loop's own thread.
package protocol EventLoopOwner: AnyObject {
  /// A watched descriptor is ready.
  func ready(_ descriptor: Int32, _ readiness: Readiness)
  /// Handles a call of ``LoopHandle/wake()``.
  func woken()
  /// The time asked for has come.
  func deadlinePassed(_ now: UInt64)
  /// A batch of the calls above begins.
  func turnBegan()
  /// A batch of them is over, and the loop waits for the next.
  func turnEnded()
  /// True if batches take so little time that it pays to wait for a fuller one.
  var hasShortTurns: Bool { get }
}

extension EventLoopOwner {
  package var hasShortTurns: Bool { true }
  package func turnBegan() {}
  package func turnEnded() {}
}

/// The part of a running loop that other threads may touch.
package struct LoopHandle: Sendable {
  let signal: @Sendable () -> Void
  let ended: DispatchGroup

  /// Makes the loop call ``EventLoopOwner/woken()`` soon, once for any number of calls.
  package func wake() { signal() }

  /// Waits until the loop has stopped and its owner is gone; false when it still runs.
  package func join(within seconds: Double) -> Bool {
    ended.wait(timeout: .now() + seconds) == .success
  }
}

/// The implementation of ``EventLoop`` to run.
package enum EventLoopKind: String, Sendable, CaseIterable {
  #if os(Linux)
    /// One epoll instance, waited on by one thread: the fastest on Linux.
    case epoll
  #endif
  /// Dispatch sources on a serial queue: everywhere.
  case dispatch

  /// The better one of this platform.
  package static var platformDefault: EventLoopKind {
    #if os(Linux)
      .epoll
    #else
      .dispatch
    #endif
  }

  /// Starts a loop on a thread of its own, where its owner is made; throws when there are no descriptors left.
  package func start(
    label: String, owner: @escaping @Sendable (any EventLoop) -> any EventLoopOwner
  ) throws(SocketError) -> LoopHandle {
    switch self {
    #if os(Linux)
      case .epoll: try EpollLoop.start(label: label, owner: owner)
    #endif
    case .dispatch: DispatchLoop.start(label: label, owner: owner)
    }
  }
}
