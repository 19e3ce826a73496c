internal import CassetteHTTP
internal import CassetteJSON
package import CassetteSystem

/// Finds and decodes base64 within other text: either alphabet, with or without padding (RFC 4648 §4 and §5).
package enum RedactionBase64 {
  /// The length of base64 below which it cannot contain a secret.
  package static let shortest = 8

  /// The alphabet, padding and line length of an encoded value.
  package struct Manner {
    package var isForURLs = false
    package var isPadded = false
    /// The length of the lines and the separator between them; nil if there is one line.
    package var lines: (width: Int, separator: [UInt8])?
    /// The spelling of signs in the text around the value: `%3D` for `=` in a URL.
    package var escapes: [UInt8: [UInt8]] = [:]

    package init() {}

    package init(of text: ByteSearch, _ range: Range<Int>) {
      isForURLs = text.first(UInt8(ascii: "-"), in: range) != nil || text.first(UInt8(ascii: "_"), in: range) != nil
      isPadded = text[range.upperBound - 1] == UInt8(ascii: "=") || range.count % 4 == 0 && !isForURLs
    }
  }

  package static let alphabet = ByteSet.word.adding("+/-_")
  private static let padding = ByteSet(adding: "=")

  /// Calls a closure with each run of at least so many base64 characters.
  package static func eachRun(in text: ByteSearch, atLeast least: Int = shortest, _ use: (Range<Int>) -> Void) {
    let (alphabet, padding) = (alphabet, padding)
    var at = 0
    while at <= text.count - least {
      // Searching backward skips short words without reading them completely.
      let start = text.beginning(of: alphabet, before: at + least, after: at)
      guard start == at else {
        at = start
        continue
      }
      at = text.end(of: padding, from: text.end(of: alphabet, from: at + least), atMost: 2)
      use(start..<at)
    }
  }

  /// Returns a run, followed by its segments: a slash is a base64 character, and also separates path segments.
  package static func pieces(of run: Range<Int>, in text: ByteSearch) -> [Range<Int>] {
    var pieces = [run]
    var start = run.lowerBound
    while start < run.upperBound, let slash = text.first(UInt8(ascii: "/"), in: start..<run.upperBound) {
      pieces.append(start..<slash)
      start = slash + 1
    }
    return start > run.lowerBound ? pieces + [start..<run.upperBound] : pieces
  }

  // MARK: Coding

  /// Decodes base64 in either alphabet; returns nil if there are other characters.
  package static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    Array(text).searching { decode($0, 0..<$0.count) }
  }

  /// Decodes a part of the input in the same way.
  package static func decode(_ text: ByteSearch, _ range: Range<Int>) -> [UInt8]? {
    let end = text.first(UInt8(ascii: "="), in: range) ?? range.upperBound
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count * 3 / 4)
    var bits: UInt32 = 0
    for at in range.lowerBound..<end {
      let value = value(text[at])
      guard value < 64 else { return nil }
      bits = bits &<< 6 | UInt32(value)
      // Each character of a group of four but the first completes a byte.
      let place = (at - range.lowerBound) & 3
      if place > 0 { bytes.append(UInt8(truncatingIfNeeded: bits &>> UInt32(6 - 2 * place))) }
    }
    return bytes
  }

  /// Encodes bytes in base64, with the alphabet and the padding of the value they replace.
  package static func encode(_ bytes: [UInt8], _ manner: Manner) -> [UInt8] {
    var encoded = BodyBase64.encode(bytes)
    if manner.isForURLs { encoded = forURLs(encoded) }
    if !manner.isPadded { while encoded.last == UInt8(ascii: "=") { encoded.removeLast() } }
    if !manner.escapes.isEmpty { encoded = encoded.flatMap { manner.escapes[$0] ?? [$0] } }
    guard let (width, separator) = manner.lines else { return encoded }
    let lines = stride(from: 0, to: encoded.count, by: width).map { encoded[$0..<min($0 + width, encoded.count)] }
    return Array(lines.joined(separator: separator))
  }

  /// Returns base64 in the alphabet for URLs.
  static func forURLs(_ encoded: [UInt8]) -> [UInt8] {
    encoded.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0 }
  }

  /// Returns the six bits of a character of either alphabet; 255 for every other byte.
  @inline(__always)
  private static func value(_ character: UInt8) -> UInt8 {
    if character &- 0x61 < 26 { return character &- 71 }
    if character &- 0x41 < 26 { return character &- 65 }
    if character &- 0x30 < 10 { return character &+ 4 }
    if character == 0x2b || character == 0x2d { return 62 }
    return character == 0x2f || character == 0x5f ? 63 : 255
  }

  // MARK: Encoded text

  /// Calls a closure with each piece of text encoded in base64: in one run, in a path segment, or in lines of equal
  /// length.
  static func eachText(
    in text: ByteSearch, where isRead: (Range<Int>) -> Bool,
    _ use: (_ range: Range<Int>, _ decoded: [UInt8], _ lines: (width: Int, separator: Range<Int>)?) -> Void
  ) {
    // The end of the last lines that were decoded together, and of the last lines that could not be.
    var (done, tried) = (0, 0)
    eachRun(in: text, atLeast: 14) { run in
      guard run.lowerBound >= done, run.count >= 16 else { return }
      if run.lowerBound >= tried, let lines = lines(from: run, in: text), let last = lines.last {
        tried = last.upperBound
        if isRead(run), let decoded = lines.flatMap({ text.bytes($0) }).searching({ readable($0, 0..<$0.count) }) {
          done = tried
          return use(run.lowerBound..<done, decoded, (lines[0].count, lines[0].upperBound..<lines[1].lowerBound))
        }
      }
      for piece in pieces(of: run, in: text) where piece.count >= 16 && isRead(piece) {
        guard let decoded = readable(text, piece) else { continue }
        use(piece, decoded, nil)
        if piece == run { return }
      }
    }
  }

  /// Decodes text or a compressed file; the first characters show that most words are neither.
  private static func readable(_ text: ByteSearch, _ range: Range<Int>) -> [UInt8]? {
    guard let start = decode(text, range.prefix(32)) else { return nil }
    // The last character of the beginning may be truncated.
    let whole = Array(start[..<(start.lastIndex { $0 < 0x80 } ?? 0)])
    guard BodyText.isText(whole) || BodyCoding.compression(of: start) != nil, let decoded = decode(text, range),
      decoded.count >= SecretPatterns.shortest, BodyText.isText(decoded) || BodyCoding.compression(of: decoded) != nil
    else { return nil }
    return decoded
  }

  /// The line lengths that tools write (RFC 2045 §6.8, RFC 7468 §2, `git`, `openssl`).
  private static let widths = [48, 60, 64, 68, 72, 76]

  /// Returns the lines that start with a run, equal in length except for the last; nil for a single line.
  private static func lines(from first: Range<Int>, in text: ByteSearch) -> [Range<Int>]? {
    guard widths.contains(first.count), text[first.upperBound - 1] != UInt8(ascii: "=") else { return nil }
    var lines = [first]
    while let last = lines.last, last.count == first.count, text[last.upperBound - 1] != UInt8(ascii: "=") {
      let feed = text.at(last.upperBound) == 0x0d ? last.upperBound + 1 : last.upperBound
      guard text.at(feed) == 0x0a else { break }
      let start = text.end(of: .blank, from: feed + 1, atMost: 64)
      let end = text.end(of: padding, from: text.end(of: alphabet, from: start), atMost: 2)
      // The last line must consist of whole groups of four, so that a word on the next line is not included.
      guard end > start, end - start <= first.count, (end - start) % 4 == 0, ends.contains(text.at(end)) else { break }
      lines.append(start..<end)
    }
    return lines.count > 1 ? lines : nil
  }

  private static let ends = ByteSet(0...0, adding: "\r\n\"'<\\`")
}
