internal import CassetteSystem

/// A standard stream of the process, written without a buffer: what is written is out.
package struct Console: Sendable {
  package static let output = Console(descriptor: 1)
  package static let error = Console(descriptor: 2)

  package let descriptor: Int32
  package let style: Style
  package let isTerminal: Bool

  private init(descriptor: Int32) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
    style = Style(colours: Console.showsColours(isTerminal: isTerminal, variable: environment))
  }

  /// Tells whether a stream gets colours: a terminal that can, and a person who did not set `NO_COLOR` (no-color.org).
  package static func showsColours(isTerminal: Bool, variable: (String) -> String?) -> Bool {
    isTerminal && (variable("NO_COLOR") ?? "").isEmpty && variable("TERM") != "dumb"
  }

  /// Columns of the terminal; nil when the stream is a file or a pipe, which have no edge to fit into.
  package var width: Int? {
    var size = winsize()
    guard isTerminal, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Writes a warning to standard error.
  package static func warn(_ text: String) { error.write("mockserver: \(error.style.yellow("warning:")) \(text)\n") }

  /// Writes all of the text; gives up when its reader is gone.
  package func write(_ text: String) { write(Array(text.utf8)) }

  /// Writes all of the bytes; gives up when their reader is gone.
  package func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        // Somebody made the shared pipe non-blocking: wait until it takes more.
        var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&poller, 1, -1)
      } else if errno != EINTR {
        return
      }
    }
  }
}

/// The value of an environment variable.
package func environment(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}
