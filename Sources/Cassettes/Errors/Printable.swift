internal import CassetteSystem

/// Text from a request or a file as it may go to a terminal.
package enum Printable {
  /// Escapes control characters, and those that turn the direction of writing, as `\u{1b}`.
  ///
  /// Foreign text must neither move the cursor nor begin a line of its own.
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
