internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem

/// Finds what a name, a scheme or a URL's syntax says is a secret.
///
/// The page `Secrets` has all the rules.
package struct SecretFinder: Sendable {
  /// A secret where it stands.
  struct Found {
    var range: Range<Int>
    /// The bytes without the encoding of their place.
    var value: [UInt8]
    /// The other values that it may have meant.
    var others: [[UInt8]] = []
    /// True if something says that it is a secret, and not only that it might be.
    var isNamed = true
    /// True if it is a number of JSON, which stays one.
    var isNumber = false
    /// Secrets within it: the password of `user:password`.
    var parts: [[UInt8]] = []
    /// The path of JSON that says it is one.
    var path: String?
    /// The name of the secret, for messages.
    var name = ""
    var notation = Notation.member

    /// Returns it as it stands in a text of which that one is a part.
    func moved(by offset: Int) -> Found {
      var found = self
      found.range = range.lowerBound + offset..<range.upperBound + offset
      return found
    }
  }

  /// The notation of a name and its value.
  package enum Notation: Sendable {
    /// `"name": "value"`, and whatever else has a sign between the two.
    case member
    /// `?name=value`.
    case parameter
    /// `"name": "password", "value": "…"`.
    case pair
  }

  let redaction: CassetteRedaction
  /// True if secrets are only hidden from view: words and marks of other secrets are hidden as well.
  let hidesAll: Bool
  /// The names of parameters that people named, to be looked for in a text.
  private let named: KeywordAutomaton?

  init(_ redaction: CassetteRedaction, hidesAll: Bool = false) {
    self.redaction = redaction
    self.hidesAll = hidesAll
    let names = redaction.redacted.compactMap { place -> [UInt8]? in
      switch place {
      case .query(let name), .form(let name): Array(name.utf8)
      case .header, .json, .value: nil
      }
    }
    named = names.isEmpty ? nil : KeywordAutomaton(names)
  }

  // MARK: Names and values

  /// Returns the ends of the parts of names in a text: what is far from all of them need not be read.
  func hits(in text: ByteSearch) -> [Int] {
    var hits: [Int] = []
    Self.parts.scan(text, 0..<text.count) { _, end in hits.append(end) }
    return adding(to: hits, in: text)
  }

  /// Returns the ends of parts of names that a pass over a text has met, with those of names that people named.
  func adding(to hits: [Int], in text: ByteSearch) -> [Int] {
    var hits = hits
    named?.scan(text, 0..<text.count) { _, end in hits.append(end) }
    // An escape may stand for a part of a name.
    for mark in [UInt8(ascii: "%"), UInt8(ascii: "\\")] {
      var from = 0
      while let at = text.first(mark, from: from) {
        from = at + 1
        let next = text.at(from) | 0x20
        if mark == UInt8(ascii: "%") ? (0x36...0x37).contains(text.at(from)) : next == 0x75 { hits.append(from) }
      }
    }
    return hits.sorted()
  }

  private static let parts = KeywordAutomaton(SecretNames.words(SecretNameTable.parts).map { Array($0.utf8) })

  /// Judges a name, with what people said of it.
  func verdict(on text: ByteSearch, _ name: Range<Int>, isQuoted: Bool = false) -> SecretNames.Verdict {
    let verdict = SecretNames.verdict(on: text, name)
    guard redaction.hasNames, !isQuoted, name.count <= 128 else { return verdict }
    let title = SecretNames.text(text, name).lowercased()
    if redaction.redacted.contains(.query(title)) || redaction.redacted.contains(.form(title)) { return .parameter }
    return isKept(title) ? .harmless : verdict
  }

  private func isKept(_ name: String) -> Bool {
    redaction.kept.contains(.header(name)) || redaction.kept.contains(.query(name))
      || redaction.kept.contains(.form(name))
  }

  /// Returns the secrets of a value under a secret's name: none for one that stands for a secret, or can be none.
  func take(_ range: Range<Int>, _ value: [UInt8], named name: String, _ notation: Notation = .member) -> [Found] {
    guard !value.isEmpty else { return [] }
    let title = name.lowercased()
    if title == "cookie" || title == "set-cookie", range.count == value.count {
      return cookies(in: value, isSetCookie: title != "cookie", named: name).map { $0.moved(by: range.lowerBound) }
    }
    let isChosen =
      redaction.hasNames
      && (redaction.redacted.contains(.query(title))
        || redaction.redacted.contains(.form(title)))
    guard hidesAll || isChosen || !Placeholder.isHarmless(value),
      !redaction.kept.contains(.value(String(decoding: value, as: UTF8.self))),
      var found = Self.credential(range, value, ofField: name)
    else { return [] }
    found.notation = notation
    return [found]
  }

  // MARK: Fields

  /// Returns the secret of a field, a parameter or a member: its value without a known scheme.
  static func credential(_ range: Range<Int>, _ value: [UInt8], ofField name: String) -> Found? {
    if SecretNames.isPlaceholder(String(decoding: value.prefix(64), as: UTF8.self)) { return nil }
    let whole = Found(range: range, value: value, name: name)
    // An encoded space is longer than one byte; then the scheme goes with the secret.
    guard let space = value.firstIndex(of: 0x20), range.count == value.count, name.lowercased().contains("auth"),
      let start = value[space...].firstIndex(where: { $0 != 0x20 })
    else { return whole }
    let scheme = String(decoding: value[..<space], as: UTF8.self).lowercased()
    let rest = Array(value[start...])
    if SecretNames.isPlaceholder(String(decoding: rest, as: UTF8.self)) { return nil }
    guard Placeholder.schemes.contains(scheme) else {
      var found = whole
      found.parts = [rest]
      return found
    }
    var found = Found(range: range.lowerBound + start..<range.upperBound, value: rest, name: name)
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

  /// Returns the secrets of `user:password`: the password; the user where it is a token.
  static func userAndPassword(_ text: [UInt8]) -> [[UInt8]] {
    let colon = text.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
    let user = Array(text[..<colon])
    let password = Array(text[min(colon + 1, text.endIndex)...])
    var parts = password.isEmpty ? [] : [password]
    // GitHub and Stripe take the token as the user: `sk_live_…:`.
    if SecretShapes.isToken(user) || (password.isEmpty || password == Array("x-oauth-basic".utf8)) && user.count >= 20 {
      parts.append(user)
    }
    return parts
  }

  /// Returns the values of `a=1; b=2` (RFC 6265 §4.2), or the first alone, as `Set-Cookie` has it.
  ///
  /// Every cookie may be the one that says who asks, but for those that are a word or a small number: `theme=dark`.
  func cookies(in value: [UInt8], isSetCookie: Bool, named title: String = "cookie") -> [Found] {
    var found: [Found] = []
    var start = 0
    while start < value.count {
      let end = value[start...].firstIndex(of: UInt8(ascii: ";")) ?? value.endIndex
      let equals = value[start..<end].firstIndex(of: UInt8(ascii: "="))
      let name = equals.map { String(decoding: value[start..<$0], as: UTF8.self) } ?? ""
      let isNamed = SecretNames.isParameter(name.filter { $0 != " " })
      let content = value.searching { $0.trimmed((equals.map { $0 + 1 } ?? start)..<end, of: Self.aroundCookie) }
      if !content.isEmpty,
        hidesAll || !Placeholder.isHarmless(Array(value[content])) && (isNamed || !Self.isSetting(value[content]))
      {
        let decoded = PercentEncoding.decode(value[content])
        found.append(Found(range: content, value: decoded, isNamed: isNamed, name: title))
      }
      if isSetCookie { break }
      start = end + 1
    }
    return found
  }

  private static let aroundCookie = ByteSet(adding: " \"")

  /// Returns true if a value is a setting that a person chose and others may know: `dark`, `en-US`, `1`.
  private static func isSetting(_ value: ArraySlice<UInt8>) -> Bool {
    if value.count < 3 || value.count < 5 && value.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
    return value.count < 12 && value.allSatisfy { (0x61...0x7a).contains($0 | 0x20) || $0 == 0x2d || $0 == 0x5f }
  }

  // MARK: URLs and forms

  /// Finds `user:password@` in the authority of any URL, and a token in place of the user.
  func userInformation(in text: ByteSearch, _ part: Range<Int>) -> [Found] {
    var all: [Found] = []
    var from = part.lowerBound
    while from < part.upperBound, let at = text.first(UInt8(ascii: "@"), in: from..<part.upperBound) {
      // The last of several is the one before the host.
      from = text.end(before: Self.endsPassword, from: at + 1)
      guard text.at(from) != UInt8(ascii: "@") else { continue }
      let start = text.beginning(behind: Self.endsAuthority, before: at)
      guard start < at, text.has("://", at: start - 3) || text.has(":\\/\\/", at: start - 5) else { continue }
      let information = PercentEncoding.decode(text.bytes(start..<at)[...])
      let parts = Self.userAndPassword(information).filter { hidesAll || !Placeholder.isHarmless($0) }
      if parts.isEmpty { continue }
      all.append(Found(range: start..<at, value: information, parts: parts, name: "user information"))
    }
    return all
  }

  private static let endsAuthority = ByteSet(0...0x20, adding: "/?#\"'<>\\(")
  private static let endsPassword = endsAuthority.adding("@")
}
