/// The bytes and character classes of the HTTP grammar.
///
/// A class is a bit mask for the 128 ASCII characters. Two constants need no initialization, whereas a table would be
/// created on first use.
@usableFromInline
package enum ASCII {
  @inlinable @inline(__always) package static var tab: UInt8 { 0x09 }
  @inlinable @inline(__always) package static var space: UInt8 { 0x20 }

  @inlinable @inline(__always)
  static func isMember(_ byte: UInt8, low: UInt64, high: UInt64) -> Bool {
    let half = byte & 0x40 == 0 ? low : high
    return byte < 0x80 && (half &>> UInt64(byte & 0x3F)) & 1 != 0
  }

  /// Returns true for a `tchar`, the characters of methods, field names and other tokens (RFC 9110 §5.6.2).
  @inlinable @inline(__always)
  package static func isToken(_ byte: UInt8) -> Bool {
    let half: UInt64 = byte & 0x40 == 0 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
    return byte < 0x80 && (half &>> UInt64(byte & 0x3F)) & 1 != 0
  }

  /// Returns true for the characters of a `reg-name` (RFC 3986 §3.2.2).
  ///
  /// The digits after a `%` are not validated.
  @inlinable @inline(__always)
  static func isRegisteredName(_ byte: UInt8) -> Bool {
    isMember(byte, low: 0x2BFF_7FF2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)
  }

  /// Returns true for the characters of `userinfo`: those of a name, and the colon (RFC 3986 §3.2.1).
  @inlinable @inline(__always)
  static func isUserInformation(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ":") || isRegisteredName(byte)
  }

  /// Returns true for space and tab, the optional white space in fields (RFC 9110 §5.6.3).
  @inlinable @inline(__always)
  package static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }

  @inlinable @inline(__always)
  package static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

  @inlinable
  package static func equalIgnoringCase(_ left: String, _ right: String) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    var (left, right) = (left, right)
    return left.withUTF8 { left in
      right.withUTF8 { right in left.indices.allSatisfy { lowercased(left[$0]) == lowercased(right[$0]) } }
    }
  }

  /// Returns true if a range of bytes equals `word`, compared case-insensitively.
  ///
  /// The word must consist of lower-case letters, digits and hyphens, and the bytes must be a token. Setting one bit of
  /// each byte is then sufficient for the comparison.
  @inlinable @inline(__always)
  package static func isWord(_ word: StaticString, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    guard range.count == word.utf8CodeUnitCount else { return false }
    // Other views of a static string allocate memory.
    let letters = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    for index in letters.indices where bytes[range.lowerBound &+ index] | 0x20 != letters[index] { return false }
    return true
  }

  @inlinable
  package static func trimmingBlanks(_ text: Substring) -> Substring {
    var text = text
    while let first = text.utf8.first, isBlank(first) { text.removeFirst() }
    while let last = text.utf8.last, isBlank(last) { text.removeLast() }
    return text
  }
}
