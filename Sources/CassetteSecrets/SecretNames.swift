internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteShapes
internal import CassetteSystem

/// The verdict on a name: whether its value is a secret wherever it stands, by ``SecretNameTable``.
///
/// They are what OAuth 2 (RFC 6749, 7636, 8628), OpenID Connect, SAML, AWS, Azure, Google and GitHub call their secrets,
/// what forms of the web do, and what `gitleaks` and `VCR` users look for. A name is compared by its letters and digits.
package enum SecretNames {
  /// The text shown in place of a secret.
  package static let mask = "{{secret}}"

  /// The verdict on the value beside a name.
  package enum Verdict: Sendable {
    case harmless
    case secret
    /// A secret if the value looks like a token: `key`, `state`.
    case secretIfToken
    /// A secret if the value is no word and no number: `tokens` are counted as well.
    case several
    /// It says which name the value beside it has: `"name": "password"`.
    case holder
  }

  /// Tells whether a recorded text stands for a secret that was taken out when it was kept: `{{secret:1}}`.
  package static func isPlaceholder(_ text: some StringProtocol) -> Bool {
    text.hasPrefix("{{secret") && text.hasSuffix("}}")
  }

  /// Tells whether a header field's value is a secret.
  package static func isField(_ name: String) -> Bool { verdict(onField: name) == .secret }

  /// Judges the name of a field: under those that only might be a secret's, what is random is one.
  static func verdict(onField name: String) -> Verdict {
    // The same few names come with every exchange.
    if let seen = seenFields.withLock({ $0[name] }) { return seen }
    let folded = name.lowercased()
    let isWeak = [.secret, .secretIfToken].contains(
      verdict(on: folded.hasPrefix("x-") ? "\(folded.dropFirst(2))" : folded))
    let verdict: Verdict = isField(folded: folded) ? .secret : isWeak ? .secretIfToken : .harmless
    seenFields.withLock { seen in
      if seen.count > 1024 { seen.removeAll() }
      seen[name] = verdict
    }
    return verdict
  }

  private static let seenFields = Locked<[String: Verdict]>([:])

  private static func isField(folded name: String) -> Bool {
    if SecretNameTable.fields.contains(name) { return true }
    guard !SecretNameTable.others.contains(letters(name)) else { return false }
    let own = name.hasPrefix("x-") ? String(name.dropFirst(2)) : name
    return own.count > 8 && own != "credentials" && verdict(on: own) == .secret
      || SecretNameTable.fieldEndings.contains { name.hasSuffix($0) }
  }

  /// Tells whether the value of a query parameter, a form field or a JSON member is a secret.
  package static func isParameter(_ name: some StringProtocol) -> Bool { verdict(on: String(name)) == .secret }

  /// Judges a name, wherever it is.
  package static func verdict(on name: String) -> Verdict {
    let all = letters(name)
    // `AWS::IAM::AccessKey` is a type.
    if SecretNameTable.others.contains(all) || name.contains("node_modules/") || name.hasPrefix("AWS::") {
      return .harmless
    }
    // `card[cvc]`, `user.password`: the last part says what it is.
    let last = name.split { "[].:/".contains($0) }.last.map { letters(String($0)) } ?? all
    // `X-Auth`: what is none of the registered fields.
    let own = last.hasPrefix("x") && name.lowercased().contains("x-") ? String(last.dropFirst()) : last
    if isSecret(all) || isSecret(last) || isSecret(own) { return .secret }
    for tail in SecretNameTable.tails where last.hasSuffix(tail) && last.count >= tail.count + 2 {
      if isSecret(String(last.dropLast(tail.count))), last != "pass1" { return .secret }
    }
    // `NPM_PASS`, `ftpPass`, `bind_pw`
    if SecretNameTable.words.contains(where: name.hasSuffix) { return .secret }
    if last.hasSuffix("s"), isSecret(String(last.dropLast())), last != "codes", last != "pins" { return .several }
    if Array(last.utf8).searching({ SecretNameTable.holders.contains($0, 0..<$0.count) }) { return .holder }
    if SecretNameTable.weak.contains(last) || last.hasSuffix("auth") || last.hasSuffix("creds") {
      return .secretIfToken
    }
    // `STRIPE_KEY`, `secondaryMasterKey`, `key1`
    let title = last.last == "1" || last.last == "2" ? String(last.dropLast()) : last
    if title.hasSuffix("key"), !SecretNameTable.openKeys.contains(where: title.hasSuffix) { return .secretIfToken }
    let plain = Array(all.utf8)
    return plain.searching { SecretNameTable.roots.isFound(in: $0, 0..<plain.count) } ? .secretIfToken : .harmless
  }

  private static func isSecret(_ letters: String) -> Bool {
    SecretNameTable.names.contains(letters)
      || SecretNameTable.endings.contains { letters.hasSuffix($0) } && !SecretNameTable.others.contains(letters)
  }

  /// Judges the name in a text, and remembers the verdict: most names come many times, in many texts.
  static func verdict(on bytes: ByteSearch, _ range: Range<Int>, isField: Bool = false) -> Verdict {
    guard mayName(bytes, range)
    else { return !isField && SecretNameTable.holders.contains(bytes, range) ? .holder : .harmless }
    var hash: UInt64 = isField ? 1 : 0
    for at in range { hash = (hash ^ UInt64(bytes[at])) &* 0x9e37_79b9_7f4a_7c15 ^ (hash >> 29) }
    if let seen = seen.withLock({ $0[hash] }),
      seen.name.searching({ $0.count == range.count && bytes.has($0, at: range.lowerBound) })
    {
      return seen.verdict
    }
    let name = text(bytes, range)
    let verdict = isField && Self.isField(name) ? .secret : verdict(on: name)
    seen.withLock { seen in
      if seen.count > 8192 { seen.removeAll() }
      seen[hash] = (bytes.bytes(range), verdict)
    }
    return verdict
  }

  /// Tells whether a text that may be a name holds what every secret's name has a part of.
  static func mayName(_ bytes: ByteSearch, _ range: Range<Int>) -> Bool {
    (range.count <= 64 || range.count < 128 && bytes.first(0x20, in: range) == nil)
      && (partsAndEscapes.isFound(in: bytes, range)
        || range.count < 4 && SecretNameTable.shortest.contains(bytes, range))
  }

  /// Tells whether one of the last two segments of a URL is a secret's name: `PUT /latest/api/token`.
  package static func asksForSecret(_ url: String) -> Bool {
    let path = Array(url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
    guard path.searching({ partsAndEscapes.isFound(in: $0, 0..<$0.count) }) else { return false }
    let isWhole = path.firstIndex(of: Array("://".utf8)) != nil
    return path.split(separator: UInt8(ascii: "/")).dropFirst(isWhole ? 2 : 0).suffix(2).contains { segment in
      [.secret, .several].contains(verdict(on: String(decoding: segment, as: UTF8.self)))
    }
  }

  private static let partsAndEscapes = KeywordAutomaton((SecretNameParts.all + ["%", "\\"]).map { Array($0.utf8) })

  private static let seen = Locked<[UInt64: (name: [UInt8], verdict: Verdict)]>([:])

  /// A name as it reads, whatever it is coded in.
  static func text(_ bytes: ByteSearch, _ range: Range<Int>) -> String {
    let name = bytes.bytes(range)
    if name.contains(UInt8(ascii: "%")) { return PercentEncoding.decodeText(name[...], plusIsSpace: true) }
    return String(decoding: JSONString.decodeLoosely(name.span), as: UTF8.self)
  }

  /// Returns the letters and digits of a name, in lower case.
  package static func letters(_ name: String) -> String {
    if name.utf8.allSatisfy({ $0 < 0x80 }) {
      let bytes = name.utf8.lazy.filter(ByteSet.word.contains).map(SecretPattern.folded)
      return String(decoding: Array(bytes), as: UTF8.self)
    }
    var letters = ""
    for character in name.lowercased() where character.isLetter || character.isNumber { letters.append(character) }
    return letters
  }
}
