#if os(Linux)
  internal import CMockServerEpoll

  /// An epoll instance of one descriptor, for Dispatch to wait on in the descriptor's place.
  ///
  /// On Linux, when a descriptor that Dispatch waits on hangs up (`EPOLLHUP`: a connection that was reset or is closed on
  /// both sides), Dispatch forgets it on the source's own queue, while its manager thread may still be reading what was
  /// freed (swift-corelibs-libdispatch #949). Now and then that ends the process. An epoll instance becomes readable
  /// when its descriptor is ready or hangs up, and never hangs up itself.
  struct HangUpGuard {
    /// The descriptor that Dispatch waits on until it is readable.
    let descriptor: Int32
    private let guarded: Int32

    /// Makes an instance that is readable when `descriptor` is ready; nil when the system refuses it.
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

    /// Ends the wait and closes the instance, never the descriptor: after Dispatch has let go of the instance.
    func close() {
      _ = cepoll_remove(descriptor, guarded)
      Platform.close(descriptor)
    }
  }
#endif
