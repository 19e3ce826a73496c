internal import CassetteSystem

/// Tells what a generator made from what a person wrote.
package enum RandomText {
  /// Random letters and digits have between five and six bits each; words and paths have fewer than four.
  private static let leastBits = 4.0
  private static let leastLength = 20
  private static let parts = ByteSet.word.adding("+-./=_")

  /// Tells whether a value is long and random, and of the characters that tokens are written in.
  package static func isSecret(_ value: some Collection<UInt8>) -> Bool {
    guard value.count >= leastLength, value.count <= 4096, value.allSatisfy(parts.contains) else { return false }
    var counts = [Int](repeating: 0, count: 128)
    for byte in value { counts[Int(byte)] += 1 }
    let digits = counts[0x30...0x39].reduce(0, +)
    guard digits > 0, digits < value.count else { return false }
    // Hexadecimal has four bits at most.
    let isHex = counts.indices.allSatisfy { counts[$0] == 0 || UInt8($0).hexadecimalValue != nil }
    // Base 32 has five.
    let isUpper = digits > 2 && counts[0x30...0x39].reduce(counts[0x41...0x5a].reduce(0, +), +) == value.count
    return entropy(of: counts, value.count) >= (isHex ? 3.2 : isUpper ? 3.6 : leastBits)
  }

  /// Tells whether a value is a key: groups of one length, `29AV1-3OFV9-VVIUB`, or 16 to 32 letters and digits.
  package static func isKey(_ value: [UInt8]) -> Bool {
    let groups = value.split(separator: 0x2d, omittingEmptySubsequences: false)
    let (text, size) = (Array(groups.joined()), groups[0].count)
    guard text.allSatisfy(ByteSet.word.contains), groups.allSatisfy({ $0.count == size }),
      groups.count > 2 ? (4...8).contains(size) : groups.count == 1 && (16...32).contains(size),
      // Sixteen hexadecimal digits are the number of something.
      groups.count > 1 || text.contains(where: { $0.hexadecimalValue == nil })
    else { return false }
    // Words with numbers change a few times.
    return entropy(of: text) > 3 && zip(text, text.dropFirst()).count { $0.isDigit != $1.isDigit } > 3
  }

  /// Tells whether a value is of letters that make no words.
  package static func isLetters(_ value: some Collection<UInt8>) -> Bool {
    value.count >= 8 && value.allSatisfy { (0x61...0x7a).contains($0 | 0x20) } && !ReadableText.isReadable(value)
  }

  /// Returns the number of bits in each byte of a text (Shannon).
  package static func entropy(of text: some Collection<UInt8>) -> Double {
    var counts = [Int](repeating: 0, count: 256)
    for byte in text { counts[Int(byte)] += 1 }
    return entropy(of: counts, text.count)
  }

  private static func entropy(of counts: [Int], _ total: Int) -> Double {
    var bits = 0.0
    for count in counts where count > 0 {
      let share = Double(count) / Double(total)
      bits -= share * log2(share)
    }
    return bits
  }
}
