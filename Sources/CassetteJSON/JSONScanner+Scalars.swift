internal import CassetteSystem

/// Skips strings, numbers, `true`, `false` and `null`.
extension JSONScanner {
  /// Returns a word with the high bit of each byte set that is a quote, a backslash, a control character or not ASCII.
  ///
  /// Bits above the lowest one may be wrong, because a borrow propagates upwards; the lowest one is right.
  @inline(__always)
  static func stops(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = (word ^ 0x2222_2222_2222_2222) &- ones
    let backslashes = (word ^ 0x5c5c_5c5c_5c5c_5c5c) &- ones
    let controls = word &- 0x2020_2020_2020_2020
    return (quotes | backslashes | controls | word) & 0x8080_8080_8080_8080
  }

  /// Skips the rest of a string after its opening quote; returns true if it contains escapes.
  @discardableResult
  static func skipStringContent(_ bytes: Span<UInt8>, _ at: inout Int) throws(JSONTextError) -> Bool {
    var hasEscapes = false
    while true {
      while at &+ 8 <= bytes.count {
        let stops = Self.stops(in: bytes.word(at))
        if stops != 0 {
          at &+= stops.trailingZeroBitCount &>> 3
          break
        }
        at &+= 8
      }
      guard at < bytes.count else { throw JSONTextError("a string is not closed", at: at) }
      let byte = bytes[at]
      if byte == UInt8(ascii: "\"") {
        at += 1
        return hasEscapes
      } else if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        try skipEscape(bytes, &at)
      } else if byte < 0x20 {
        throw JSONTextError("a control character in a string must be escaped", at: at)
      } else if byte < 0x80 {
        at += 1
      } else {
        repeat {
          let length = UTF8Check.sequenceLength(in: bytes, at: at)
          guard length > 0 else { throw JSONTextError("the string is not valid UTF-8", at: at) }
          at += length
        } while at < bytes.count && bytes[at] >= 0x80
      }
    }
  }

  private static func skipEscape(_ bytes: Span<UInt8>, _ at: inout Int) throws(JSONTextError) {
    guard at + 1 < bytes.count else { throw JSONTextError("a string is not closed", at: bytes.count) }
    switch bytes[at + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      at += 2
    case UInt8(ascii: "u"):
      guard at + 6 <= bytes.count else { throw JSONTextError("\"\\u\" needs four hexadecimal digits", at: at) }
      for digit in at + 2..<at + 6 where bytes[digit].hexadecimalValue == nil {
        throw JSONTextError("\"\\u\" needs four hexadecimal digits", at: at)
      }
      at += 6
    default:
      throw JSONTextError("unknown escape sequence", at: at)
    }
  }

  @inline(__always)
  static func skipScalar(_ bytes: Span<UInt8>, _ at: inout Int) throws(JSONTextError) {
    switch bytes[at] {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      try skipNumber(bytes, &at)
    case UInt8(ascii: "t"):
      try skipWord("true", bytes, &at)
    case UInt8(ascii: "f"):
      try skipWord("false", bytes, &at)
    case UInt8(ascii: "n"):
      try skipWord("null", bytes, &at)
    default:
      throw JSONTextError("expected a value", at: at)
    }
  }

  private static func skipWord(_ word: StaticString, _ bytes: Span<UInt8>, _ at: inout Int) throws(JSONTextError) {
    let length = word.utf8CodeUnitCount
    guard at + length <= bytes.count else { throw JSONTextError("expected a value", at: at) }
    for index in 0..<length where bytes[at + index] != word.utf8Start[index] {
      throw JSONTextError("expected a value", at: at)
    }
    at += length
  }

  private static func skipNumber(_ bytes: Span<UInt8>, _ at: inout Int) throws(JSONTextError) {
    var end = at
    if bytes[end] == UInt8(ascii: "-") { end += 1 }
    if end < bytes.count, bytes[end] == UInt8(ascii: "0") {
      end += 1
      if end < bytes.count, bytes[end].isDigit { throw JSONTextError("a number must not begin with a zero", at: at) }
    } else {
      try skipDigits(bytes, &end)
    }
    if end < bytes.count, bytes[end] == UInt8(ascii: ".") {
      end += 1
      try skipDigits(bytes, &end)
    }
    if end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "e") {
      end += 1
      if end < bytes.count, bytes[end] == UInt8(ascii: "+") || bytes[end] == UInt8(ascii: "-") { end += 1 }
      try skipDigits(bytes, &end)
    }
    at = end
  }

  private static func skipDigits(_ bytes: Span<UInt8>, _ at: inout Int) throws(JSONTextError) {
    guard at < bytes.count, bytes[at].isDigit else { throw JSONTextError("expected a digit", at: at) }
    repeat { at += 1 } while at < bytes.count && bytes[at].isDigit
  }
}

extension Span<UInt8> {
  /// Returns eight bytes as a little-endian word; the caller must have checked the bounds.
  ///
  /// Unchecked, because a second bounds check would add a tenth to the time of the whole scan.
  @inlinable @inline(__always)
  package func word(_ at: Int) -> UInt64 {
    UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: at, as: UInt64.self))
  }
}
