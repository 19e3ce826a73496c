internal import CassetteSystem

/// Values that stand in texts by chance, whatever they were a secret of.
package enum CommonText {
  /// Tells whether a value is a number, a word or a sentence that is likely to be met elsewhere.
  package static func isLikely(_ value: [UInt8], isNamed: Bool) -> Bool {
    let digits = value.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
    // A date that is a secret would be asked for by its stand-in.
    if digits { return value.count < 14 && SecretType(of: value)?.kind != .date }
    let word = word(value)
    if words.contains(word) || word.utf8.count < SecretPatterns.shortest || Prose.isSentence(value) { return true }
    // A plain word stands elsewhere as well, `change`.
    if value.count < 16, value.allSatisfy(ByteSet.letter.contains), ReadableText.isOfWords(value) { return true }
    // `theme=default`, `lang=english`: nothing says that a cookie is a secret, and words are everywhere.
    return !isNamed && value.count < 24
      && word.utf8.allSatisfy { (0x61...0x7a).contains($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
  }

  /// Returns a value in lower case, without the marks and spaces around it.
  package static func word(_ value: [UInt8]) -> String {
    var rest = String(decoding: value, as: UTF8.self).lowercased()[...]
    while let first = rest.first, marks.contains(first) { rest = rest.dropFirst() }
    while let last = rest.last, marks.contains(last) { rest = rest.dropLast() }
    return String(rest)
  }

  private static let marks = " :.,;\t\n\r\"'"
  private static let words: Set<String> = [
    "undefined", "default", "anonymous", "password", "passwd", "secret", "bearer", "string", "redacted", "required",
    "unknown", "disabled", "enabled", "deleted", "example", "changeme", "expired", "invalid", "public", "private",
    "access_token", "refresh_token", "client_secret", "api_key", "number", "boolean", "object", "session", "cookie",
    "negotiate", "digest", "username", "msgstr", "email", "address", "account",
  ]
}
