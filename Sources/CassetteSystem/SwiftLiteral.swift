/// Writes string literals of Swift source code.
package enum SwiftLiteral {
  /// Returns a literal that compiles to a string, without interpolation.
  ///
  /// Most strings are unchanged in a raw literal; control characters and characters that reorder the displayed text are
  /// escaped.
  package static func quoted(_ text: String) -> String {
    if text.unicodeScalars.contains(where: { $0 != "\n" && $0.isObeyed }) { return escaped(text) }
    var hashes = "#"
    while text.utf8.contains("\"\(hashes)") || text.utf8.contains("\\\(hashes)") { hashes += "#" }
    guard text.utf8.contains(UInt8(ascii: "\n")) else { return "\(hashes)\"\(text)\"\(hashes)" }
    return "\(hashes)\"\"\"\n\(text)\n\"\"\"\(hashes)"
  }

  private static func escaped(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": literal += "\\\\"
      case "\"": literal += "\\\""
      case "\n": literal += "\\n"
      case _ where scalar.isObeyed: literal += "\\u{\(String(scalar.value, radix: 16))}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }
}

extension String.UTF8View {
  /// Returns true if the string contains the bytes of a short string.
  fileprivate func contains(_ text: String) -> Bool {
    let wanted = Array(text.utf8)
    guard let first = wanted.first else { return true }
    return indices.contains { self[$0] == first && self[$0...].starts(with: wanted) }
  }
}
