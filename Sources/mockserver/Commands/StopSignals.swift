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
/// When `init` is done, signals go to Dispatch sources: none is lost between the first word of the command and the wait.
struct StopSignals {
  private let asked = DispatchSemaphore(value: 0)
  private let sources: [any DispatchSourceSignal]

  init() {
    let queue = DispatchQueue(label: "mockserver.signals")
    let count = SignalCount()
    let listening = DispatchSemaphore(value: 0)
    sources = [SIGINT, SIGTERM].map { [asked] number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        if count.next() > 1 { _exit(128 + number) }
        asked.signal()
      }
      source.setRegistrationHandler { listening.signal() }
      source.resume()
      // A source listens some time after it was resumed; until then the signal does what it always did.
      listening.wait()
      #if canImport(Darwin)
        // There a source only hears of a signal: the default action would end the process all the same.
        signal(number, SIG_IGN)
      #endif
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
