internal import CassettePatterns
internal import CassetteSystem

/// Recognizes harmless values under the name of a secret.
enum Placeholder {
  /// Patterns for harmless values.
  ///
  /// A pattern must match the whole value in lower case, without quotes and without an authorization scheme.
  private static let table = [
    // `<TOKEN>`, `{{user}}:{{password}}`, `${TOKEN}`, `[FILTERED]`
    #"(?:(?:<[^<>]*>|<<[^<>]*>>|&lt;[^&]*&gt;|\{\{\{?[^{}]*\}\}\}?|\$\{[^{}]*\}|\[[^\[\]]*\])[:.,;\-_/ "']*)+"#,
    // `__TOKEN__`, `$TOKEN`, `%TOKEN%`, and the numbers that some recording tools write: `__` and sixteen digits
    #"__[a-z_]+__|\$[a-z_]+|%[a-z_]+%|__[0-9a-f]{16}"#,
    // `**REDACTED**`, `(redacted)`, `your-token-here`, `sk_****`
    #"[*()\-_#. ]*(?:redacted|filtered|masked|removed|hidden|deleted|dummy|change[\-_ ]?me|null|none|"#
      + #"place[\-_ ]?holder|undefined|secret|token|password|api[\-_ ]?key)[*()\-_#. ]*"#,
    #"your[\-_.: ][a-z_ \-]+|(?s:.*\*\*\*\*.*)"#,
    // `00000000-0000-0000-0000-000000000001`
    #"(?:0-*){4,}(?:[0-9]-*){4}"#,
    // the stand-in of a secret, and the values of the Fetch standard and of Permissions-Policy
    #"secret-[0-9]+|omit|include|same-origin|self|\*"#,
    // a color, the version of a dependency, the name of a resource of AWS, and a public key
    #"#[0-9a-f]{3}|#[0-9a-f]{6}"#, #"[\^~>=v]{0,3}[0-9]*\.[0-9]*\.[0-9.]{0,9}"#, #"arn:aws[^ ]*"#,
    #"(?s:(?:ssh-|ecdsa-sha2-|sk-ssh-ed25519|sk-ecdsa-).*)"#,
    // a URL whose parameters have no values; secrets in a query are found separately
    #"https?://[^@?]*(?:\?[^@=]*)?"#,
  ]
  private static let pattern = try? TextPattern(table.joined(separator: "|"))
  private static let schemes = Set(SecretNames.words(SecretNameTable.schemes))
  private static let begin = Array("-----BEGIN ".utf8)
  private static let privateKey = Array("PRIVATE KEY".utf8)
  private static let between = ByteSet(adding: " \"'")

  /// True if a value under a secret's name is not a secret: a placeholder, a public key, or the URL of an image.
  static func isHarmless(_ value: [UInt8]) -> Bool {
    value.searching { text in
      // The documentation of AWS uses `AKIAIOSFODNN7EXAMPLE`.
      if text.count < 64, text.has("EXAMPLE", at: text.count - 7) || text.has("EXAMPLEKEY", at: text.count - 10) {
        return true
      }
      if text.count > begin.count, let at = begin.searching({ text.first($0, from: 0) }), at < 200 {
        return privateKey.searching { text.first($0, from: at) }.map { $0 >= 200 } ?? true
      }
      var rest = text.trimmed(0..<text.count, of: between)
      let first = rest.lowerBound..<min(text.end(before: between, from: rest.lowerBound), rest.upperBound)
      if first.upperBound < rest.upperBound, isScheme(text.bytes(first)) {
        rest = text.trimmed(first.upperBound..<rest.upperBound, of: between)
      }
      if rest.isEmpty || isRepeated(text, rest) { return true }
      // Of values without signs, only short words and numbers with leading zeros are harmless.
      let isWord = text.end(of: .word, from: rest.lowerBound, atMost: rest.count) == rest.upperBound
      if isWord, text[rest.lowerBound] != UInt8(ascii: "0"), !(4...11).contains(rest.count) { return false }
      guard rest.count < 4096, let pattern else { return false }
      return pattern.matches(String(decoding: text.bytes(rest), as: UTF8.self).lowercased())
    }
  }

  /// True if a word is a known authorization scheme, which may precede a credential.
  static func isScheme(_ word: some Collection<UInt8>) -> Bool {
    word.count < 24 && schemes.contains(String(decoding: word, as: UTF8.self).lowercased())
  }

  /// True for `xxxx-xxxx`, `****`, `...`, and for `aaaaaaaaaaaaaaaa1`.
  private static func isRepeated(_ text: ByteSearch, _ range: Range<Int>) -> Bool {
    var (first, count, same): (UInt8, Int, Int) = (0, 0, 0)
    for at in range where !signs.contains(text[at]) {
      let letter = SecretPattern.folded(text[at])
      if count == 0 { first = letter }
      count += 1
      same += letter == first ? 1 : 0
      if count == 16, same < 14 { return false }
    }
    return count == 0 || count > 2 && (same == count || same > 15 && same * 8 >= count * 7)
  }

  private static let signs = ByteSet(adding: "-_.: ")
}
