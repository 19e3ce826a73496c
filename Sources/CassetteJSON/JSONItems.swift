/// Iterates over the members of an object or the elements of an array.
///
/// After each step, the offset is at the item's value, which the caller must skip.
package struct JSONItems {
  /// True for an object, whose items have names.
  package let isObject: Bool
  /// The range of the member's name between its quotes; empty in an array.
  package private(set) var name = 0..<0
  private var isFirst = true

  /// Skips an opening bracket; fails if there is none at the offset.
  package init?(in bytes: Span<UInt8>, at: inout Int) {
    guard at < bytes.count, bytes[at] == UInt8(ascii: "{") || bytes[at] == UInt8(ascii: "[") else { return nil }
    isObject = bytes[at] == UInt8(ascii: "{")
    at += 1
  }

  /// Advances from the end of the previous item to the value of the next one.
  ///
  /// - `at`: The offset of the end of the previous item; on return, that of the value or of the end of the container.
  ///
  /// Returns false at the end of the container.
  package mutating func next(in bytes: Span<UInt8>, at: inout Int) throws(JSONTextError) -> Bool {
    JSONScanner.skipWhitespace(in: bytes, at: &at)
    let close = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    if at < bytes.count, bytes[at] == close {
      at += 1
      return false
    }
    if !isFirst {
      guard at < bytes.count, bytes[at] == UInt8(ascii: ",") else {
        throw JSONTextError(isObject ? "expected \",\" or \"}\"" : "expected \",\" or \"]\"", at: at)
      }
      at += 1
      JSONScanner.skipWhitespace(in: bytes, at: &at)
    }
    isFirst = false
    guard isObject else { return true }
    let start = at + 1
    try JSONScanner.skipString(in: bytes, at: &at)
    name = start..<at - 1
    try JSONScanner.skipColon(in: bytes, at: &at)
    JSONScanner.skipWhitespace(in: bytes, at: &at)
    return true
  }
}
