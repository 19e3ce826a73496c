internal import CassetteSystem

/// Recognizes placeholders for secrets, and harmless values under the name of a secret.
enum Placeholder {
  /// True if the whole value is a placeholder: `<TOKEN>`, `Bearer {{token}}`, `xxxxx`, `0000000000000001`,
  /// `YOUR_API_KEY`.
  static func isPlaceholder(_ text: ByteSearch) -> Bool {
    var rest = text.trimmed(0..<text.count, of: between)
    let first = rest.lowerBound..<min(text.end(before: between, from: rest.lowerBound), rest.upperBound)
    if first.upperBound < rest.upperBound, first.count < 24,
      schemes.contains(String(decoding: text.bytes(first), as: UTF8.self).lowercased())
    {
      rest = text.trimmed(first.upperBound..<rest.upperBound, of: between)
    }
    let value = text.bytes(rest)
    return value.isEmpty || value.firstIndex(of: stars) != nil || isColor(value) || isBracketed(text, rest)
      || isRepeated(value) || isNumbered(value) || isVariable(value) || isWord(value)
  }

  /// True if a value under a secret's name is not a secret: a placeholder, a public key, or the URL of an image.
  static func isHarmless(_ value: [UInt8]) -> Bool {
    value.searching { text in
      // The documentation of AWS uses `AKIAIOSFODNN7EXAMPLE`.
      if text.count < 64, text.has("EXAMPLE", at: text.count - 7) || text.has("EXAMPLEKEY", at: text.count - 10) {
        return true
      }
      guard text.count < 64 << 10 else { return false }
      if text.has("arn:aws", at: 0) && text.first(0x20, from: 0) == nil { return true }
      if isPlaceholder(text) || isPublic(text) || isVersion(value) { return true }
      // A URL is not a secret; secrets in its query are found separately.
      guard text.has("https://", at: 0) || text.has("http://", at: 0), !value.contains(UInt8(ascii: "@")) else {
        return false
      }
      return text.first(UInt8(ascii: "?"), from: 0).map { text.first(UInt8(ascii: "="), from: $0) == nil } ?? true
    }
  }

  /// True if the value is a public key, signature or certificate: OpenSSH, PGP, X.509.
  private static func isPublic(_ text: ByteSearch) -> Bool {
    let start = text.bytes(0..<min(200, text.count))
    if start.firstIndex(of: Array("-----BEGIN ".utf8)) != nil {
      return start.firstIndex(of: Array("PRIVATE KEY".utf8)) == nil
    }
    return text.has("ssh-", at: 0) || text.has("ecdsa-sha2-", at: 0) || text.has("sk-ssh-ed25519", at: 0)
      || text.has("sk-ecdsa-", at: 0)
  }

  /// The authorization schemes that may precede a credential, in lower case.
  static let schemes: Set = [
    // From the IANA registry of HTTP authentication schemes, including the reserved ones.
    "basic", "bearer", "concealed", "digest", "dpop", "gnap", "hoba", "mutual", "negotiate", "oauth", "privatetoken",
    "scram-sha-1", "scram-sha-256", "vapid",
    // Used by GitHub and Django, and for JSON Web Tokens without OAuth.
    "token", "jwt",
    // Used by Windows.
    "ntlm", "kerberos",
    // Used by cloud providers and their stores.
    "aws", "aws4-hmac-sha256", "aws4-ecdsa-p256-sha256", "goog1", "goog4-hmac-sha256", "goog4-rsa-sha256", "sharedkey",
    "sharedkeylite", "sharedaccesssignature", "tc3-hmac-sha256", "acs3-hmac-sha256", "sdk-hmac-sha256",
    // Used by other services.
    "apikey", "api-key", "bot", "ssws", "genie", "geniekey", "hawk", "googlelogin", "hmac", "hmac-sha256", "signature",
    "kakaoak", "klaviyo-api-key", "deepl-auth-key", "discogs", "pveapitoken", "splunk", "wsse", "usernametoken",
    "zoho-oauthtoken", "client-id", "elastic", "key", "lsat", "l402", "nostr", "snowflake",
  ]

  private static let words: Set = [
    "redacted", "filtered", "masked", "removed", "hidden", "deleted", "dummy", "changeme", "null", "none",
    "placeholder", "undefined", "secret", "token", "password", "apikey",
  ]

  private static let between = ByteSet(adding: " \"'")
  private static let stars = Array("****".utf8)
  private static let brackets: [(open: [UInt8], close: [UInt8])] = [
    ("<", ">"), ("&lt;", "&gt;"), ("{{", "}}"), ("${", "}"), ("[", "]"),
  ].map { (Array($0.0.utf8), Array($0.1.utf8)) }
  private static let opens = ByteSet(adding: "<&{$[")
  private static let betweenBrackets = ByteSet(adding: ":.,;-_/ \"'")

  /// True for `<TOKEN>`, `{{user}}:{{password}}`, `${TOKEN}`, `[FILTERED]`.
  private static func isBracketed(_ text: ByteSearch, _ range: Range<Int>) -> Bool {
    var at = range.lowerBound
    guard at < range.upperBound, opens.contains(text[at]) else { return false }
    while at < range.upperBound {
      guard let pair = brackets.first(where: { text.has($0.open, at: at) }),
        let end = pair.close.searching({ text.first($0, from: at) })
      else { return false }
      at = end + pair.close.count
      // `<<TOKEN>>` has two closing brackets.
      while text.has(pair.close, at: at) { at += pair.close.count }
      at = text.end(of: betweenBrackets, from: at)
    }
    return true
  }

  /// True for `#f8f8f2`.
  private static func isColor(_ value: [UInt8]) -> Bool {
    value[0] == UInt8(ascii: "#") && [4, 7].contains(value.count)
      && value.dropFirst().allSatisfy(SecretText.hex.contains)
  }

  /// True for `xxxx-xxxx`, `****`, `...`.
  private static func isRepeated(_ value: [UInt8]) -> Bool {
    var (first, count, same): (UInt8, Int, Int) = (0, 0, 0)
    for byte in value where !signs.contains(byte) {
      let letter = SecretPattern.folded(byte)
      if count == 0 { first = letter }
      count += 1
      same += letter == first ? 1 : 0
    }
    // `aaaaaaaaaaaaaaaa1` is a placeholder as well.
    return count == 0 || count > 2 && (same == count || same > 15 && same * 8 >= count * 7)
  }

  private static let signs = ByteSet(adding: "-_.: ")

  /// True for `00000000-0000-0000-0000-000000000001`.
  private static func isNumbered(_ value: [UInt8]) -> Bool {
    guard value[0] == UInt8(ascii: "0") else { return false }
    let digits = value.filter { $0 != UInt8(ascii: "-") }
    let end = digits.drop { $0 == UInt8(ascii: "0") }
    return digits.count >= 8 && end.count <= 4 && end.allSatisfy(ByteSet.digit.contains)
  }

  /// True for `__TOKEN__`, `$TOKEN`, `$token`, `%TOKEN%`.
  private static func isVariable(_ value: [UInt8]) -> Bool {
    var name = value[...]
    switch value[0] {
    case UInt8(ascii: "$"): name = name.dropFirst()
    case UInt8(ascii: "%") where value.last == UInt8(ascii: "%"): name = name.dropFirst().dropLast()
    case UInt8(ascii: "_") where value.starts(with: [0x5f, 0x5f]):
      // Some recording tools number the values they remove: `__` and sixteen hexadecimal digits.
      if value.count == 18, value.dropFirst(2).allSatisfy(SecretText.hex.contains) { return true }
      guard value.suffix(2) == [0x5f, 0x5f] else { return false }
      name = name.dropFirst(2).dropLast(2)
    default: return false
    }
    return !name.isEmpty && name.allSatisfy { ByteSet.letter.contains($0) || $0 == UInt8(ascii: "_") }
  }

  /// True for `**REDACTED**`, `(redacted)`, `your-token-here`.
  private static func isWord(_ value: [UInt8]) -> Bool {
    guard value.count < 64 else { return false }
    let word = value.map(SecretPattern.folded)
    let plain = word.filter { !aroundWord.contains($0) }
    if (4..<12).contains(plain.count), words.contains(String(decoding: plain, as: UTF8.self)) { return true }
    return word.starts(with: "your".utf8) && word.count > 5 && signs.contains(word[4])
      && word.allSatisfy { (0x61...0x7a).contains($0) || $0 == 0x2d || $0 == 0x5f || $0 == 0x20 }
  }

  private static let aroundWord = ByteSet(adding: "*()-_#. ")

  /// True for the version of a dependency, which is not a secret: `"jsonwebtoken": "^9.0.0"`.
  private static func isVersion(_ value: [UInt8]) -> Bool {
    let digits = value.drop { [0x5e, 0x7e, 0x3e, 0x3d, 0x76].contains($0) }
    return value.count < 16 && digits.count(where: { $0 == 0x2e }) > 1
      && digits.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2e }
  }
}
