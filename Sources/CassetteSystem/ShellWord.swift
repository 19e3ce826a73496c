/// Quotes words for a POSIX shell.
package enum ShellWord {
  private static let plain = ByteSet.word.adding("-._/:+")

  /// Returns a text quoted as one shell word: in single quotes, unless it needs no quoting.
  ///
  /// Control characters, which a terminal interprets when a command is pasted, and characters that reorder the
  /// displayed text are written by `printf`. A word cannot contain NUL, which is left out.
  package static func quoted(_ text: String) -> String {
    if !text.isEmpty, text.utf8.allSatisfy(plain.contains) { return text }
    // By scalars rather than characters, because a quote followed by a combining accent is another character.
    var quoted = "'"
    for scalar in text.unicodeScalars {
      switch scalar {
      case "'": quoted += "'\\''"
      case "\0": break
      case "\n": quoted += "\n"
      case _ where scalar.isObeyed:
        let octal = String(scalar).utf8.map { "\\" + "000\(String($0, radix: 8))".suffix(3) }.joined()
        quoted += "'\"$(printf '\(octal)')\"'"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "'"
  }

  /// Returns a path quoted as one shell word that no command takes for an option.
  package static func path(_ path: String) -> String { quoted(path.hasPrefix("-") ? "./\(path)" : path) }
}

extension Unicode.Scalar {
  /// True for control characters, for Unicode's line and paragraph separators, and for directional formatting
  /// characters, which reorder the displayed text (UAX #9).
  package var isObeyed: Bool {
    switch value {
    case 0..<0x20, 0x7f..<0xa0, 0x061c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
