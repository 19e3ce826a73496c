/// The reason why the command stops: what happened and where, what to type next, and the code to exit with.
package struct CommandError: Error, Equatable, Sendable {
  package var code: ExitCode
  package var message: String
  package var hint: String?

  package init(_ code: ExitCode, _ message: String, hint: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
  }

  /// The lines for standard error.
  package func text(_ style: Style) -> String {
    let line = "mockserver: \(style.red("error:")) \(message)\n"
    guard let hint else { return line }
    return line + hint.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)\n" }.joined()
  }
}
