internal import CassetteSystem

/// Recognizes placeholders for secrets, and harmless values under the name of a secret.
package enum Placeholder {
  /// True if the whole value is a placeholder: `<TOKEN>`, `Bearer {{token}}`, `xxxxx`, `0000000000000001`,
  /// `YOUR_API_KEY`.
  package static func isPlaceholder(_ value: String) -> Bool {
    let words = value.split { $0 == " " || $0 == "\"" || $0 == "'" }
    guard let first = words.first else { return true }
    let hasScheme = words.count > 1 && schemes.contains(first.lowercased())
    let rest = words.dropFirst(hasScheme ? 1 : 0).joined(separator: " ")
    return rest.contains("****") || isColor(rest) || isBracketed(rest) || isRepeated(rest) || isNumbered(rest)
      || isVariable(rest)
      || isWord(rest)
  }

  /// True if a value under a secret's name is not a secret: a placeholder, a public key, or the URL of an image.
  package static func isHarmless(_ value: [UInt8]) -> Bool {
    // The documentation of AWS uses `AKIAIOSFODNN7EXAMPLE`.
    if value.count < 64,
      ["EXAMPLE", "EXAMPLEKEY"].contains(where: { value.suffix($0.utf8.count).elementsEqual($0.utf8) })
    {
      return true
    }
    guard value.count < 64 << 10 else { return false }
    let text = String(decoding: value, as: UTF8.self)
    if text.hasPrefix("arn:aws") && !text.contains(" ") { return true }
    if isPlaceholder(text) || isPublic(text) || isVersion(value) { return true }
    // A URL is not a secret; secrets in its query are found separately.
    guard text.hasPrefix("https://") || text.hasPrefix("http://"), !text.contains("@") else { return false }
    return text.firstIndex(of: "?").map { !text[$0...].contains("=") } ?? true
  }

  /// True if the value is a public key, signature or certificate: OpenSSH, PGP, X.509.
  private static func isPublic(_ text: String) -> Bool {
    let start = text.prefix(200)
    if start.contains("-----BEGIN ") { return !start.contains("PRIVATE KEY") }
    return ["ssh-rsa ", "ssh-ed25519 ", "ssh-dss ", "ecdsa-sha2-", "sk-ssh-ed25519", "sk-ecdsa-"].contains {
      start.hasPrefix($0)
    }
  }

  /// The authorization schemes that may precede a credential, in lower case.
  package static let schemes: Set = [
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

  /// True for `<TOKEN>`, `{{user}}:{{password}}`, `${TOKEN}`, `[FILTERED]`.
  private static func isBracketed(_ text: String) -> Bool {
    var rest = text[...]
    while !rest.isEmpty {
      let pair = [("<", ">"), ("&lt;", "&gt;"), ("{{", "}}"), ("${", "}"), ("[", "]")].first { rest.hasPrefix($0.0) }
      guard let pair, let end = rest.firstRange(of: pair.1) else { return false }
      rest = rest[end.upperBound...].drop { ":.,;-_/ ".contains($0) }
      // `<<TOKEN>>` has two closing brackets.
      while rest.hasPrefix(pair.1) { rest = rest.dropFirst(pair.1.count) }
    }
    return true
  }

  /// True for `#f8f8f2`.
  private static func isColor(_ text: String) -> Bool {
    text.hasPrefix("#") && [4, 7].contains(text.utf8.count) && text.dropFirst().allSatisfy(\.isHexDigit)
  }

  /// True for `xxxx-xxxx`, `****`, `...`.
  private static func isRepeated(_ text: String) -> Bool {
    let characters = text.lowercased().filter { !"-_.: ".contains($0) }
    guard let first = characters.first, characters.count > 2 else { return characters.isEmpty && !text.isEmpty }
    // `aaaaaaaaaaaaaaaa1` is a placeholder as well.
    let same = characters.count { $0 == first }
    return same == characters.count || same > 15 && same * 8 >= characters.count * 7
  }

  /// True for `00000000-0000-0000-0000-000000000001`.
  private static func isNumbered(_ text: String) -> Bool {
    let digits = text.filter { $0 != "-" }
    let end = digits.drop { $0 == "0" }
    return digits.count >= 8 && end.count <= 4 && end.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// True for `__TOKEN__`, `$TOKEN`, `$token`, `%TOKEN%`.
  private static func isVariable(_ text: String) -> Bool {
    // Some recording tools number the values they remove: `__` and sixteen hexadecimal digits.
    if text.hasPrefix("__"), text.count == 18, text.dropFirst(2).allSatisfy(\.isHexDigit) { return true }
    let marks = [("__", "__"), ("%", "%"), ("$", "")].first { text.hasPrefix($0.0) && text.hasSuffix($0.1) }
    guard let marks else { return false }
    let name = text.dropFirst(marks.0.count).dropLast(marks.1.count)
    return !name.isEmpty && name.utf8.allSatisfy { ByteSet.letter.contains($0) || $0 == 0x5f }
  }

  /// True for `**REDACTED**`, `(redacted)`, `your-token-here`.
  private static func isWord(_ text: String) -> Bool {
    let word = text.lowercased()
    let plain = word.filter { !"*()-_#. ".contains($0) }
    if words.contains(plain) { return true }
    let isPlain = word.utf8.allSatisfy { (0x61...0x7a).contains($0) || $0 == 0x2d || $0 == 0x5f || $0 == 0x20 }
    return isPlain && ["your-", "your_", "your "].contains { word.hasPrefix($0) }
  }

  /// True for the version of a dependency, which is not a secret: `"jsonwebtoken": "^9.0.0"`.
  private static func isVersion(_ value: [UInt8]) -> Bool {
    let digits = value.drop { [0x5e, 0x7e, 0x3e, 0x3d, 0x76].contains($0) }
    return value.count < 16 && digits.count(where: { $0 == 0x2e }) > 1
      && digits.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2e }
  }
}
