internal import CassetteSystem

/// Validates JSON (RFC 8259) and skips values.
///
/// Nothing is decoded or copied. Strings and white space are scanned eight bytes at a time.
public enum JSONScanner {
  /// The maximum nesting depth of arrays and objects.
  public static let depthLimit = 512

  /// Skips one value, which must conform to RFC 8259 and be valid UTF-8.
  ///
  /// White space before the value is skipped; the bytes after the value are not read.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - offset: The offset at which to begin; on return, the offset after the value. Unchanged if an error is thrown.
  ///   - depthLimit: The maximum nesting depth of arrays and objects. Default: 512.
  /// - Throws: The first syntax error, with its offset.
  public static func skipValue(
    in bytes: Span<UInt8>, at offset: inout Int, depthLimit: Int = depthLimit
  ) throws(JSONTextError) {
    var at = offset
    var nesting = Nesting()
    value: while true {
      skipWhitespace(in: bytes, at: &at)
      guard at < bytes.count else { throw JSONTextError("expected a value, but the text ends", at: at) }
      switch bytes[at] {
      case UInt8(ascii: "\""):
        at += 1
        try skipStringContent(bytes, &at)
      case UInt8(ascii: "{"):
        guard nesting.depth < depthLimit else { throw tooDeep(depthLimit, at) }
        at += 1
        skipWhitespace(in: bytes, at: &at)
        if at < bytes.count, bytes[at] == UInt8(ascii: "}") {
          at += 1
        } else {
          nesting.push(isObject: true)
          try skipKey(in: bytes, at: &at)
          continue value
        }
      case UInt8(ascii: "["):
        guard nesting.depth < depthLimit else { throw tooDeep(depthLimit, at) }
        at += 1
        skipWhitespace(in: bytes, at: &at)
        if at < bytes.count, bytes[at] == UInt8(ascii: "]") {
          at += 1
        } else {
          nesting.push(isObject: false)
          continue value
        }
      default:
        try skipScalar(bytes, &at)
      }
      // After a value, its container continues or ends; in the latter case, the container is a value that has ended.
      while true {
        guard nesting.depth > 0 else {
          offset = at
          return
        }
        skipWhitespace(in: bytes, at: &at)
        let isObject = nesting.isObject
        guard at < bytes.count else {
          throw JSONTextError(isObject ? "an object is not closed" : "an array is not closed", at: at)
        }
        let byte = bytes[at]
        if byte == UInt8(ascii: ",") {
          at += 1
          if isObject { try skipKey(in: bytes, at: &at) }
          continue value
        }
        guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
          throw JSONTextError(isObject ? "expected \",\" or \"}\"" : "expected \",\" or \"]\"", at: at)
        }
        at += 1
        nesting.pop()
      }
    }
  }

  /// Checks that a document consists of a single value.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - depthLimit: The maximum nesting depth of arrays and objects. Default: 512.
  /// - Throws: The first syntax error, with its offset.
  public static func validate(_ bytes: Span<UInt8>, depthLimit: Int = depthLimit) throws(JSONTextError) {
    var at = 0
    try skipValue(in: bytes, at: &at, depthLimit: depthLimit)
    skipWhitespace(in: bytes, at: &at)
    if at < bytes.count { throw JSONTextError("unexpected text after the value", at: at) }
  }

  /// Skips spaces, tabs and line breaks.
  @inline(__always)
  public static func skipWhitespace(in bytes: Span<UInt8>, at: inout Int) {
    while at < bytes.count {
      let byte = bytes[at]
      if byte > 0x20 { return }
      if byte == 0x0a {
        // A line break is often followed by many spaces of indentation.
        at += 1
        while at &+ 8 <= bytes.count {
          let differing = bytes.word(at) ^ 0x2020_2020_2020_2020
          if differing != 0 {
            at &+= differing.trailingZeroBitCount &>> 3
            break
          }
          at &+= 8
        }
      } else if byte == 0x20 || byte == 0x0d || byte == 0x09 {
        at += 1
      } else {
        return
      }
    }
  }

  /// Skips a string, including its quotes.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - at: The offset of the opening quote; on return, the offset after the closing quote.
  /// - Returns: True if the string contains escapes, so that its bytes must be decoded.
  /// - Throws: The first syntax error, with its offset.
  @discardableResult
  public static func skipString(in bytes: Span<UInt8>, at: inout Int) throws(JSONTextError) -> Bool {
    guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") else { throw JSONTextError("expected a string", at: at) }
    at += 1
    return try skipStringContent(bytes, &at)
  }

  /// Skips a member's name and the following colon, including white space.
  @inline(__always)
  static func skipKey(in bytes: Span<UInt8>, at: inout Int) throws(JSONTextError) {
    skipWhitespace(in: bytes, at: &at)
    guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") else {
      throw JSONTextError("expected a member's name in double quotes", at: at)
    }
    at += 1
    try skipStringContent(bytes, &at)
    try skipColon(in: bytes, at: &at)
  }

  @inline(__always)
  package static func skipColon(in bytes: Span<UInt8>, at: inout Int) throws(JSONTextError) {
    skipWhitespace(in: bytes, at: &at)
    guard at < bytes.count, bytes[at] == UInt8(ascii: ":") else {
      throw JSONTextError("expected \":\" after a member's name", at: at)
    }
    at += 1
  }

  private static func tooDeep(_ limit: Int, _ at: Int) -> JSONTextError {
    JSONTextError("arrays and objects are nested more than \(limit) levels deep", at: at)
  }
}

/// The types of the enclosing containers, one bit each, with the innermost in the lowest bit.
private struct Nesting {
  private(set) var depth = 0
  private var kinds: UInt64 = 0
  private var outer: [UInt64] = []

  var isObject: Bool { kinds & 1 == 1 }

  @inline(__always)
  mutating func push(isObject: Bool) {
    if depth & 63 == 0, depth > 0 { outer.append(kinds) }
    kinds = kinds &<< 1 | (isObject ? 1 : 0)
    depth &+= 1
  }

  @inline(__always)
  mutating func pop() {
    depth &-= 1
    kinds &>>= 1
    if depth & 63 == 0, let last = outer.popLast() { kinds = last }
  }
}

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
