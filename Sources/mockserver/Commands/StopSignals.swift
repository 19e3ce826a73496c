import Dispatch
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Waits for SIGINT or SIGTERM; a second one ends the process at once.
///
/// Signals go to Dispatch sources from the moment of `init`, so that none is lost between the start and the wait.
struct StopSignals {
  private let asked = DispatchSemaphore(value: 0)
  private let sources: [any DispatchSourceSignal]

  init() {
    let queue = DispatchQueue(label: "mockserver.signals")
    let count = SignalCount()
    sources = [SIGINT, SIGTERM].map { [asked] number in
      // The default action would end the process before the source hears of the signal.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        if count.next() > 1 { _exit(128 + number) }
        asked.signal()
      }
      source.resume()
      return source
    }
  }

  /// Waits for the first signal.
  ///
  /// The sources must live that long: an optimised build lets go of what is not used any more.
  func wait() { withExtendedLifetime(sources) { asked.wait() } }
}

private final class SignalCount: Sendable {
  private let count = Atomic(0)

  func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
