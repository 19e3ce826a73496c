internal import Cassettes

/// An error that ends the command: what happened and where, a hint for the user, and the exit code.
package struct CommandError: Error, Equatable, Sendable {
  package var code: ExitCode
  package var message: String
  var hint: String?

  package init(_ code: ExitCode, _ message: String, hint: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
  }

  /// Returns the lines for standard error.
  package func text(_ style: Style) -> String {
    // File names may contain escape sequences of terminals.
    func escaped(_ text: String) -> [String] {
      text.split(separator: "\n", omittingEmptySubsequences: false).map { Printable.escaped(String($0)) }
    }
    let line = "mockserver: \(style.red("error:")) \(escaped(message).joined(separator: "\n"))\n"
    return line + (hint.map(escaped) ?? []).map { "  \($0)\n" }.joined()
  }
}
