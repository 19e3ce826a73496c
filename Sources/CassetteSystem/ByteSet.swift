/// A set of ASCII bytes as a bit mask, which is fast in debug builds as well, unlike ranges in a `case`.
@usableFromInline
package struct ByteSet: Sendable {
  @usableFromInline var low: UInt64 = 0
  @usableFromInline var high: UInt64 = 0

  /// The set of letters and digits.
  package static let word = ByteSet(0x30...0x39, 0x41...0x5a, 0x61...0x7a)

  package init(_ ranges: ClosedRange<UInt8>..., adding more: String = "") {
    for range in ranges { for byte in range { insert(byte) } }
    for byte in more.utf8 { insert(byte) }
  }

  /// Returns a set that also contains the bytes of a string.
  package func adding(_ more: String) -> ByteSet {
    var set = self
    for byte in more.utf8 { set.insert(byte) }
    return set
  }

  private mutating func insert(_ byte: UInt8) {
    if byte < 64 { low |= 1 << UInt64(byte) } else if byte < 128 { high |= 1 << UInt64(byte - 64) }
  }

  @inlinable @inline(__always)
  package func contains(_ byte: UInt8) -> Bool {
    guard byte < 128 else { return false }
    return (byte < 64 ? low : high) &>> UInt64(truncatingIfNeeded: byte & 63) & 1 == 1
  }
}
