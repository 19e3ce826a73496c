internal import CassetteSystem

/// The text that conditions are applied to, with views of it that are created on first use.
///
/// Not thread-safe: an instance must be used by a single thread.
package final class ConditionText {
  /// The text in UTF-8; invalid input has been replaced.
  let bytes: [UInt8]
  /// The text as a string.
  package let string: String
  /// The Unicode scalars of the text, which are the units of patterns.
  private(set) lazy var scalars = string.unicodeScalars.map(\.value)
  private lazy var count = string.unicodeScalars.count
  /// The text in lower case.
  package private(set) lazy var lowercased = string.lowercased()

  /// Creates a text from bytes; invalid UTF-8 is replaced as by `String(decoding:as:)`.
  package init(_ bytes: [UInt8]) {
    string = String(decoding: bytes, as: UTF8.self)
    self.bytes = Array(string.utf8)
  }

  /// Creates a text from a string.
  package init(_ text: String) {
    bytes = Array(text.utf8)
    string = text
  }

  /// Returns true if the text has more than `most` Unicode scalars.
  func isLonger(than most: Int) -> Bool { bytes.count > most && count > most }

  /// Returns true if the text contains some bytes; the empty array is contained in every text.
  package func contains(_ other: [UInt8]) -> Bool { other.isEmpty || first(other, from: 0) != nil }

  /// Returns true if the text begins with some bytes.
  func hasPrefix(_ other: [UInt8]) -> Bool {
    other.isEmpty || bytes.searching { text in other.searching { text.has($0, at: 0) } }
  }

  /// Returns true if the text ends with some bytes.
  func hasSuffix(_ other: [UInt8]) -> Bool {
    other.isEmpty || bytes.searching { text in other.searching { text.has($0, at: text.count - $0.count) } }
  }

  /// Returns the first offset of some bytes, at or after an offset.
  func first(_ other: [UInt8], from: Int) -> Int? { bytes.firstIndex(of: other, from: from) }

  /// Returns true if the text equals a string, as `String` compares them: `é` may be one scalar or two.
  package func equals(_ other: String) -> Bool { string == other }
}
