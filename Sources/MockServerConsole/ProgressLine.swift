internal import CassetteSystem
import Dispatch

/// A line of the terminal that is written over as things move; nothing at all where there is no terminal.
package struct ProgressLine {
  private static let shown = Locked(0)

  private let timer: (any DispatchSourceTimer)?

  /// Shows a line if standard error is a terminal; it is asked for a few times a second.
  package init(_ text: @escaping @Sendable () -> String?) {
    guard Console.error.isTerminal else {
      timer = nil
      return
    }
    // A terminal that does not say how wide it is, as those of programs, is as wide as they all once were.
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

  /// Clears the line.
  package func end() {
    timer?.cancel()
    Self.interrupt(with: "")
  }

  /// Writes lines above the one that moves.
  package static func interrupt(with text: String) {
    shown.withLock { shown in
      if shown > 0 { Console.error.write("\r" + String(repeating: " ", count: shown) + "\r") }
      shown = 0
      Console.error.write(text)
    }
  }
}
