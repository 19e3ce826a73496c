internal import CassetteHTTP

/// Finds the end of a name, a target or a value, eight bytes per step.
///
/// Each step loads a word and sets the high bit of every byte that ends the search. Sums of seven-bit numbers do not
/// carry into the next byte, so every mark is exact. The remaining bytes of the buffer (fewer than eight) are checked
/// one at a time.
enum ByteScan {
  @inline(__always)
  private static func every(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

  @inline(__always)
  private static func word(_ bytes: RawSpan, _ at: Int) -> UInt64 {
    // Bounds are checked. The call is "unsafe" only because it interprets any eight bytes as an integer.
    UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: at, as: UInt64.self))
  }

  /// Returns eight bytes as an integer, little-endian.
  ///
  /// The caller has checked that eight bytes follow the offset.
  @inline(__always)
  static func eight(_ bytes: Span<UInt8>, at: Int) -> UInt64 {
    word(bytes.bytes, at)
  }

  /// Marks the bytes from 0x00 to `most`, and DEL.
  ///
  /// `most` must be below 0x7F.
  @inline(__always)
  private static func controls(_ word: UInt64, upTo most: UInt8) -> UInt64 {
    let seven = word & every(0x7F)
    return (~(seven &+ every(0x7F - most)) | (seven &+ every(1))) & ~word
  }

  /// Marks all bytes except letters, digits, hyphens and full stops, the usual characters of field names.
  @inline(__always)
  private static func uncommonInNames(_ word: UInt64) -> UInt64 {
    let seven = word & every(0x7F)
    let folded = seven | every(0x20)
    let letter = (folded &+ every(0x80 - 0x61)) & ~(folded &+ every(0x80 - 0x7B))
    let digit = (seven &+ every(0x80 - 0x30)) & ~(seven &+ every(0x80 - 0x3A))
    let hyphenOrPoint = (seven &+ every(0x80 - 0x2D)) & ~(seven &+ every(0x80 - 0x2F))
    return ~(letter | digit | hyphenOrPoint) | word
  }

  @inline(__always)
  private static func firstMark(_ marks: UInt64) -> Int? {
    let marks = marks & every(0x80)
    return marks == 0 ? nil : marks.trailingZeroBitCount &>> 3
  }

  /// Returns the offset of the first byte from `start` that is not allowed in a token, or the number of bytes.
  @inline(__always)
  static func endOfToken(_ bytes: Span<UInt8>, from start: Int) -> Int {
    endOfName(bytes, from: start, ASCII.isToken)
  }

  @inline(__always)
  private static func endOfName(
    _ bytes: Span<UInt8>, from start: Int, _ belongs: (UInt8) -> Bool
  ) -> Int {
    var at = start
    let raw = bytes.bytes
    while raw.byteCount &- at >= 8 {
      guard let mark = firstMark(uncommonInNames(word(raw, at))) else {
        at &+= 8
        continue
      }
      at &+= mark
      // Nearly every name ends at a colon, so the colon is compared first.
      guard bytes[at] != UInt8(ascii: ":"), belongs(bytes[at]) else { return at }
      at &+= 1
    }
    while bytes.holds(at), belongs(bytes[at]) { at &+= 1 }
    return at
  }

  /// Returns the offset of the first control byte (including tab) from `start`, or the number of bytes.
  @inline(__always)
  static func endOfText(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var at = start
    let raw = bytes.bytes
    while raw.byteCount &- at >= 8 {
      if let mark = firstMark(controls(word(raw, at), upTo: 0x1F)) { return at &+ mark }
      at &+= 8
    }
    while bytes.holds(at), bytes[at] >= 0x20, bytes[at] != 0x7F { at &+= 1 }
    return at
  }

  /// Returns the offset of the first byte from `start` that is not allowed in a request target, or the number of bytes.
  ///
  /// Control characters, space and `#` are not allowed. Brackets, quotes and bytes above 0x7F are not URI characters
  /// either, but they are accepted because many clients send them.
  @inline(__always)
  static func endOfTarget(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var at = start
    let raw = bytes.bytes
    while raw.byteCount &- at >= 8 {
      let eight = word(raw, at)
      let notNumberSign = ((eight & every(0x7F)) ^ every(0x23)) &+ every(0x7F)
      if let mark = firstMark(controls(eight, upTo: 0x20) | (~notNumberSign & ~eight)) { return at &+ mark }
      at &+= 8
    }
    while bytes.holds(at), bytes[at] > 0x20, bytes[at] != 0x7F, bytes[at] != 0x23 { at &+= 1 }
    return at
  }
}

extension Span where Element == UInt8 {
  /// Returns true if there is a byte at an offset.
  ///
  /// After this check the compiler omits the bounds check of the subscript.
  @inline(__always)
  func holds(_ offset: Int) -> Bool {
    UInt(bitPattern: offset) < UInt(bitPattern: count)
  }
}
