/// A text as conditions look at it: each view of it is made once, by the first condition that needs it.
///
/// It belongs to one thread.
package final class ConditionText {
  /// The text's UTF-8, valid throughout.
  let bytes: [UInt8]
  /// The same as a string.
  let string: String
  private var knownScalars: [UInt32]?

  /// Creates the text of some bytes; those that are no UTF-8 are replaced, as `String(decoding:as:)` replaces them.
  init(_ bytes: [UInt8]) {
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

  /// Whether it has some bytes in it; every text has the empty one.
  func contains(_ other: [UInt8]) -> Bool { other.isEmpty || bytes.firstIndex(of: other) != nil }

  /// Whether it is equal to another text, as `String` compares them: `é` may be one scalar or two.
  func equals(_ other: String) -> Bool {
    if bytes.elementsEqual(other.utf8) { return true }
    // Two texts of ASCII that differ in a byte differ.
    return isASCII && other.utf8.allSatisfy { $0 < 0x80 } ? false : string == other
  }

  private lazy var isASCII = bytes.allSatisfy { $0 < 0x80 }
}
