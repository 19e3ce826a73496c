internal import CassetteSystem

/// Recognizes base64 data, such as an image, in which random characters may look like a token.
enum Base64Data {
  /// The number of characters on each side of a match that are examined.
  private static let reach = 256

  /// True if a match is a part of a longer run of base64, and the rest of the run does not consist of words.
  ///
  /// Tokens in paths and file names are next to words; base64 changes between capitals, small letters and digits at
  /// three of five characters.
  static func contains(_ match: Range<Int>, in text: ByteSearch) -> Bool {
    let alphabet = RedactionBase64.alphabet
    var end = match.upperBound
    while end > match.lowerBound, text[end - 1] == UInt8(ascii: "=") { end -= 1 }
    guard text.end(of: alphabet, from: match.lowerBound, atMost: match.count) == end else { return false }
    let first = max(0, match.lowerBound - reach)
    let before = text.beginning(of: alphabet, before: match.lowerBound, after: first)..<match.lowerBound
    let after = match.upperBound..<text.end(of: alphabet, from: match.upperBound, atMost: reach)
    guard !before.isEmpty || !after.isEmpty else { return false }
    return isRandom(before, after, text)
  }

  private static func isRandom(_ before: Range<Int>, _ after: Range<Int>, _ text: ByteSearch) -> Bool {
    var (pairs, changes, capitals, small) = (0, 0, 0, 0)
    for range in [before, after] {
      var (last, length): (Kind?, Int) = (nil, 0)
      for at in range {
        let kind = Kind(text[at])
        length = kind == nil ? 0 : length + 1
        // Silence and plain areas are runs of one character, longer than any word.
        if length == 64 { return true }
        capitals += kind == .capital ? 1 : 0
        small += kind == .small ? 1 : 0
        if let last, let kind {
          pairs += 1
          changes += kind == last ? 0 : 1
        }
        last = kind
      }
    }
    return pairs > 5 && changes * 5 >= pairs * 2 && min(capitals, small) * 4 >= max(capitals, small)
  }

  private enum Kind {
    case capital, small, digit

    init?(_ byte: UInt8) {
      switch byte {
      case 0x41...0x5a: self = .capital
      case 0x61...0x7a: self = .small
      case 0x30...0x39: self = .digit
      default: return nil
      }
    }
  }
}
