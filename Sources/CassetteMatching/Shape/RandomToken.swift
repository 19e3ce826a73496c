internal import CassetteJSON
internal import CassetteSecrets
internal import CassetteSystem

/// Distinguishes random tokens from words, names, versions and meaningful numbers.
enum RandomToken {
  /// The maximum length of a token: longer ones contain data.
  private static let longest = 128
  private static let shortest = 16

  /// Returns true if letters and digits without separators are random: hexadecimal, a ULID, or base 62.
  static func isRandom(_ text: ByteSearch, _ range: Range<Int>) -> Bool {
    guard range.count >= shortest else { return false }
    return isHexadecimal(text, range) || isULID(text, range) || isMixed(text, range, separators: 0)
  }

  /// Returns true if letters, digits and the other characters of base64 are random as a whole.
  static func isRandomWithSeparators(_ text: ByteSearch, _ range: Range<Int>) -> Bool {
    range.count >= shortest && isMixed(text, range, separators: max(1, range.count / 8))
  }

  /// Returns true if the range consists of hexadecimal digits with frequent changes between letters and digits.
  static func isHexadecimal(_ text: ByteSearch, _ range: Range<Int>) -> Bool {
    guard range.count >= shortest, range.count <= longest else { return false }
    for index in range where text[index] &- 0x30 >= 10 && (text[index] | 0x20) &- 0x61 >= 6 { return false }
    // The beginning of an IBAN may consist of hexadecimal digits, too.
    return Makeup(text, range).map { $0.pieces >= 4 && $0.distinct >= 6 } ?? false
  }

  /// Returns true for a ULID: 26 characters of Crockford's base 32 in one case, which begin with a time.
  static func isULID(_ text: ByteSearch, _ range: Range<Int>) -> Bool {
    guard range.count == 26, text[range.lowerBound] &- 0x30 < 8 else { return false }
    var cases: UInt8 = 0
    for index in range {
      let byte = text[index]
      if byte &- 0x30 < 10 { continue }
      let letter = byte | 0x20
      guard letter &- 0x61 < 26, !ilou.contains(letter) else { return false }
      cases |= byte & 0x20 == 0 ? 1 : 2
    }
    return cases == 1 || cases == 2
  }

  private static let ilou = ByteSet(adding: "ilou")
  private static let vowels = ByteSet(adding: "aeiouyAEIOUY")

  /// The numbers of a token's characters by kind.
  private struct Makeup {
    var lower = 0
    var upper = 0
    var digits = 0
    var separators = 0
    /// The number of runs of one kind; a capital letter belongs to the small letters after it.
    var pieces = 0
    /// The number of letters in runs that could be words.
    var inWords = 0
    private var seen: (UInt64, UInt64) = (0, 0)

    var distinct: Int { seen.0.nonzeroBitCount + seen.1.nonzeroBitCount }

    init?(_ text: ByteSearch, _ range: Range<Int>) {
      var at = range.lowerBound
      while at < range.upperBound {
        let start = at
        var kind = Self.kind(text[at])
        guard kind != 0 else { return nil }
        at += 1
        if kind == 4 {
          separators += 1
          continue
        }
        if kind == 2, at < range.upperBound, Self.kind(text[at]) == 1 { kind = 1 }
        while at < range.upperBound, Self.kind(text[at]) == kind { at += 1 }
        pieces += 1
        take(text, start..<at)
      }
    }

    private static func kind(_ byte: UInt8) -> Int {
      if byte &- 0x61 < 26 { return 1 }
      if byte &- 0x41 < 26 { return 2 }
      if byte &- 0x30 < 10 { return 3 }
      return RandomToken.separators.contains(byte) ? 4 : 0
    }

    private mutating func take(_ text: ByteSearch, _ run: Range<Int>) {
      var vowels = 0
      for index in run {
        let byte = text[index]
        if byte < 64 { seen.0 |= 1 << UInt64(byte) } else { seen.1 |= 1 << UInt64(byte - 64) }
        if byte &- 0x30 < 10 { digits += 1 } else if byte & 0x20 == 0 { upper += 1 } else { lower += 1 }
        if RandomToken.vowels.contains(byte) { vowels += 1 }
      }
      let isWord = run.count >= 3 && text[run.lowerBound] >= 0x41 && vowels * 10 >= run.count * 3
      if isWord { inWords += run.count }
    }
  }

  private static let separators = ByteSet(adding: "_-+/.~")

  private static func isMixed(_ text: ByteSearch, _ range: Range<Int>, separators: Int) -> Bool {
    guard range.count <= longest, let makeup = Makeup(text, range), makeup.separators <= separators,
      makeup.distinct >= 8, makeup.inWords * 2 <= range.count
    else { return false }
    let count = range.count - makeup.separators
    if makeup.lower > 0, makeup.upper > 0 {
      return makeup.digits >= 2 && makeup.pieces * 16 >= count * 5 && !isEncodedText(text, range)
    }
    // Serial numbers use one case, too: frequent changes between letters and digits are required.
    return makeup.separators == 0 && makeup.digits >= 3 && makeup.pieces * 3 > count && !isEncodedText(text, range)
  }

  /// Returns true for base64 that encodes text, which is meaningful data.
  private static func isEncodedText(_ text: ByteSearch, _ range: Range<Int>) -> Bool {
    guard let decoded = RedactionBase64.decode(text, range) else { return false }
    return BodyText.isText(decoded)
  }
}
