/// Text from a request or a file as it may go to a terminal.
package enum Printable {
  /// Escapes control characters, and those that turn the direction of writing, as `\u{1b}`.
  ///
  /// Foreign text must neither move the cursor nor begin a line of its own.
  package static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
    var shown = ""
    for scalar in text.unicodeScalars {
      if isUnsafe(scalar) {
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // C0, DEL and C1.
    case 0..<0x20, 0x7f..<0xa0: true
    // Unicode's line and paragraph separators, and its marks, embeddings and isolates of direction (UAX #9).
    case 0x061c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
