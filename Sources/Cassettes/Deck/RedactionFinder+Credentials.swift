import HTTP

/// Users and passwords in URLs, credentials in fields, cookies.
extension RedactionFinder {
  /// `user:password@` in the authority of any URL, and a token in place of the user.
  func userInformation(in bytes: [UInt8], _ found: (Found) -> Void) {
    var next = 0
    while let start = Self.afterScheme(bytes.span, from: next) {
      let end = bytes[start...].firstIndex { Self.endsAuthority($0) } ?? bytes.endIndex
      next = start
      guard let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")), at > start else { continue }
      let information = bytes[start..<at]
      let parts = Self.userAndPassword(PercentEncoding.decode(information))
      guard !parts.isEmpty else { continue }
      found(Found(range: start..<at, value: PercentEncoding.decode(information), parts: parts))
    }
  }

  /// Where the authority after the next `://` begins; byte by byte, as a general search took most of an import's time.
  private static func afterScheme(_ bytes: Span<UInt8>, from start: Int) -> Int? {
    var at = start
    while at + 2 < bytes.count {
      if bytes[at + 2] != UInt8(ascii: "/") {
        at += bytes[at + 2] == UInt8(ascii: ":") ? 2 : 3
      } else if bytes[at] == UInt8(ascii: ":"), bytes[at + 1] == UInt8(ascii: "/") {
        return at + 3
      } else {
        at += 1
      }
    }
    return nil
  }

  private static func endsAuthority(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "<"),
      UInt8(ascii: ">"), UInt8(ascii: "\\"):
      true
    default: false
    }
  }

  /// What is secret in `user:password`: the password; the user where it is a token.
  static func userAndPassword(_ text: [UInt8]) -> [[UInt8]] {
    let colon = text.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
    let user = Array(text[..<colon])
    let password = Array(text[min(colon + 1, text.endIndex)...])
    var parts = password.isEmpty ? [] : [password]
    // GitHub and Stripe take the token as the user: `sk_live_…:`.
    if SecretScanner.isToken(user) || (password.isEmpty || password == Array("x-oauth-basic".utf8)) && user.count >= 20
    {
      parts.append(user)
    }
    return parts
  }

  // MARK: Credentials and cookies

  /// The secret of a field, a parameter or a member: all of its value but the scheme that may stand before it.
  static func credential(_ range: Range<Int>, _ value: [UInt8], ofField name: String) -> Found? {
    if SecretNames.isPlaceholder(String(decoding: value, as: UTF8.self)) { return nil }
    guard name.lowercased().contains("auth"), let space = value.firstIndex(of: 0x20) else {
      return Found(range: range, value: value)
    }
    let scheme = String(decoding: value[..<space], as: UTF8.self).lowercased()
    // An encoded space is longer than one byte; then the scheme goes with the secret.
    guard range.count == value.count, !scheme.isEmpty, value[..<space].allSatisfy(CassetteFileGrammar.isTokenByte),
      let start = value[space...].firstIndex(where: { $0 != 0x20 })
    else { return Found(range: range, value: value) }
    let rest = Array(value[start...])
    if SecretNames.isPlaceholder(String(decoding: rest, as: UTF8.self)) { return nil }
    var found = Found(range: range.lowerBound + start..<range.upperBound, value: rest)
    if scheme == "basic", let decoded = RedactionBase64.decode(rest[...]) {
      found.others = [decoded]
      found.parts = userAndPassword(decoded)
    } else if rest.contains(UInt8(ascii: "=")), rest.contains(UInt8(ascii: ",")) {
      // `Digest`, `OAuth`, `AWS4-HMAC-SHA256`: parameters, of which the named ones are secrets by themselves.
      for parameter in rest.split(separator: UInt8(ascii: ",")) {
        guard let equals = parameter.firstIndex(of: UInt8(ascii: "=")) else { continue }
        let name = String(decoding: parameter[..<equals], as: UTF8.self)
        let quoted = parameter[(equals + 1)...].filter { $0 != UInt8(ascii: "\"") }
        if SecretNames.isParameter(name), !quoted.isEmpty { found.parts.append(PercentEncoding.decode(quoted)) }
      }
    }
    return found
  }

  /// The values of `a=1; b=2` (RFC 6265 §4.2), or the first alone, as `Set-Cookie` has it.
  static func cookies(in value: [UInt8], isSetCookie: Bool, _ found: (Found) -> Void) {
    var start = 0
    while start < value.count {
      let end = value[start...].firstIndex(of: UInt8(ascii: ";")) ?? value.endIndex
      let equals = value[start..<end].firstIndex(of: UInt8(ascii: "="))
      let isNamed = equals.map { SecretNames.isParameter(String(decoding: value[start..<$0], as: UTF8.self)) } ?? false
      var content = (equals.map { $0 + 1 } ?? start)..<end
      while let first = content.first, value[first] == 0x20 || value[first] == UInt8(ascii: "\"") {
        content = content.dropFirst()
      }
      while let last = content.last, value[last] == 0x20 || value[last] == UInt8(ascii: "\"") {
        content = content.dropLast()
      }
      if !content.isEmpty, !SecretNames.isPlaceholder(String(decoding: value[content], as: UTF8.self)) {
        let decoded = PercentEncoding.decode(value[content])
        found(Found(range: content, value: decoded, isNamed: isNamed))
      }
      if isSetCookie { return }
      start = end + 1
    }
  }
}
