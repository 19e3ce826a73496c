internal import CassetteSystem

/// Tells words and what is made of them, `nextPageToken`, from letters that a generator put together.
package enum ReadableText {
  /// Tells whether a text of letters can be read: in any language, with capitals, blanks and hyphens between its words.
  package static func isReadable(_ value: some Collection<UInt8>) -> Bool {
    strangePairs(in: value).map { $0 <= (value.count < 14 ? 1 : max(2, value.count / 10)) } ?? false
  }

  /// Tells whether a text is certainly of words: every pair of its letters is frequent.
  package static func isOfWords(_ value: some Collection<UInt8>) -> Bool { strangePairs(in: value) == 0 }

  /// The number of pairs of letters that are rare in words; nil for what has other characters, or capitals everywhere.
  private static func strangePairs(in value: some Collection<UInt8>) -> Int? {
    var (letters, pieces, rare) = (0, 0, 0)
    // A place between two letters, from 1 for `a`; 0 where a word begins.
    var (last, wasUpper) = (0, false)
    for byte in value {
      let letter = Int(byte | 0x20) - 0x60
      guard (1...26).contains(letter), byte < 0x80 else {
        guard byte >= 0x80 || between.contains(byte) else { return nil }
        (last, wasUpper) = (0, false)
        continue
      }
      let isUpper = byte & 0x20 == 0
      if last == 0 || isUpper && !wasUpper { (pieces, last) = (pieces + 1, 0) }
      if last > 0, pairs[last - 1] & 1 << UInt32(letter) == 0 { rare += 1 }
      (last, wasUpper) = (letter, isUpper)
      letters += 1
    }
    return pieces * 3 <= max(3, letters + 1) ? rare : nil
  }

  private static let between = ByteSet(adding: " -_.:/'")

  /// The letters that often follow each letter in words, a bit for each: of 30,000 words in prose and programs the 320
  /// most frequent pairs.
  private static let pairs: [UInt32] = {
    var pairs = [UInt32](repeating: 0, count: 26)
    for group in groups.split(separator: " ") {
      let group = group.utf8.map { Int($0) - 0x60 }
      for letter in group.dropFirst() { pairs[group[0] - 1] |= 1 << UInt32(letter) }
    }
    return pairs
  }()

  private static let groups = """
    aabcdfgiklmnprstuvwxy baceijlmoqrsuy cacdehiklmorstuy dabcdefgilmorstu eabcdefgiklmnopqrstuvwxy \
    fabdefilorstu gaeghilnorsu haeiorstu iabcdefgklmnoprstvxz jaeo kaeilos lacdefilopstuy mabdeilmopsu \
    nabcdefgiklnoprstuv oabcdefgiklmnoprstuvwx pacehiloprstuy qu rabcdefgiklmnoprstuvy \
    sacdefhiklmnoprstuy tacdefhilmnoprstuwy uabcdefgilmnprst vaeio waehinors xceipt yelmnpst zaei
    """
}
