/// Safe file names: letters, digits, `.`, `_` and `-`, not starting with `.` or `-`.
///
/// Such a name is not parsed as an option, is not hidden, and needs no quoting in a shell.
package enum TypedFileName {
  /// The maximum length of a name in bytes; file systems allow 255, and the name of a temporary file is longer.
  private static let mostBytes = 200

  /// Returns the reason why a relative path is refused; nil if all its components are safe names.
  package static func problem(withPath path: String) -> String? {
    if let problem = CassetteFileFolder.problem(withPath: path) {
      return problem.replacing("\"file\"", with: "the name")
    }
    for step in path.split(separator: "/") {
      if step.utf8.count > mostBytes { return "a name must have at most \(mostBytes) bytes" }
      if step.hasPrefix(".") || step.hasPrefix("-") { return "a name must not begin with . or -" }
      if !step.unicodeScalars.allSatisfy(isTyped) {
        return "a name may contain only letters, digits, \".\", \"_\" and \"-\""
      }
    }
    return nil
  }

  /// Returns a safe name derived from a string; other characters become `-`.
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
    // A combining mark is a separate scalar on file systems that decompose accented letters.
    return properties.isAlphabetic || properties.numericType == .decimal
      || properties.generalCategory == .nonspacingMark
  }
}
