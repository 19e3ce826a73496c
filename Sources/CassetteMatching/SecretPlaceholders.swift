/// Compares texts with what was left of them when secrets were taken out.
package enum SecretPlaceholders {
  /// Tells whether `Bearer abc` is what `Bearer {{secret:1}}` was made of: matching compares redacted with redacted.
  package static func matches(_ sent: some StringProtocol, placeholderIn recorded: some StringProtocol) -> Bool {
    var rest = Substring(sent)
    var pattern = Substring(recorded)
    var found = false
    // Each secret is at least a letter long and, of several, as short as the text after it allows.
    while let place = placeholder(in: pattern) {
      let before = pattern[..<place.lowerBound]
      pattern = pattern[place.upperBound...]
      if found {
        guard !before.isEmpty, let next = rest.dropFirst().firstRange(of: before) else { return false }
        rest = rest[next.upperBound...]
      } else {
        guard rest.hasPrefix(before) else { return false }
        rest = rest.dropFirst(before.count)
      }
      found = true
    }
    return found && rest.count > pattern.count && rest.hasSuffix(pattern)
  }

  /// Finds the first of `{{secret}}`, `{{secret:1}}` and `{{secret:1:uuid}}`: `{{secretary}}` is a text like others.
  private static func placeholder(in text: Substring) -> Range<Substring.Index>? {
    var rest = text
    while let start = rest.firstRange(of: "{{secret"), let end = rest[start.upperBound...].firstRange(of: "}}") {
      let parts = rest[start.upperBound..<end.lowerBound].split(
        separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      if parts[0].isEmpty, parts.count == 1 || parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
        return start.lowerBound..<end.upperBound
      }
      rest = rest[start.upperBound...]
    }
    return nil
  }
}
