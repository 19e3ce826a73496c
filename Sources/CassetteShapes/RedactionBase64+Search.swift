package import CassetteSystem

/// Looks into base64 without decoding it.
extension RedactionBase64 {
  /// Tells if a run may decode to text, or to a compressed file, by its first characters; most words may not.
  package static func mayBeRead(_ text: ByteSearch, _ range: Range<Int>) -> Bool {
    var at = range.lowerBound
    let end = min(range.upperBound, at + 64) - 3
    // How many bytes of a character of UTF-8 are to come.
    var rest: UInt8 = 0
    while at < end {
      let (a, b, c, d) = (value(text[at]), value(text[at + 1]), value(text[at + 2]), value(text[at + 3]))
      if (a | b | c | d) > 63 { break }
      let bytes = SIMD3(a &<< 2 | b &>> 4, b &<< 4 | c &>> 2, c &<< 6 | d)
      for index in 0..<3 where !goesOn(bytes[index], &rest) { return isCompressed(text, range.lowerBound) }
      at += 4
    }
    return true
  }

  /// Tells whether a run begins as gzip, zstd and zlib do.
  private static func isCompressed(_ text: ByteSearch, _ start: Int) -> Bool {
    switch UInt16(byte(text, atBit: start * 6) ?? 0) << 8 | UInt16(byte(text, atBit: start * 6 + 8) ?? 0) {
    case 0x1f8b, 0x28b5, 0x7801, 0x785e, 0x789c, 0x78da: true
    default: false
    }
  }

  /// Tells whether text goes on with a byte: no control character, and UTF-8, by the first bytes of its characters.
  private static func goesOn(_ byte: UInt8, _ rest: inout UInt8) -> Bool {
    if rest > 0 {
      rest -= 1
      return byte & 0xc0 == 0x80
    }
    if byte < 0x80 { return byte >= 0x20 && byte != 0x7f || byte == 0x0a || byte == 0x0d || byte == 0x09 }
    rest = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3
    return byte >= 0xc2 && byte <= 0xf4
  }

  /// The byte that begins at a bit, six of them a character; nil where there is no base64.
  private static func byte(_ text: ByteSearch, atBit bit: Int) -> UInt8? {
    let at = bit / 6
    guard bit >= 0, at + 1 < text.count else { return nil }
    let (first, second) = (value(text[at]), value(text[at + 1]))
    guard first | second < 64 else { return nil }
    return UInt8(truncatingIfNeeded: (UInt16(first) &<< 6 | UInt16(second)) &>> UInt16(4 - bit % 6))
  }

  /// Tells whether bytes stand in base64, from a bit on.
  package static func isMatch(_ bytes: [UInt8], _ text: ByteSearch, atBit bit: Int) -> Bool {
    bytes.indices.allSatisfy { byte(text, atBit: bit + $0 * 8) == bytes[$0] }
  }

  // MARK: Text

  /// Calls back with what a run decodes to wherever that is text of ASCII long enough for a token.
  ///
  /// Samples tell where: of what is not text, few places look as if they were. Bytes around it are given, too.
  package static func eachText(in text: ByteSearch, _ run: Range<Int>, _ use: ([UInt8]) -> Void) {
    // The shortest token is fifteen bytes, at least twenty characters: one of these samples lies within.
    var done = [0, 0, 0, 0]
    var at = run.lowerBound
    while at + 8 <= run.upperBound {
      var bits: UInt64 = 0
      var index = at
      while index < at + 8 {
        bits = bits &<< 6 | UInt64(value(text[index]) & 63)
        index += 1
      }
      var skipped = 0
      while skipped < 8 {
        if isPrintable(bits &>> UInt64(8 - skipped)), done[(at * 6 + skipped) % 8 / 2] <= at * 6 + skipped {
          let range = printable(around: at * 6 + skipped, in: text, run)
          done[(at * 6 + skipped) % 8 / 2] = range.upperBound
          if range.count >= 15 * 8 { use(bytes(in: text, run, range)) }
        }
        skipped += 2
      }
      at += 12
    }
  }

  /// Tells whether the lowest five bytes are printable ASCII.
  private static func isPrintable(_ word: UInt64) -> Bool {
    let high: UInt64 = 0x80_8080_8080
    let bytes = word & 0xff_ffff_ffff
    return bytes & high == 0 && (bytes &+ 0x60_6060_6060) & ~(bytes &+ 0x01_0101_0101) & high == high
  }

  /// The bits of printable bytes around one.
  private static func printable(around bit: Int, in text: ByteSearch, _ run: Range<Int>) -> Range<Int> {
    func isPrintable(_ bit: Int) -> Bool { byte(text, atBit: bit).map { $0 &- 0x20 < 0x5f } ?? false }
    var start = bit
    while start - 8 >= run.lowerBound * 6, isPrintable(start - 8) { start -= 8 }
    var end = bit
    while (end + 8 + 5) / 6 <= run.upperBound, isPrintable(end) {
      end += 8
      // Much text: then the rest of the run is looked at as it is.
      if end - bit > 8 * 256 { return start..<run.upperBound * 6 }
    }
    return start..<end
  }

  private static func bytes(in text: ByteSearch, _ run: Range<Int>, _ bits: Range<Int>) -> [UInt8] {
    // What names a secret of AWS stands in the forty bytes before it.
    let before = min((bits.lowerBound - run.lowerBound * 6) / 8, 44)
    let start = bits.lowerBound - before * 8
    let end = min(run.upperBound, (bits.upperBound + 8 + 5) / 6)
    // Decoding begins with a character: the bits of it that are not wanted go with the bytes before.
    let first = start / 6
    guard var decoded = decode(text, first..<end) else { return [] }
    let skipped = start - first * 6
    guard skipped > 0 else { return decoded }
    for index in decoded.indices.dropLast() {
      decoded[index] = decoded[index] << UInt8(skipped) | decoded[index + 1] >> UInt8(8 - skipped)
    }
    if let last = byte(text, atBit: start + 8 * (decoded.count - 1)) {
      decoded[decoded.count - 1] = last
    } else {
      decoded.removeLast()
    }
    return decoded
  }
}
