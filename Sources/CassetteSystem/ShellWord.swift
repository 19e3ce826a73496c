/// Words of a command line, for a POSIX shell.
package enum ShellWord {
  private static let plain = ByteSet.word.adding("-._/:+")

  /// Returns a text as a shell takes it for one word: in single quotes, unless it is plain.
  package static func quoted(_ text: String) -> String {
    if !text.isEmpty, text.utf8.allSatisfy(plain.contains) { return text }
    // Scalar by scalar: a quote is one, too, where an accent follows it.
    var quoted = "'"
    for scalar in text.unicodeScalars {
      if scalar == "'" { quoted += "'\\''" } else { quoted.unicodeScalars.append(scalar) }
    }
    return quoted + "'"
  }
}
