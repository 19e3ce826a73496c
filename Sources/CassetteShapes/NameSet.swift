package import CassetteSystem

/// Names that are told by their letters and digits, whatever else is in them, where they stand in a text.
package struct NameSet: Sendable {
  private let hashes: [UInt64]
  private let longest: Int

  /// Creates a set of names in small letters.
  package init(_ names: [String]) {
    hashes = names.map { Array($0.utf8).searching { Self.hash($0, 0..<$0.count) } }.sorted()
    longest = 2 * (names.map(\.utf8.count).max() ?? 0)
  }

  /// Tells whether one of the names stands at a place, whatever its case and punctuation.
  package func contains(_ text: ByteSearch, _ range: Range<Int>) -> Bool {
    range.count <= longest && hashes.contains(Self.hash(text, range))
  }

  private static let word = ByteSet.word

  private static func hash(_ text: ByteSearch, _ range: Range<Int>) -> UInt64 {
    var hash: UInt64 = 0
    let word = word
    for at in range where text[at] >= 0x80 || word.contains(text[at]) {
      hash = (hash ^ UInt64(SecretPattern.folded(text[at]))) &* 0x9e37_79b9_7f4a_7c15
      hash ^= hash &>> 29
    }
    return hash
  }
}
