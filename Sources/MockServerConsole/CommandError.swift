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
    let line = "mockserver: \(style.red("error:")) \(message)\n"
    guard let hint else { return line }
    return line + hint.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)\n" }.joined()
  }
}
