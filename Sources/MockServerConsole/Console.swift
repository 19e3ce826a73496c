internal import CassetteSystem

/// A standard stream of the process, which is written without buffering.
package struct Console: Sendable {
  package static let output = Console(descriptor: 1)
  package static let error = Console(descriptor: 2)

  package let descriptor: Int32
  package let style: Style
  package let isTerminal: Bool

  private init(descriptor: Int32) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
    style = Style(colors: Console.showsColors(isTerminal: isTerminal, variable: environment))
  }

  /// Returns true if output may be colored: on a terminal with colors, unless `NO_COLOR` is set (no-color.org).
  static func showsColors(isTerminal: Bool, variable: (String) -> String?) -> Bool {
    isTerminal && (variable("NO_COLOR") ?? "").isEmpty && variable("TERM") != "dumb"
  }

  /// The number of columns of the terminal; nil if the stream is a file or a pipe.
  package var width: Int? {
    var size = winsize()
    guard isTerminal, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Writes a warning to standard error.
  package static func warn(_ text: String) { error.write("mockserver: \(error.style.yellow("warning:")) \(text)\n") }

  /// Writes text completely, and stops if the reader has closed the stream.
  package func write(_ text: String) { write(Array(text.utf8)) }

  /// Writes bytes completely, and stops if the reader has closed the stream.
  package func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        // Another process has made the shared pipe non-blocking.
        var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&poller, 1, -1)
      } else if errno != EINTR {
        return
      }
    }
  }
}

/// Returns the value of an environment variable.
package func environment(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}

/// Writes to a descriptor (`write`), under a name that no method has.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
