/// Validates UTF-8 (RFC 3629 §4).
package enum UTF8Check {
  /// Returns the length in bytes of the character at an offset, or 0 if it is invalid.
  package static func sequenceLength(in bytes: Span<UInt8>, at: Int) -> Int {
    guard at < bytes.count else { return 0 }
    let first = bytes[at]
    let length: Int
    // The range of the second byte excludes overlong forms, surrogates, and values above U+10FFFF.
    let second: ClosedRange<UInt8>
    switch first {
    case 0x00...0x7f: return 1
    case 0xc2...0xdf: (length, second) = (2, 0x80...0xbf)
    case 0xe0: (length, second) = (3, 0xa0...0xbf)
    case 0xed: (length, second) = (3, 0x80...0x9f)
    case 0xe1...0xef: (length, second) = (3, 0x80...0xbf)
    case 0xf0: (length, second) = (4, 0x90...0xbf)
    case 0xf1...0xf3: (length, second) = (4, 0x80...0xbf)
    case 0xf4: (length, second) = (4, 0x80...0x8f)
    default: return 0
    }
    guard at + length <= bytes.count, second.contains(bytes[at + 1]) else { return 0 }
    if length > 2, bytes[at + 2] & 0xc0 != 0x80 { return 0 }
    if length > 3, bytes[at + 3] & 0xc0 != 0x80 { return 0 }
    return length
  }
}
