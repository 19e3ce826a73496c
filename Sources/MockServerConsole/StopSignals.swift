internal import CassetteSystem
import Dispatch

/// Waits for SIGINT, SIGTERM or SIGHUP, and ends the process at a repeated signal.
///
/// From `init` on, Dispatch sources receive the signals, so a signal that arrives before `wait()` is called is not
/// lost.
package struct StopSignals {
  /// The first signal.
  package final class First: Sendable {
    /// The nanoseconds after the first signal during which further signals are ignored.
    ///
    /// GNU `timeout` signals its child twice, and closing a terminal may signal both a process and its group.
    static let repeatNanoseconds: UInt64 = 2_000_000_000

    private let number = Counter()
    /// True once the process has to shut down in order instead of ending at the first signal.
    let isHeld = Flag()
    private let time = Locked<UInt64>(0)
    /// The line that is written to standard error when a repeated signal ends the process.
    fileprivate let farewell = Locked("")

    /// The number of the signal; nil if there was none.
    package var value: Int32? {
      let number = number.value
      return number > 0 ? Int32(number) : nil
    }

    /// Handles a signal received at a time in nanoseconds; returns true if the process must end immediately.
    func take(_ number: Int32, at now: UInt64) -> Bool {
      if self.number.replace(0, with: Int(number)) {
        time.withLock { $0 = now }
        return !isHeld.isSet
      }
      return now >= time.withLock { $0 } + Self.repeatNanoseconds
    }
  }

  package let first = First()
  private let asked = DispatchSemaphore(value: 0)

  /// Starts to listen for signals; if `areHeld` is false, the first signal ends the process.
  package init(areHeld: Bool = true) {
    if areHeld { first.isHeld.set() }
    // The first two have no meaning here and would end the process; without the third, a write beyond the limit of
    // `ulimit -f` returns an error.
    for number in [SIGUSR1, SIGUSR2, SIGXFSZ] { signal(number, SIG_IGN) }
    let queue = DispatchQueue(label: "mockserver.signals")
    let listening = DispatchSemaphore(value: 0)
    // Under `nohup`, which ignores SIGHUP, the command continues after its terminal closes.
    let numbers = Self.isIgnored(SIGHUP) ? [SIGINT, SIGTERM] : [SIGINT, SIGTERM, SIGHUP]
    for number in numbers {
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { [asked, first] in
        if first.take(number, at: DispatchTime.now().uptimeNanoseconds) {
          ProgressLine.interrupt(with: first.farewell.withLock { $0 })
          _exit(128 + number)
        }
        asked.signal()
      }
      source.setRegistrationHandler { listening.signal() }
      source.resume()
      // The source handles signals only some time after `resume()`. Until then their default action would apply.
      listening.wait()
      #if canImport(Darwin)
        // On Darwin a source does not replace the default action, which would end the process.
        signal(number, SIG_IGN)
      #endif
      // Never released: a signal during the last steps of the command must not end the process.
      _ = Unmanaged.passRetained(source as AnyObject)
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Sets the line that is written to standard error when a repeated signal ends the process.
  package func explainForcedExit(_ line: String) { first.farewell.withLock { $0 = line } }

  /// Makes the first signal end `wait()` instead of the process, from now on.
  package func hold() { first.isHeld.set() }

  /// Blocks until the first signal.
  package func wait() { asked.wait() }

  /// Ends the process with the default action of the signal, so that the parent process sees the cause.
  package func obey() -> Never {
    let number = first.value ?? SIGTERM
    signal(number, SIG_DFL)
    raise(number)
    _exit(128 + number)
  }
}
