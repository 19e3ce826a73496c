#if os(Linux)
  internal import CMockServerEpoll

  /// An epoll instance that contains one descriptor, for Dispatch to watch instead of the descriptor.
  ///
  /// On Linux, when a connection that Dispatch watches is reset or closed in both directions (`EPOLLHUP`), Dispatch
  /// frees its record on the queue of the source while its manager thread may still be reading it
  /// (swift-corelibs-libdispatch #949). Occasionally this crashes the process. An epoll instance becomes readable when
  /// its descriptor is ready or hangs up, and never hangs up itself.
  struct HangUpGuard {
    /// The descriptor of the epoll instance, which is readable when the guarded descriptor is ready.
    let descriptor: Int32
    private let guarded: Int32

    /// Creates an instance that is readable when `descriptor` is ready; nil if the system refuses.
    init?(_ descriptor: Int32, for interest: Readiness) {
      let epoll = cepoll_create()
      guard epoll >= 0 else { return nil }
      guard cepoll_add(epoll, descriptor, interest.epoll) == 0 else {
        Platform.close(epoll)
        return nil
      }
      self.descriptor = epoll
      guarded = descriptor
    }

    /// Closes the instance, but not the guarded descriptor.
    ///
    /// Call it after Dispatch has stopped watching the instance.
    func close() {
      _ = cepoll_remove(descriptor, guarded)
      Platform.close(descriptor)
    }
  }
#endif
