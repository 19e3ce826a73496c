internal import Dispatch

/// The events to wait for on a descriptor, or the events that have occurred.
@frozen
package struct Readiness: OptionSet, Sendable {
  package let rawValue: UInt8

  @inlinable
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The socket has data to read, has reached the end of the stream, or has a connection to accept.
  package static let readable = Readiness(rawValue: 1)
  /// The socket has buffer space for writing.
  package static let writable = Readiness(rawValue: 2)
  /// The connection has failed or is closed in both directions.
  ///
  /// Only reported, never requested.
  package static let ended = Readiness(rawValue: 4)
  /// True if a read will return data or the end of the stream.
  @inlinable
  package var calls: Bool { rawValue & 5 != 0 }

  /// The system wakes only one of the loops that watch the same listener.
  ///
  /// Only requested, never reported.
  static let exclusive = Readiness(rawValue: 8)
}

/// A loop that waits for events on descriptors and calls its owner for each.
///
/// A loop and its owner are created on the thread (or serial queue) of the loop and stay there, so neither needs locks.
/// Other threads use only the ``LoopHandle``.
package protocol EventLoop: AnyObject {
  /// Starts watching a descriptor; returns false if the system refuses.
  func watch(_ descriptor: Int32, for interest: Readiness) -> Bool

  /// Changes the events to wait for on a watched descriptor.
  ///
  /// The empty set pauses it.
  func change(_ descriptor: Int32, to interest: Readiness)

  /// Stops watching a descriptor that another object closes.
  ///
  /// - Parameters:
  ///   - descriptor: The watched descriptor.
  ///   - done: A closure that is called once the system no longer watches the descriptor, so that it may be closed.
  func forget(_ descriptor: Int32, _ done: @escaping @Sendable () -> Void)

  /// Stops watching a descriptor and closes it.
  func close(_ descriptor: Int32)

  /// Schedules one call of ``EventLoopOwner/deadlinePassed(_:)``, and replaces the previous schedule.
  ///
  /// - Parameter time: The time in nanoseconds of the monotonic clock; nil to cancel the call.
  func wake(at time: UInt64?)

  /// Ends the loop after the call in progress.
  func stop()
}

/// The receiver of an event loop's calls, which are always made on the thread of the loop.
package protocol EventLoopOwner: AnyObject {
  /// Handles an event on a watched descriptor.
  func ready(_ descriptor: Int32, _ readiness: Readiness)
  /// Handles a call of ``LoopHandle/wake()``.
  func woken()
  /// Handles the deadline that ``EventLoop/wake(at:)`` scheduled.
  func deadlinePassed(_ now: UInt64)
  /// Called before a batch of the calls above.
  func turnBegan()
  /// Called after a batch, before the loop waits again.
  func turnEnded()
  /// True if batches are so short that it pays to wait for a larger one.
  var hasShortTurns: Bool { get }
}

extension EventLoopOwner {
  package var hasShortTurns: Bool { true }
  package func turnBegan() {}
  package func turnEnded() {}
}

/// The interface of a running loop for other threads.
package struct LoopHandle: Sendable {
  let signal: @Sendable () -> Void
  let ended: DispatchGroup

  /// Makes the loop call ``EventLoopOwner/woken()`` soon.
  ///
  /// Several calls may cause a single wake-up.
  package func wake() { signal() }

  /// Waits until the loop has stopped and released its owner; returns false if `seconds` pass before that.
  package func join(within seconds: Double) -> Bool {
    ended.wait(timeout: .now() + seconds) == .success
  }
}

/// The available implementations of ``EventLoop``.
package enum EventLoopKind: String, Sendable, CaseIterable {
  #if os(Linux)
    /// An epoll instance with a dedicated thread, the fastest implementation on Linux.
    case epoll
  #endif
  /// Dispatch sources on a serial queue, for all platforms.
  case dispatch

  /// The faster implementation on this platform.
  package static var platformDefault: EventLoopKind {
    #if os(Linux)
      .epoll
    #else
      .dispatch
    #endif
  }

  /// Starts a loop on a new thread, which creates the owner.
  ///
  /// Throws an error if no descriptors are left.
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
