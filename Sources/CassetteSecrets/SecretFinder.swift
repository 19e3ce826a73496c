internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem

/// Finds secrets by name, by authorization scheme and by the syntax of URLs.
///
/// The page `Secrets` lists all rules. It is a class because every reader has a reference to it.
package final class SecretFinder: Sendable {
  /// A secret and its place.
  struct Found {
    /// The place of the value.
    var range: Range<Int>
    /// The place of the name; empty if the name is elsewhere, as that of a field.
    var name = 0..<0
    /// The value without the escaping of its place.
    var value: [UInt8]
    /// Other possible decodings of the value.
    var others: [[UInt8]] = []
    /// Secrets within the value: the password of `user:password`.
    var parts: [[UInt8]] = []
    var notation = Notation.member
    /// True if a name or rule identifies the value as a secret; false if it is only a possible secret.
    var isNamed = true
    /// True if the value is a JSON number, which is replaced by a number.
    var isNumber = false
  }

  /// The notation of a name and its value.
  package enum Notation: Sendable {
    /// `"name": "value"`, and other notations with a sign between name and value.
    case member
    /// `?name=value`.
    case parameter
    /// `"name": "password", "value": "…"`.
    case pair
    /// `user:password@`.
    case userInformation
    /// A value that the user selected by the JSON path with an index.
    case path(Int)
  }

  let redaction: CassetteRedaction
  /// True if secrets are masked for display: literals and the placeholders of other tools are masked as well.
  let hidesAll: Bool
  /// False if only tokens are searched for.
  let readsNames: Bool
  /// The JSON paths of values that are redacted, and of values that are kept.
  let redactedPaths: [JSONQuery]
  let keptPaths: [JSONQuery]
  /// The maximum number of bytes examined in one scan; nil for a limit that depends on the length.
  let steps: Int?

  init(_ redaction: CassetteRedaction, hidesAll: Bool = false, readsNames: Bool = true, steps: Int? = nil) {
    (self.redaction, self.hidesAll, self.readsNames, self.steps) = (redaction, hidesAll, readsNames, steps)
    redactedPaths = CassetteRedaction.paths(in: redaction.redacted)
    keptPaths = CassetteRedaction.paths(in: redaction.kept)
  }

  // MARK: Names and values

  /// Classifies a name, considering the user-defined rules.
  func verdict(on text: ByteSearch, _ name: Range<Int>, isQuoted: Bool = false) -> SecretNames.Verdict {
    let verdict = SecretNames.verdict(on: text, name)
    guard redaction.hasNames, !isQuoted, name.count <= 128 else { return verdict }
    let title = SecretNames.text(text, name).lowercased()
    if isChosen(title) { return .parameter }
    return isKept(title) ? .harmless : verdict
  }

  private func isChosen(_ name: String) -> Bool {
    redaction.redacted.contains(.query(name)) || redaction.redacted.contains(.form(name))
  }

  private func isKept(_ name: String) -> Bool {
    redaction.kept.contains(.header(name)) || redaction.kept.contains(.query(name))
      || redaction.kept.contains(.form(name))
  }

  /// Adds the secrets in a value whose name is a secret's: none for a placeholder, a harmless value or a kept value.
  func take(
    _ range: Range<Int>, _ value: [UInt8], named name: String, at place: Range<Int> = 0..<0,
    _ notation: Notation = .member, into found: inout [Found]
  ) {
    guard !value.isEmpty else { return }
    if range.count == value.count, Self.isCookie(name) {
      for cookie in cookies(in: value, isSetCookie: name.utf8.count > 6) {
        found.append(cookie)
        let (start, end) = (range.lowerBound + cookie.range.lowerBound, range.lowerBound + cookie.range.upperBound)
        (found[found.count - 1].range, found[found.count - 1].name) = (start..<end, place)
      }
      return
    }
    guard hidesAll || redaction.hasNames && isChosen(name.lowercased()) || !Placeholder.isHarmless(value),
      !redaction.keeps(value: value),
      var secret = Self.credential(range, value, ofField: name)
    else { return }
    (secret.name, secret.notation) = (place, notation)
    found.append(secret)
  }

  // MARK: Fields

  /// Returns the secret in the value of a field, parameter or member, without a known authorization scheme.
  static func credential(_ range: Range<Int>, _ value: [UInt8], ofField name: String) -> Found? {
    if SecretNames.isPlaceholder(value) { return nil }
    let whole = Found(range: range, value: value)
    // A percent-encoded space is longer than one byte; then the scheme is redacted together with the secret.
    guard let space = value.firstIndex(of: 0x20), range.count == value.count, name.lowercased().contains("auth"),
      let start = value[space...].firstIndex(where: { $0 != 0x20 })
    else { return whole }
    let rest = Array(value[start...])
    if SecretNames.isPlaceholder(rest) { return nil }
    guard Placeholder.isScheme(value[..<space]) else {
      var found = whole
      found.parts = [rest]
      return found
    }
    var found = Found(range: range.lowerBound + start..<range.upperBound, value: rest)
    if value[..<space].map(SecretPattern.folded).elementsEqual("basic".utf8),
      let decoded = RedactionBase64.decode(rest[...])
    {
      found.others = [decoded]
      found.parts = userAndPassword(decoded)
    } else if rest.contains(UInt8(ascii: "=")), rest.contains(UInt8(ascii: ",")) {
      // `Digest`, `OAuth`, `AWS4-HMAC-SHA256`: parameters, whose named values are secrets themselves.
      for parameter in rest.split(separator: UInt8(ascii: ",")) {
        guard let equals = parameter.firstIndex(of: UInt8(ascii: "=")) else { continue }
        let name = String(decoding: parameter[..<equals], as: UTF8.self)
        let quoted = parameter[(equals + 1)...].filter { $0 != UInt8(ascii: "\"") }
        if SecretNames.isParameter(name), !quoted.isEmpty { found.parts.append(PercentEncoding.decode(quoted)) }
      }
    }
    return found
  }

  /// Returns the secrets in `user:password`: the password, and also the user if it is a token.
  static func userAndPassword(_ text: [UInt8]) -> [[UInt8]] {
    let colon = text.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
    let user = Array(text[..<colon])
    let password = Array(text[min(colon + 1, text.endIndex)...])
    var parts = password.isEmpty ? [] : [password]
    // GitHub and Stripe use the token as the user: `sk_live_…:`.
    if SecretShapes.isToken(user) || (password.isEmpty || password == Array("x-oauth-basic".utf8)) && user.count >= 20 {
      parts.append(user)
    }
    return parts
  }

  /// True for the name of a field with cookies.
  static func isCookie(_ name: String) -> Bool {
    [6, 10].contains(name.utf8.count) && ["cookie", "set-cookie"].contains(name.lowercased())
  }

  /// Returns the secret values in `a=1; b=2` (RFC 6265 §4.2), or only the first one for `Set-Cookie`.
  ///
  /// Every cookie may identify a session, except for words and small numbers such as `theme=dark`.
  func cookies(in value: [UInt8], isSetCookie: Bool) -> [Found] {
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
        found.append(Found(range: content, value: decoded, isNamed: isNamed))
      }
      if isSetCookie { break }
      start = end + 1
    }
    return found
  }

  private static let aroundCookie = ByteSet(adding: " \"")

  /// True if a value is a setting without identifying information: `dark`, `en-US`, `1`, `AES_256_GCM`.
  static func isSetting(_ value: ArraySlice<UInt8>) -> Bool {
    if value.count < 3 || value.count < 5 && value.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
    let words = value.split(separator: UInt8(ascii: "_"))
    if words.count > 1, words.allSatisfy({ $0.allSatisfy(\.isDigit) || $0.allSatisfy { (0x41...0x5a).contains($0) } }) {
      return true
    }
    return value.count < 12 && value.allSatisfy { (0x61...0x7a).contains($0 | 0x20) || $0 == 0x2d || $0 == 0x5f }
  }

  /// Adds the credentials in a list of WebSocket subprotocols: `bearer, …`.
  ///
  /// Lower-case words without digits after the scheme are names of subprotocols.
  func subprotocols(in text: ByteSearch, into found: inout [Found]) {
    var (at, title): (Int, Range<Int>?) = (0, nil)
    while at < text.count {
      let end = text.first(UInt8(ascii: ","), from: at) ?? text.count
      let member = text.trimmed(at..<end, of: .blank)
      at = end + 1
      if let name = title, text.end(of: Self.subprotocol, from: member.lowerBound) < member.upperBound {
        take(member, text.bytes(member), named: SecretNames.text(text, name), at: name, into: &found)
        title = nil
      } else if Placeholder.isScheme(text.bytes(member)) || [.secret, .parameter].contains(verdict(on: text, member)) {
        title = member
      }
    }
  }

  private static let subprotocol = ByteSet(0x61...0x7a, adding: "-._")

  // MARK: URLs and forms

  /// Finds `user:password@` in the authority of any URL, and a token used as the user.
  func userInformation(in text: ByteSearch, into found: inout [Found]) {
    var from = 0
    while let at = text.first(UInt8(ascii: "@"), from: from) {
      // The last of several `@` separates the user information from the host.
      from = text.end(before: Self.endsPassword, from: at + 1)
      guard text.at(from) != UInt8(ascii: "@") else { continue }
      let start = text.beginning(behind: Self.endsAuthority, before: at)
      guard start < at, text.has("://", at: start - 3) || text.has(":\\/\\/", at: start - 5) else { continue }
      let information = PercentEncoding.decode(text.bytes(start..<at)[...])
      let parts = Self.userAndPassword(information).filter { hidesAll || !Placeholder.isHarmless($0) }
      if parts.isEmpty { continue }
      found.append(Found(range: start..<at, value: information, parts: parts, notation: .userInformation))
    }
  }

  private static let endsAuthority = ByteSet(0...0x20, adding: "/?#\"'<>\\(")
  private static let endsPassword = endsAuthority.adding("@")
}
