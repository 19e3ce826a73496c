internal import CassetteJSON
internal import CassetteShapes
internal import CassetteSystem

/// Deciding if a value under a secret's name is taken: a placeholder, or what can be no secret, stays.
extension SecretFinder {
  /// Takes a value, unless it stands for a secret that is gone, or can be none.
  func take(
    _ name: Name, _ range: Range<Int>, _ value: [UInt8], in text: ByteSearch, isWithin: Bool = false,
    _ found: (Found) -> Void
  ) {
    guard !value.isEmpty else { return }
    let title = SecretNames.text(text, name.range)
    if ["cookie", "set-cookie"].contains(title.lowercased()), range.count == value.count {
      return cookies(in: value, isSetCookie: title.count > 6) {
        var cookie = $0
        cookie.range = range.lowerBound + cookie.range.lowerBound..<range.lowerBound + cookie.range.upperBound
        cookie.name = title
        found(cookie)
      }
    }
    switch name.verdict {
    case .harmless, .holder: return
    case .secretIfToken:
      guard
        SecretShapes.isToken(value) || RandomText.isSecret(value)
          || Prose.isMixed(value) && value.count >= 8 && !Prose.isNumbered(value)
            && SecretNameTable.passwords.contains(text, name.range)
      else { return }
    // Words of a model are tokens, too.
    case .several: guard value.count >= 8, !value.contains(0x20), !Prose.isWord(value) else { return }
    case .secret: break
    }
    guard name.isChosen || takes(value, title),
      !redaction.kept.contains(.value(String(decoding: value, as: UTF8.self))),
      var credential = Self.credential(range, value, ofField: title)
    else { return }
    if name.isPair { credential.notation = .pair }
    found(credential)
  }

  /// Tells whether what stands before a name is text.
  static func isInText(_ text: ByteSearch, _ start: Int) -> Bool {
    BodyText.isText(text.bytes(max(0, start - 12)..<start).drop { $0 >= 0x80 && $0 < 0xc0 }.map(\.self))
  }

  /// Tells whether a value under a secret's name may be one.
  func takes(_ value: [UInt8], _ name: String) -> Bool {
    hidesAll || !Self.isErrorCode(name, value) && !Placeholder.isHarmless(value, under: name)
  }

  /// An error's code (`not_found`, `E_LIMIT`) bears the name of OAuth's, which always has digits or both cases.
  private static func isErrorCode(_ name: String, _ value: [UInt8]) -> Bool {
    guard name.utf8.count < 12, SecretNames.letters(name) == "code" else { return false }
    if value.count < SecretTable.shortest { return true }
    let letters = value.filter { (0x41...0x5a).contains($0 & ~0x20) }
    let hasOneCase = letters.allSatisfy { $0 & 0x20 == 0 } || letters.allSatisfy { $0 & 0x20 != 0 }
    return hasOneCase
      && value.allSatisfy { (0x41...0x5a).contains($0 & ~0x20) || [0x20, 0x2d, 0x2e, 0x2f, 0x3a, 0x5f].contains($0) }
  }
}
