internal import CassetteSystem
import Dispatch

/// Waits for SIGINT or SIGTERM; a second one ends the process at once.
///
/// After `init`, signals go to Dispatch sources: none is lost between the first word of the command and the wait.
package struct StopSignals {
  /// The first signal.
  package final class First: Sendable {
    private let number = Counter()
    /// Set once there is something to end in order.
    fileprivate let isHeld = Flag()

    /// The number of the signal; nil as long as there was none.
    package var value: Int32? {
      let number = number.value
      return number > 0 ? Int32(number) : nil
    }

    /// Tells whether this one is the first.
    fileprivate func take(_ number: Int32) -> Bool {
      self.number.replace(0, with: Int(number))
    }
  }

  package let first = First()
  private let asked = DispatchSemaphore(value: 0)
  private let sources: [any DispatchSourceSignal]

  /// Begins to listen; unless they are held, the first signal ends the process as the second does.
  package init(areHeld: Bool = true) {
    if areHeld { first.isHeld.set() }
    let queue = DispatchQueue(label: "mockserver.signals")
    let listening = DispatchSemaphore(value: 0)
    sources = [SIGINT, SIGTERM].map { [asked, first] number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        if !first.take(number) || !first.isHeld.isSet { _exit(128 + number) }
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

  /// Lets the first signal be waited for from now on.
  package func hold() { first.isHeld.set() }

  /// Waits for the first signal.
  ///
  /// The sources must live that long: an optimised build lets go of what is not used any more.
  package func wait() { withExtendedLifetime(sources) { asked.wait() } }

  /// Ends the process as the first signal would have, so that its parent knows.
  package func obey() -> Never {
    let number = first.value ?? SIGTERM
    signal(number, SIG_DFL)
    raise(number)
    _exit(128 + number)
  }
}
