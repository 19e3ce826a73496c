#if os(Linux)
  internal import CMockServerEpoll
  internal import Dispatch

  /// An event loop on level-triggered epoll.
  final class EpollLoop: EventLoop {
    private let epoll: Int32
    private let wakeup: Wakeup
    private var deadline: UInt64?
    private var runs = true

    private init(epoll: Int32, wakeup: Wakeup) {
      self.epoll = epoll
      self.wakeup = wakeup
    }

    static func start(
      label: String, owner: @escaping @Sendable (any EventLoop) -> any EventLoopOwner
    ) throws(SocketError) -> LoopHandle {
      let epoll = cepoll_create()
      guard epoll >= 0 else { throw .failed(call: "epoll_create1", code: Platform.lastError) }
      let descriptor = cepoll_wakeup_create()
      guard descriptor >= 0, cepoll_add(epoll, descriptor, Readiness.readable.epoll) == 0 else {
        let code = Platform.lastError
        Platform.close(epoll)
        throw .failed(call: "eventfd", code: code)
      }
      let wakeup = Wakeup(descriptor: descriptor)
      let ended = DispatchGroup()
      ended.enter()
      // A dedicated thread, because Dispatch has at most 255 threads per process, and a loop would occupy one until it
      // ends.
      let work = Work {
        let loop = EpollLoop(epoll: epoll, wakeup: wakeup)
        loop.run(owner(loop))
        Platform.close(epoll)
        ended.leave()
      }
      let context = Unmanaged.passRetained(work)
      let code = cepoll_thread_start(
        { context in
          guard let context else { return }
          Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
        }, context.toOpaque())
      guard code == 0 else {
        context.release()
        ended.leave()
        Platform.close(epoll)
        throw .failed(call: "pthread_create", code: code)
      }
      return LoopHandle(signal: { wakeup.signal() }, ended: ended)
    }

    private func run(_ owner: any EventLoopOwner) {
      let capacity = 256
      withUnsafeTemporaryAllocation(of: cepoll_event.self, capacity: capacity) { events in
        var isBusy = false
        let yields = owner.hasShortTurns
        while runs {
          // If several clients are active, yielding lets those on this processor send their next requests. The batch
          // that follows is larger than after sleeping, and sleeping would take up most of the time of a request.
          if isBusy, yields { Platform.yield() }
          let count = cepoll_wait(epoll, events.baseAddress, Int32(capacity), timeout())
          owner.turnBegan()
          defer { owner.turnEnded() }
          if let deadline, count == 0 || Platform.monotonicNanoseconds() >= deadline {
            let now = Platform.monotonicNanoseconds()
            if now >= deadline {
              self.deadline = nil
              owner.deadlinePassed(now)
            }
          }
          isBusy = count > 1
          guard count > 0 else { continue }
          for index in 0..<Int(count) {
            let event = events[index]
            if event.descriptor == wakeup.descriptor {
              wakeup.drain()
              owner.woken()
            } else {
              owner.ready(event.descriptor, Readiness(epoll: event.ready))
            }
          }
        }
      }
    }

    /// The number of milliseconds until the deadline, rounded up so that one wait is not split into many short ones.
    private func timeout() -> Int32 {
      guard let deadline else { return -1 }
      let now = Platform.monotonicNanoseconds()
      guard deadline > now else { return 0 }
      return Int32(clamping: (deadline - now + 999_999) / 1_000_000)
    }

    func watch(_ descriptor: Int32, for interest: Readiness) -> Bool {
      cepoll_add(epoll, descriptor, interest.epoll) == 0
    }

    func change(_ descriptor: Int32, to interest: Readiness) {
      _ = cepoll_change(epoll, descriptor, interest.epoll)
    }

    func forget(_ descriptor: Int32, _ done: @escaping @Sendable () -> Void) {
      _ = cepoll_remove(epoll, descriptor)
      done()
    }

    func close(_ descriptor: Int32) {
      // Closing the descriptor is not enough if a copy exists: a child process has one until it executes its program.
      _ = cepoll_remove(epoll, descriptor)
      Platform.close(descriptor)
    }

    func wake(at time: UInt64?) { deadline = time }

    func stop() { runs = false }
  }

  /// The complete run of a loop, passed to its thread.
  private final class Work: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// An eventfd, closed when its last reference is released.
  private final class Wakeup: Sendable {
    let descriptor: Int32

    init(descriptor: Int32) { self.descriptor = descriptor }

    func signal() { cepoll_wakeup_signal(descriptor) }

    func drain() { cepoll_wakeup_drain(descriptor) }

    deinit { Platform.close(descriptor) }
  }

  extension Readiness {
    /// The epoll event mask of this set.
    var epoll: UInt32 {
      var events: UInt32 = 0
      if contains(.readable) { events |= UInt32(CEPOLL_READABLE) }
      if contains(.writable) { events |= UInt32(CEPOLL_WRITABLE) }
      if contains(.exclusive) { events |= UInt32(CEPOLL_EXCLUSIVE) }
      return events
    }

    fileprivate init(epoll events: UInt32) {
      self = []
      if events & UInt32(CEPOLL_READABLE) != 0 { insert(.readable) }
      if events & UInt32(CEPOLL_WRITABLE) != 0 { insert(.writable) }
      let broken = UInt32(CEPOLL_FAILED) | UInt32(CEPOLL_HUNG_UP)
      if events & broken != 0 { insert(.ended) }
    }
  }
#endif
