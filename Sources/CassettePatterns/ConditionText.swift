internal import CassetteSystem

/// A text as conditions look at it: each view of it is made once, by the first condition that needs it.
///
/// It belongs to one thread.
package final class ConditionText {
  /// The text's UTF-8, valid throughout.
  let bytes: [UInt8]
  /// The text as a string.
  package let string: String
  /// The text's characters, as patterns count them.
  private(set) lazy var scalars = string.unicodeScalars.map(\.value)
  private lazy var count = string.unicodeScalars.count
  /// The number of times that each byte is in a sample of the text.
  private lazy var frequencies = bytes.searching { $0.sample() }
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

  /// Tells whether it has more characters than so many.
  func isLonger(than most: Int) -> Bool { bytes.count > most && count > most }

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
      bytes.count < 4_096 ? 0 : other.indices.min { frequencies[Int(other[$0])] < frequencies[Int(other[$1])] } ?? 0
    return bytes.searching { text in other.searching { text.first($0, rarest: rarest, from: from) } }
  }

  /// Tells whether it is equal to another text, as `String` compares them: `é` may be one scalar or two.
  package func equals(_ other: String) -> Bool { string == other }
}
