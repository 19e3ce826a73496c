internal import CassetteJSON
internal import CassetteShapes
internal import CassetteSystem

/// Deciding if a value under a secret's name is taken: a placeholder, or what can be no secret, stays.
extension SecretFinder {
  /// Takes a value, unless it stands for a secret that is gone, or can be none.
  func take(_ name: Name, _ range: Range<Int>, _ value: [UInt8], in text: ByteSearch, _ found: (Found) -> Void) {
    guard !value.isEmpty else { return }
    let title = name.range.isEmpty ? "password" : SecretNames.text(text, name.range)
    if ["cookie", "set-cookie"].contains(title.lowercased()), range.count == value.count {
      // `"cookie": "0.5.0"` is what a program needs.
      guard hidesAll || value.contains(where: { (0x61...0x7a).contains($0 | 0x20) }) else { return }
      return cookies(in: value, isSetCookie: title.count > 6) {
        var cookie = $0.moved(by: range.lowerBound)
        cookie.name = title
        found(cookie)
      }
    }
    switch name.verdict {
    case .harmless, .holder: return
    case .secretIfToken:
      guard
        Self.isRandom(value)
          || value.contains(0x3a) && Self.ofUsers.contains(where: SecretNames.letters(title).hasSuffix)
          || Prose.isMixed(value) && value.count >= 8 && !Prose.isNumbered(value)
            && SecretNameTable.passwords.contains(text, name.range)
      else { return }
    // Words of a model are tokens, too.
    case .several:
      let isShort = value.count < 8 && (value.count < 6 || !Prose.isMixed(value) || Prose.isNumbered(value))
      guard !isShort, !value.contains(0x20), !Prose.isWord(value) else { return }
    case .secret: break
    }
    guard name.isChosen || takes(value, title),
      !redaction.kept.contains(.value(String(decoding: value, as: UTF8.self))),
      var credential = Self.credential(range, value, ofField: title)
    else { return }
    if name.isPair { credential.notation = .pair }
    found(credential)
  }

  /// Tells whether a value is none that a person or a program would give to what has an open name.
  static func isRandom(_ value: [UInt8]) -> Bool {
    // `base64:…`, as Laravel has its keys.
    let start = value.starts(with: "base64:".utf8) ? 7 : 0
    return SecretShapes.isToken(value)
      || (RandomText.isSecret(value[start...]) || RandomText.isKey(value)) && !Prose.isOfWords(value)
      || value.count >= 12 && RandomText.isLetters(value)
  }

  /// Tells whether a string is a line of a private key, of which the last one may be short.
  static func isKeyLine(_ value: [UInt8], isLast: Bool) -> Bool {
    let isLong = value.count > (isLast ? 3 : 31) || value.last == 0x3d
    return value.allSatisfy(keyBytes.contains) && (isLong || RandomText.isSecret(value))
  }

  private static let keyBytes = ByteSet.word.adding("+/=")

  /// Tells whether what stands before a name is text.
  static func isInText(_ text: ByteSearch, _ start: Int) -> Bool {
    // A file in an archive begins behind zeros.
    if start >= 12, (start - 12..<start).allSatisfy({ text[$0] == 0 }) { return true }
    return BodyText.isText(text.bytes(max(0, start - 12)..<start).drop { $0 >= 0x80 && $0 < 0xc0 }.map(\.self))
  }

  /// Tells whether a value under a secret's name may be one.
  func takes(_ value: [UInt8], _ name: String) -> Bool {
    hidesAll
      || !Self.isErrorCode(name, value) && !Self.isLabel(value, name) && !Placeholder.isHarmless(value)
  }

  /// Tells a label of what bears the name (`"newPassword": "New password"`), a sum's currency (`"fromToken": "ETH"`), and
  /// a signature below a letter.
  private static func isLabel(_ value: [UInt8], _ name: String) -> Bool {
    let title = SecretNames.letters(name)
    // `client_token=self.client_token,`
    if value.count < 64, value.allSatisfy(path.contains) {
      let names = [String(decoding: value, as: UTF8.self), name].map { $0.split(separator: ".").last ?? "" }
      if SecretNames.letters(String(names[0])) == SecretNames.letters(String(names[1])) { return true }
    }
    // Of a package, for everybody: an ECDSA signature (RFC 3279 §2.2.3) in base64.
    if title == "sig", ["MEUCI", "MEQCI", "MEYCI"].contains(where: { value.starts(with: $0.utf8) }) { return true }
    // Of `fetch`.
    if title == "credentials", ["include", "same-origin", "omit"].contains(String(decoding: value, as: UTF8.self)) {
      return true
    }
    if title == "mnemonic" && Prose.isWord(value) || title == "accesskey" && value.count < 3 { return true }
    // A signature is no word, and no type of a function: `'D->d'`.
    if title.hasSuffix("signature") || title == "sig",
      value.count < 8 || value.contains(where: { $0 == 0x3e || $0 == 0x20 }) || ReadableText.isReadable(value)
    {
      return true
    }
    // Of a statement of AWS's policies.
    if title == "sid", value.allSatisfy(ByteSet.letter.contains) { return true }
    if title.hasSuffix("auth"), Placeholder.schemes.contains(String(decoding: value, as: UTF8.self).lowercased()) {
      return true
    }
    // `"token": "Zugangstoken"`, `{ token: accessToken }`, `"input_token": "NextToken"`: the name of a secret is none.
    if value.count < 32, !title.contains("auth"), ReadableText.isReadable(value) {
      let word = SecretNames.letters(String(decoding: value, as: UTF8.self))
      let isCapital =
        value.contains { (0x41...0x5a).contains($0) } && !value.contains(0x20) && !title.contains("pass")
      if title == "inputtoken" || title == "outputtoken" || SecretNameTable.isName(word)
        || isCapital && SecretNames.isParameter(word)
      {
        return true
      }
      if value.contains(0x2e), !value.contains(0x2f), title.hasSuffix("token") { return true }
    }
    if value.count < 6, title.hasSuffix("token"), value.allSatisfy({ (0x41...0x5a).contains($0) }) { return true }
    // Of AWS, a UUID that makes a request one; of Braintree, a secret.
    if title == "clienttoken" { return value.count == 36 && value.count(where: { $0 == 0x2d }) == 4 }
    guard value.contains(0x20), !value.contains(where: { (0x30...0x39).contains($0) || $0 == 0x3d })
    else { return false }
    // Of a wallet, twelve words; of a processor's command, one.
    if title == "mnemonic" { return false }
    let words = String(decoding: value.prefix(200), as: UTF8.self).lowercased().split(separator: " ").map(String.init)
    if title == "auth", words.count > 5, Prose.isSentence(value) { return true }
    // Nothing but blanks.
    guard let first = words.first else { return true }
    guard !title.contains("auth"), !Placeholder.schemes.contains(first) else { return false }
    // `"password": "my secret dapple cobalt"`
    if title.hasSuffix("password"), Prose.isPhrase(value), !words.contains(where: { $0.hasPrefix("pass") }) {
      return false
    }
    return SecretNames.letters(words.joined()) == title || title.count < 4 && first == title
      || !title.hasSuffix("phrase")
        && words.contains { $0.count > 4 && SecretNames.isParameter($0.filter(\.isLetter)) }
  }

  /// The endings of names whose value may be `user:password`.
  private static let ofUsers = ["basicauth", "creds"]
  private static let path = ByteSet.word.adding("_-.,;)")
  private static let kinds = [ByteSet.digit, ByteSet(0x41...0x5a), ByteSet(0x61...0x7a)]

  /// An error's code (`not_found`, `E_LIMIT`) bears the name of OAuth's, which always has digits or both cases.
  private static func isErrorCode(_ name: String, _ value: [UInt8]) -> Bool {
    let last = name.split { "[].:/".contains($0) }.last.map(String.init) ?? name
    guard last.utf8.count < 12, SecretNames.letters(last) == "code" else { return false }
    if value.count < SecretTable.shortest || value.contains(0x20) { return true }
    // Of diseases, coupons, keys; what is sent to a telephone has six digits, or a few more.
    if value.count < 12, !kinds.allSatisfy({ value.contains(where: $0.contains) }) {
      let isShown = (6...8).contains(value.count) && value.allSatisfy(ByteSet.word.contains)
      return !isShown || !value.contains { (0x30...0x39).contains($0) } || value[0] > 0x39 && Prose.isNumbered(value)
    }
    let letters = value.filter { (0x41...0x5a).contains($0 & ~0x20) }
    let hasOneCase = letters.allSatisfy { $0 & 0x20 == 0 } || letters.allSatisfy { $0 & 0x20 != 0 }
    return (hasOneCase || ReadableText.isReadable(value))
      && value.allSatisfy { (0x41...0x5a).contains($0 & ~0x20) || [0x20, 0x2d, 0x2e, 0x2f, 0x3a, 0x5f].contains($0) }
  }
}
