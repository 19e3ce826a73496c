import Cassettes

/// What stands where a secret would.
extension LeakScanner {
  /// Whether nothing of a value is a secret: `<TOKEN>`, `Bearer {{token}}`, `xxxxx`, `0000000000000001`, `YOUR_API_KEY`.
  static func isPlaceholder(_ value: String) -> Bool {
    let words = value.split { $0 == " " || $0 == "\"" || $0 == "'" }
    guard let first = words.first else { return true }
    let hasScheme = words.count > 1 && schemes.contains(first.lowercased())
    let rest = words.dropFirst(hasScheme ? 1 : 0).joined(separator: " ")
    return isBracketed(rest) || isRepeated(rest) || isNumbered(rest) || isVariable(rest) || isWord(rest)
  }

  /// What redaction took out of a text, piece by piece; all of the text when that cannot be told.
  static func pieces(of text: String, redacted: String) -> [String] {
    var rest = text[...]
    var other = redacted[...]
    var pieces: [String] = []
    while let alias = other.firstRange(of: "{{secret:"), let end = other[alias.upperBound...].firstRange(of: "}}") {
      guard rest.hasPrefix(other[..<alias.lowerBound]) else { return [text] }
      rest = rest.dropFirst(other[..<alias.lowerBound].count)
      other = other[end.upperBound...]
      let next = other[..<(other.firstRange(of: "{{secret:")?.lowerBound ?? other.endIndex)]
      // Up to what stands between two secrets, or all that is left.
      let isLast = next.endIndex == other.endIndex
      let stop =
        isLast
        ? rest.index(rest.endIndex, offsetBy: -next.count, limitedBy: rest.startIndex)
        : rest.firstRange(of: next)?.lowerBound
      guard let stop, isLast ? rest[stop...] == next : !next.isEmpty else { return [text] }
      pieces.append(String(rest[..<stop]))
      rest = rest[stop...]
    }
    return pieces.isEmpty ? [text] : pieces
  }

  static let schemes: Set = ["bearer", "basic", "token"]

  private static let words: Set = [
    "redacted", "filtered", "masked", "removed", "hidden", "deleted", "dummy", "changeme", "null", "none",
    "placeholder",
  ]

  /// `<TOKEN>`, `{{user}}:{{password}}`, `${TOKEN}`, `[FILTERED]`.
  private static func isBracketed(_ text: String) -> Bool {
    var rest = text[...]
    while !rest.isEmpty {
      let pair = [("<", ">"), ("{{", "}}"), ("${", "}"), ("[", "]")].first { rest.hasPrefix($0.0) }
      guard let pair, let end = rest.firstRange(of: pair.1) else { return false }
      rest = rest[end.upperBound...].drop { ":.,;-_/ ".contains($0) }
      // `<<TOKEN>>` closes twice.
      while rest.hasPrefix(pair.1) { rest = rest.dropFirst(pair.1.count) }
    }
    return true
  }

  /// `xxxx-xxxx`, `****`.
  private static func isRepeated(_ text: String) -> Bool {
    Set(text.lowercased().filter { !"-_.: ".contains($0) }).count <= 1
  }

  /// `00000000-0000-0000-0000-000000000001`.
  private static func isNumbered(_ text: String) -> Bool {
    let digits = text.filter { $0 != "-" }
    let end = digits.drop { $0 == "0" }
    return digits.count >= 8 && end.count <= 4 && end.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// `__TOKEN__`, `$TOKEN`, `%TOKEN%`.
  private static func isVariable(_ text: String) -> Bool {
    let name: Substring
    if text.hasPrefix("__"), text.hasSuffix("__") {
      name = text.dropFirst(2).dropLast(2)
    } else if text.hasPrefix("%"), text.hasSuffix("%") {
      name = text.dropFirst().dropLast()
    } else if text.hasPrefix("$") {
      name = text.dropFirst()
    } else {
      return false
    }
    guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return name.utf8.allSatisfy { (0x41...0x5a).contains($0) || $0 == 0x5f || (0x30...0x39).contains($0) }
  }

  /// `**REDACTED**`, `(redacted)`, `your-token-here`.
  private static func isWord(_ text: String) -> Bool {
    let word = text.lowercased()
    let plain = word.filter { !"*()-_#. ".contains($0) }
    if words.contains(plain) { return true }
    let isPlain = word.utf8.allSatisfy { (0x61...0x7a).contains($0) || $0 == 0x2d || $0 == 0x5f || $0 == 0x20 }
    return isPlain && ["your-", "your_", "your "].contains { word.hasPrefix($0) }
  }
}
