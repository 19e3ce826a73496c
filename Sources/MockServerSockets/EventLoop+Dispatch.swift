internal import Dispatch

/// An event loop that runs Dispatch sources on one serial queue.
///
/// `@unchecked Sendable`: Dispatch calls every handler on the serial queue, which the compiler cannot check.
final class DispatchLoop: EventLoop, @unchecked Sendable {
  private struct Watch {
    let read: WatchSource
    let write: WatchSource
    var interest: Readiness
  }

  private let queue: DispatchQueue
  private let ended: DispatchGroup
  private var owner: (any EventLoopOwner)?
  private var watches: [Int32: Watch] = [:]
  /// The cancellations in progress, by descriptor: a forgotten descriptor may be closed before its sources are cancelled.
  private var endings: [Int32: DispatchGroup] = [:]
  private var timer: (any DispatchSourceTimer)?
  private var wakeup: (any DispatchSourceUserDataOr)?
  /// Contains the cancelled sources whose cancel handlers have not run yet.
  private let cancelling = DispatchGroup()

  private init(queue: DispatchQueue, ended: DispatchGroup) {
    self.queue = queue
    self.ended = ended
  }

  static func start(
    label: String, owner: @escaping @Sendable (any EventLoop) -> any EventLoopOwner
  ) -> LoopHandle {
    let queue = DispatchQueue(label: label, qos: .userInitiated)
    let ended = DispatchGroup()
    ended.enter()
    let loop = DispatchLoop(queue: queue, ended: ended)
    let wakeup = DispatchSource.makeUserDataOrSource(queue: queue)
    wakeup.setEventHandler { [weak loop] in loop?.turn { $0.woken() } }
    wakeup.activate()
    let signal = WakeupSource(source: wakeup)
    queue.async {
      loop.wakeup = signal.source
      loop.owner = owner(loop)
    }
    return LoopHandle(signal: { signal.source.or(data: 1) }, ended: ended)
  }

  /// Calls the owner between `turnBegan()` and `turnEnded()`, as a separate batch.
  private func turn(_ act: (any EventLoopOwner) -> Void) {
    guard let owner else { return }
    owner.turnBegan()
    act(owner)
    owner.turnEnded()
  }

  func watch(_ descriptor: Int32, for interest: Readiness) -> Bool {
    guard let read = WatchSource(descriptor, .readable, queue) else { return false }
    guard let write = WatchSource(descriptor, .writable, queue) else {
      cancelling.enter()
      read.cancel(isSuspended: true) { [cancelling] in cancelling.leave() }
      return false
    }
    read.source.setEventHandler { [weak self] in self?.turn { $0.ready(descriptor, .readable) } }
    write.source.setEventHandler { [weak self] in self?.turn { $0.ready(descriptor, .writable) } }
    watches[descriptor] = Watch(read: read, write: write, interest: [])
    change(descriptor, to: interest)
    return true
  }

  /// Resumes or suspends the sources of a descriptor.
  ///
  /// Sources are created inactive, so the first `resume()` activates them.
  func change(_ descriptor: Int32, to interest: Readiness) {
    guard var watch = watches[descriptor] else { return }
    let (old, new) = (watch.interest, interest.intersection([.readable, .writable]))
    if new.contains(.readable), !old.contains(.readable) { watch.read.source.resume() }
    if !new.contains(.readable), old.contains(.readable) { watch.read.source.suspend() }
    if new.contains(.writable), !old.contains(.writable) { watch.write.source.resume() }
    if !new.contains(.writable), old.contains(.writable) { watch.write.source.suspend() }
    watch.interest = new
    watches[descriptor] = watch
  }

  func forget(_ descriptor: Int32, _ done: @escaping @Sendable () -> Void) { end(descriptor, done) }

  func close(_ descriptor: Int32) { end(descriptor) { Platform.close(descriptor) } }

  /// Cancels both sources of a descriptor, and calls `done` once both cancel handlers have run.
  ///
  /// The descriptor may be closed from then on.
  private func end(_ descriptor: Int32, _ done: @escaping @Sendable () -> Void) {
    guard let watch = watches.removeValue(forKey: descriptor) else {
      guard let ending = endings[descriptor] else { return done() }
      cancelling.enter()
      return ending.notify(queue: queue) { [cancelling] in
        done()
        cancelling.leave()
      }
    }
    let cancelled = DispatchGroup()
    endings[descriptor] = cancelled
    cancelling.enter()
    for (source, part) in [(watch.read, Readiness.readable), (watch.write, .writable)] {
      cancelled.enter()
      source.cancel(isSuspended: !watch.interest.contains(part)) { cancelled.leave() }
    }
    cancelled.notify(queue: queue) { [cancelling, weak self] in
      if let self, endings[descriptor] === cancelled { endings[descriptor] = nil }
      done()
      cancelling.leave()
    }
  }

  func wake(at time: UInt64?) {
    timer?.cancel()
    timer = nil
    guard let time else { return }
    let timer = DispatchSource.makeTimerSource(queue: queue)
    let now = Platform.monotonicNanoseconds()
    timer.schedule(
      deadline: .now() + .nanoseconds(Int(clamping: time > now ? time - now : 0)), leeway: .milliseconds(1))
    timer.setEventHandler { [weak self] in
      guard let self else { return }
      self.timer?.cancel()
      self.timer = nil
      turn { $0.deadlinePassed(Platform.monotonicNanoseconds()) }
    }
    timer.activate()
    self.timer = timer
  }

  func stop() {
    guard wakeup != nil else { return }
    for descriptor in Array(watches.keys) { end(descriptor) {} }
    timer?.cancel()
    timer = nil
    wakeup?.cancel()
    wakeup = nil
    // The owner may be executing a call, so it is released afterwards. Its release may also free the object that closes
    // a forgotten descriptor, which Dispatch must have stopped watching by then.
    cancelling.notify(queue: queue) {
      self.owner = nil
      self.ended.leave()
    }
  }
}

/// A source for one direction of a descriptor, created inactive.
private struct WatchSource {
  let source: any DispatchSourceProtocol
  #if os(Linux)
    private let hangUpGuard: HangUpGuard

    /// Creates a source that watches a guard instead of the descriptor; nil if the system refuses the guard.
    init?(_ descriptor: Int32, _ part: Readiness, _ queue: DispatchQueue) {
      guard let hangUpGuard = HangUpGuard(descriptor, for: part) else { return nil }
      self.hangUpGuard = hangUpGuard
      source = DispatchSource.makeReadSource(fileDescriptor: hangUpGuard.descriptor, queue: queue)
    }
  #else
    /// Creates a source that watches the descriptor; never nil.
    init?(_ descriptor: Int32, _ part: Readiness, _ queue: DispatchQueue) {
      source =
        part == .readable
        ? DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        : DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
    }
  #endif

  /// Cancels the source, and calls `cancelled` on its queue once Dispatch no longer watches the descriptor.
  func cancel(isSuspended: Bool, _ cancelled: @escaping () -> Void) {
    #if os(Linux)
      let hangUpGuard = hangUpGuard
      source.setCancelHandler {
        hangUpGuard.close()
        cancelled()
      }
    #else
      source.setCancelHandler { cancelled() }
    #endif
    source.cancel()
    // A suspended source never calls its cancel handler, and crashes when released.
    if isSuspended { source.resume() }
  }
}

/// A `Sendable` wrapper that makes a wake-up source available to other threads.
///
/// `@unchecked Sendable`: `or(data:)` may be called on any thread, which the protocol does not declare.
private struct WakeupSource: @unchecked Sendable {
  let source: any DispatchSourceUserDataOr
}
