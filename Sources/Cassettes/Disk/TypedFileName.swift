/// File names that a person would type: letters, digits, `.`, `_` and `-`, and neither `.` nor `-` at the beginning.
///
/// Such a name is no option of a command, is not hidden, and is one word to a shell.
package enum TypedFileName {
  /// The most bytes of a name; file systems allow 255, and a temporary file adds some.
  private static let mostBytes = 200

  /// Returns the reason why a relative path from a caller is refused; nil if all its steps are such names.
  package static func problem(withPath path: String) -> String? {
    if let problem = CassetteFileFolder.problem(withPath: path) {
      return problem.replacing("\"file\"", with: "the name")
    }
    for step in path.split(separator: "/") {
      if step.utf8.count > mostBytes { return "a name has at most \(mostBytes) bytes" }
      if step.hasPrefix(".") || step.hasPrefix("-") { return "a name begins with a letter or digit, not with . or -" }
      if !step.unicodeScalars.allSatisfy(isTyped) { return "a name has letters, digits, \".\", \"_\" and \"-\" only" }
    }
    return nil
  }

  /// Returns a text as such a name: other characters become `-`.
  package static func name(of text: some StringProtocol) -> String {
    var name = String.UnicodeScalarView(text.unicodeScalars.prefix(100).map { isTyped($0) ? $0 : "-" })
    while let first = name.first, first == "-", name.count > 1 { name.removeFirst() }
    let plain = String(name)
    if plain.allSatisfy({ ".-".contains($0) }) { return "recordings" }
    return plain.hasPrefix(".") ? "recordings\(plain)" : plain
  }

  private static func isTyped(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.properties.isAlphabetic || "0123456789._-".unicodeScalars.contains(scalar) }
    let properties = scalar.properties
    guard !properties.isDefaultIgnorableCodePoint else { return false }
    // A mark follows its letter, where a file system has taken the two apart.
    return properties.isAlphabetic || properties.numericType == .decimal
      || properties.generalCategory == .nonspacingMark
  }
}
