internal import CassetteHTTP
internal import CassetteShapes
internal import CassetteSystem

/// Users and passwords in URLs, credentials in fields, cookies.
extension SecretFinder {
  /// `user:password@` in the authority of any URL, and a token in place of the user.
  func userInformation(in text: ByteSearch, _ part: Range<Int>, _ found: (Found) -> Void) {
    var from = part.lowerBound
    while from < part.upperBound, let at = text.first(UInt8(ascii: "@"), in: from..<part.upperBound) {
      // The last of several is the one before the host.
      from = text.end(before: Self.endsPassword, from: at + 1)
      guard text.at(from) != UInt8(ascii: "@") else { continue }
      var start = text.beginning(behind: Self.endsAuthority, before: at)
      let isURL = text.has("://", at: start - 3)
      // Go's `ada:abc@tcp(host)/x`.
      let isSource =
        Self.sources.contains { text.has($0, at: at + 1) } && text.first(UInt8(ascii: ":"), in: start..<at) != nil
      // `\nada:abc@tcp(host)/x`: the letter is of an escape.
      if isSource, text.at(start - 1) == UInt8(ascii: "\\"), TextEnds.letters.contains(text[start]) { start += 1 }
      if isSource, !isURL, let quote = (start..<at).last(where: { text[$0] == UInt8(ascii: "'") || text[$0] == 0x60 }) {
        start = quote + 1
      }
      guard start < at, isURL || isSource || Self.isOracle(text, start..<at) else { continue }
      let information = PercentEncoding.decode(text.bytes(start..<at)[...])
      let parts = (isURL || isSource ? Self.userAndPassword(information) : [information]).filter {
        hidesAll || !Placeholder.isPlaceholder(String(decoding: $0, as: UTF8.self))
      }
      guard !parts.isEmpty else { continue }
      found(Found(range: start..<at, value: information, parts: parts, name: "user information"))
    }
  }

  private static let sources = ["tcp(", "unix("].map { Array($0.utf8) }
  private static let endsAuthority = ByteSet(0...0x20, adding: "/?#\"<>\\")
  private static let endsPassword = endsAuthority.adding("@")

  /// Tells whether what stands before an at sign is the password of Oracle's `scott/tiger@//host:1521/service`.
  private static func isOracle(_ text: ByteSearch, _ password: Range<Int>) -> Bool {
    let slash = password.lowerBound - 1
    guard text.at(slash) == UInt8(ascii: "/") else { return false }
    let user = text.beginning(of: userBytes, before: slash)
    guard user < slash, text.at(user - 1) != UInt8(ascii: "/"), text.at(user - 1) != UInt8(ascii: ".")
    else { return false }
    let host = password.upperBound + 1
    if text.at(host) == UInt8(ascii: "/"), text.at(host + 1) == UInt8(ascii: "/") { return true }
    if clients.contains(where: { text.has($0, at: user - $0.count) }) { return true }
    let port = text.end(of: hostBytes, from: host)
    guard port > host, text.at(port) == UInt8(ascii: ":") else { return false }
    let end = text.end(of: .digit, from: port + 1)
    return (3...6).contains(end - port) && !ByteSet.word.contains(text.at(end))
  }

  private static let clients = ["oracle:thin:", "sqlplus ", "connect ", "CONNECT "].map { Array($0.utf8) }
  private static let userBytes = ByteSet.word.adding("_$#")
  private static let hostBytes = ByteSet.word.adding(".-_")

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

  // MARK: Credentials and cookies

  /// The secret of a field, a parameter or a member: its value without a known scheme.
  static func credential(_ range: Range<Int>, _ value: [UInt8], ofField name: String) -> Found? {
    if SecretNames.isPlaceholder(String(decoding: value.prefix(64), as: UTF8.self)) { return nil }
    guard let space = value.firstIndex(of: 0x20), name.lowercased().contains("auth")
    else { return Found(range: range, value: value, name: name) }
    let scheme = String(decoding: value[..<space], as: UTF8.self).lowercased()
    // An encoded space is longer than one byte; then the scheme goes with the secret.
    guard range.count == value.count, !scheme.isEmpty, FieldSyntax.isToken(scheme),
      let start = value[space...].firstIndex(where: { $0 != 0x20 })
    else { return Found(range: range, value: value, name: name) }
    let rest = Array(value[start...])
    if SecretNames.isPlaceholder(String(decoding: rest, as: UTF8.self)) { return nil }
    let isScheme = Placeholder.schemes.contains(scheme)
    var found = Found(range: range.lowerBound + start..<range.upperBound, value: rest, name: name)
    if !isScheme {
      // The first word may be an unknown scheme: the rest alone is searched for, too.
      found = Found(range: range, value: value, parts: [rest], name: name)
    }
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
  ///
  /// Every cookie may be the one that says who asks, but for those that are a word or a small number: `theme=dark`.
  func cookies(in value: [UInt8], isSetCookie: Bool, _ found: (Found) -> Void) {
    var start = 0
    while start < value.count {
      let end = value[start...].firstIndex(of: UInt8(ascii: ";")) ?? value.endIndex
      let equals = value[start..<end].firstIndex(of: UInt8(ascii: "="))
      let name = equals.map { String(decoding: value[start..<$0], as: UTF8.self) } ?? ""
      let verdict = SecretNames.verdict(on: name.filter { $0 != " " })
      let content = value.searching { $0.trimmed((equals.map { $0 + 1 } ?? start)..<end, of: Self.aroundCookie) }
      let isPlain = verdict == .harmless || verdict == .holder
      if !content.isEmpty, hidesAll || !Placeholder.isPlaceholder(String(decoding: value[content], as: UTF8.self)),
        hidesAll || !isPlain || !Self.isSetting(value[content])
      {
        let decoded = PercentEncoding.decode(value[content])
        found(Found(range: content, value: decoded, isNamed: verdict == .secret, name: "cookie"))
      }
      if isSetCookie { return }
      start = end + 1
    }
  }

  private static let aroundCookie = ByteSet(adding: " \"")

  /// Tells if a value is a setting that a person chose and others may know: `dark`, `en-US`, `1`.
  private static func isSetting(_ value: ArraySlice<UInt8>) -> Bool {
    if value.count < 3 || value.count < 5 && value.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
    return value.count < 12 && value.allSatisfy { (0x61...0x7a).contains($0 | 0x20) || $0 == 0x2d || $0 == 0x5f }
  }

  /// The tokens among subprotocols (RFC 6455 §11.3.4), where a browser's page has no other field for them.
  func subprotocols(in text: ByteSearch, _ found: (Found) -> Void) {
    var isBehindName = false
    var start = 0
    while start < text.count {
      let end = text.first(UInt8(ascii: ","), from: start) ?? text.count
      var range = text.trimmed(start..<end, of: .blank)
      start = end + 1
      // `base64url.bearer.authorization.k8s.io.…`
      if let dot = range.last(where: { text[$0] == UInt8(ascii: ".") }),
        text.bytes(range).firstIndex(of: Self.bearer) != nil
      {
        range = dot + 1..<range.upperBound
        isBehindName = true
      }
      let value = text.bytes(range)
      let isSecret =
        isBehindName
        ? value.count >= 8 && !Prose.isWord(value) : SecretShapes.isToken(value) || RandomText.isSecret(value)
      isBehindName = SecretNames.verdict(on: text, range) == .secret
      if isSecret, takes(value, "token") { found(Found(range: range, value: value, name: "sec-websocket-protocol")) }
    }
  }

  private static let bearer = Array(".bearer.".utf8)

  // MARK: Paths

  /// Finds the paths of URLs that stand in a part of a text, and random values behind a secret's name in them.
  func paths(in text: ByteSearch, _ part: Range<Int>, _ names: NamePlaces, _ found: (Found) -> Void) {
    var from = part.lowerBound
    var next = 0
    while let place = names.first(behind: from, &next),
      let slash = text.first(UInt8(ascii: "/"), in: min(max(from, place - 66), part.upperBound)..<part.upperBound)
    {
      let end = text.end(of: Self.segment, from: slash + 1)
      from = end
      // Base64 has slashes, too, and short words between them.
      guard text.at(end) == UInt8(ascii: "/"), (5..<64).contains(end - slash) else { continue }
      let stop = text.end(of: Self.segment, from: end + 1)
      guard stop - end > 12, SecretNames.mayName(text, slash + 1..<end + 1),
        Self.introducesSegment(text, slash + 1..<end)
      else { continue }
      let value = PercentEncoding.decode(text.bytes(end + 1..<stop)[...])
      guard value.count >= 12, Self.isMade(value), !Prose.isNumbered(value) else { continue }
      found(Found(range: end + 1..<stop, value: value, name: "path"))
    }
  }

  private static let segment = ByteSet.word.adding("-_.~%!$*+=@:")

  private static func introducesSegment(_ text: ByteSearch, _ range: Range<Int>) -> Bool {
    let verdict = SecretNames.verdict(on: text, range)
    return verdict == .secret || verdict == .several || invites.contains(text, range)
  }

  /// Finds random values behind a secret's name in the path of a URL: `/reset-password/8Zx3…`.
  func segments(in text: ByteSearch, _ found: (Found) -> Void) {
    var end = text.first(UInt8(ascii: "?"), from: 0) ?? text.count
    end = text.first(UInt8(ascii: "#"), in: 0..<end) ?? end
    // The segments that may be one: the next, or behind a short one the one after that, as Django has it.
    var names = 0
    var start = 0
    while start < end {
      let stop = text.first(UInt8(ascii: "/"), in: start..<end) ?? end
      if names > 0, stop - start >= 12 {
        let segment = PercentEncoding.decode(text.bytes(start..<stop)[...])
        if segment.count >= 12, Self.isMade(segment) { found(Found(range: start..<stop, value: segment, name: "path")) }
      }
      names = Self.introducesSegment(text, start..<stop) ? 2 : stop - start < 8 ? names - 1 : 0
      start = stop + 1
    }
  }

  /// The value that a body is, or that a string of JSON says alone; nil for words.
  static func bare(_ body: [UInt8]) -> [UInt8]? {
    guard (12...4096).contains(body.count) else { return nil }
    let value = body.searching { text -> [UInt8] in
      var range = text.trimmed(0..<text.count, of: .space)
      if range.count > 2, text[range.lowerBound] == UInt8(ascii: "\""), text[range.upperBound - 1] == UInt8(ascii: "\"")
      {
        range = range.dropFirst().dropLast()
      }
      return text.bytes(range)
    }
    guard value.count >= 12, value.allSatisfy({ (0x21...0x7e).contains($0) && !endsBare.contains($0) }),
      isMade(value, mayBeWord: false) || Prose.isMixed(value) && Prose.hasAllKinds(value)
    else { return nil }
    return value
  }

  private static let endsBare = ByteSet(adding: "\"'\\{}[]<>,;:&")

  private static let invites = NameSet([
    "resetpassword", "passwordreset", "reset", "verify", "verifyemail", "confirm", "confirmation", "activate",
    "invite", "invitation", "invites", "invitations", "session", "sessions", "emailverification", "magic", "magiclink",
    "unsubscribe", "webhook", "webhooks", "hooks", "hook", "key", "confirmemail",
  ])
}
