internal import CassetteSystem
import Dispatch

/// A line on the terminal that is updated in place.
///
/// Writes nothing if there is no terminal.
package struct ProgressLine {
  private static let shown = Locked(0)

  private let timer: (any DispatchSourceTimer)?

  /// Shows a line if standard error is a terminal.
  ///
  /// - Parameter text: A function that returns the line, which is called every 0.2 seconds; nil keeps the previous
  ///   line.
  package init(_ text: @escaping @Sendable () -> String?) {
    guard Console.error.isTerminal else {
      timer = nil
      return
    }
    // Some terminals, such as those of editors, do not report their width; 80 columns is the traditional default.
    let width = Console.error.width ?? 80
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "mockserver.progress"))
    timer.schedule(deadline: .now(), repeating: .milliseconds(200))
    timer.setEventHandler {
      guard let text = text() else { return }
      let line = String(text.prefix(max(1, width - 1)))
      Self.shown.withLock { shown in
        Console.error.write("\r" + padded(line, to: shown))
        shown = line.count
      }
    }
    timer.activate()
    self.timer = timer
  }

  /// Stops the updates and clears the line.
  package func end() {
    timer?.cancel()
    Self.interrupt(with: "")
  }

  /// Writes text above the line.
  package static func interrupt(with text: String) {
    shown.withLock { shown in
      if shown > 0 { Console.error.write("\r" + String(repeating: " ", count: shown) + "\r") }
      shown = 0
      Console.error.write(text)
    }
  }
}
