internal import CassetteSystem

/// Escapes text from a request or a file for output to a terminal.
package enum Printable {
  /// Escapes control characters, and characters that change the writing direction, as `\u{1b}`.
  ///
  /// Text from outside must neither move the cursor nor begin a new line.
  package static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: \.isObeyed) else { return text }
    var shown = ""
    for scalar in text.unicodeScalars {
      if scalar.isObeyed {
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }
}
