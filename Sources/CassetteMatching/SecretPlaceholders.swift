/// Compares texts with what was left of them when secrets were taken out.
package enum SecretPlaceholders {
  /// Tells whether `Bearer abc` is what `Bearer {{secret:1}}` was made of: matching compares redacted with redacted.
  package static func matches(_ sent: some StringProtocol, placeholderIn recorded: some StringProtocol) -> Bool {
    var rest = Substring(sent)
    var pattern = Substring(recorded)
    var found = false
    // Each secret is at least a letter long and, of several, as short as the text after it allows.
    while let start = pattern.firstRange(of: "{{secret"),
      let end = pattern[start.upperBound...].firstRange(of: "}}")
    {
      let before = pattern[..<start.lowerBound]
      pattern = pattern[end.upperBound...]
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
}
