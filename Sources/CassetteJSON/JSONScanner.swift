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
  package static func skipKey(in bytes: Span<UInt8>, at: inout Int) throws(JSONTextError) {
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
