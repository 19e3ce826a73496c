internal import CassetteSystem

/// A text as conditions look at it: each view of it is made once, by the first condition that needs it.
///
/// It belongs to one thread.
package final class ConditionText {
  /// The text's UTF-8, valid throughout.
  let bytes: [UInt8]
  /// The same as a string.
  package let string: String
  private var knownScalars: [UInt32]?
  private var knownCount: Int?
  private var frequencies: [Int]?
  /// The text in lower case.
  package private(set) lazy var lowercased = string.lowercased()

  /// Creates the text of some bytes; those that are no UTF-8 are replaced, as `String(decoding:as:)` replaces them.
  package init(_ bytes: [UInt8]) {
    string = String(decoding: bytes, as: UTF8.self)
    self.bytes = Array(string.utf8)
  }

  /// Creates a text to be looked at.
  package init(_ text: String) {
    bytes = Array(text.utf8)
    string = text
  }

  /// The text's characters, as patterns count them.
  var scalars: [UInt32] {
    if let knownScalars { return knownScalars }
    let scalars = string.unicodeScalars.map(\.value)
    knownScalars = scalars
    return scalars
  }

  /// Tells whether it has more characters than so many.
  func isLonger(than most: Int) -> Bool {
    if bytes.count <= most { return false }
    if let knownCount { return knownCount > most }
    let count = string.unicodeScalars.count
    knownCount = count
    return count > most
  }

  /// Tells whether it has some bytes in it; every text has the empty one.
  package func contains(_ other: [UInt8]) -> Bool { other.isEmpty || first(other, from: 0) != nil }

  /// Tells whether it begins with some bytes.
  func hasPrefix(_ other: [UInt8]) -> Bool {
    other.isEmpty || bytes.searching { text in other.searching { text.has($0, at: 0) } }
  }

  /// Tells whether it ends with some bytes.
  func hasSuffix(_ other: [UInt8]) -> Bool {
    other.isEmpty || bytes.searching { text in other.searching { text.has($0, at: text.count - $0.count) } }
  }

  /// The place at or after an offset where some bytes first stand.
  func first(_ other: [UInt8], from: Int) -> Int? {
    // In a long text the rarest byte is looked for; a short one is searched sooner than counted.
    let rarest =
      bytes.count < 4_096 ? 0 : other.indices.min { frequency(of: other[$0]) < frequency(of: other[$1]) } ?? 0
    return bytes.searching { text in other.searching { text.first($0, rarest: rarest, from: from) } }
  }

  /// Estimates how often a byte is in the text, from a sample.
  private func frequency(of byte: UInt8) -> Int {
    if let frequencies { return frequencies[Int(byte)] }
    let counted = bytes.searching { $0.sample() }
    frequencies = counted
    return counted[Int(byte)]
  }

  /// Tells whether it is equal to another text, as `String` compares them: `é` may be one scalar or two.
  package func equals(_ other: String) -> Bool { string == other }
}
