internal import CassetteHTTP
internal import CassetteJSON
package import CassetteSystem

/// Finds and decodes base64 within other text: either alphabet, with or without padding (RFC 4648 §4 and §5).
package enum RedactionBase64 {
  /// The length of base64 below which it cannot contain a secret.
  package static let shortest = 8

  /// The alphabet, padding and line length of an encoded value.
  package struct Manner {
    var isForURLs: Bool
    var isPadded: Bool
    /// The length of the lines and the separator between them; nil if there is one line.
    package var lines: (width: Int, separator: [UInt8])?

    package init(of text: ByteSearch, _ range: Range<Int>) {
      isForURLs = text.first(UInt8(ascii: "-"), in: range) != nil || text.first(UInt8(ascii: "_"), in: range) != nil
      isPadded = text[range.upperBound - 1] == UInt8(ascii: "=") || range.count % 4 == 0 && !isForURLs
    }

    /// Parses the notation in journals of older versions: `url,padded,76.13.10`.
    package init(notation: ArraySlice<UInt8>) {
      let words = String(decoding: notation, as: UTF8.self).split(separator: ",").map { $0.split(separator: ".") }
      isForURLs = words.contains(["url"])
      isPadded = words.contains(["padded"])
      guard let last = words.last?.compactMap({ Int($0) }), let width = last.first, width > 0 else { return }
      lines = (width, last.dropFirst().map { UInt8(truncatingIfNeeded: $0) })
    }
  }

  /// Calls a closure with each run of base64 characters that starts in a part of the input.
  package static func eachRun(in text: ByteSearch, _ part: Range<Int>, _ use: (Range<Int>) -> Void) {
    let alphabet = alphabet
    var at = part.lowerBound
    while at < part.upperBound {
      // A run of the minimum length has a character at every eighth offset.
      var probe = at + shortest - 1
      while probe < text.count, !alphabet.contains(text[probe]) { probe += shortest }
      guard probe < text.count else { return }
      let start = text.beginning(of: alphabet, before: probe, after: at)
      guard start < part.upperBound else { return }
      let end = text.end(of: alphabet, from: probe)
      at = endOfPadding(text, from: end)
      if end - start >= shortest { use(start..<at) }
    }
  }

  static let alphabet = ByteSet.word.adding("+/-_")

  private static func endOfPadding(_ text: ByteSearch, from start: Int) -> Int {
    text.end(of: padding, from: start, atMost: 2)
  }

  private static let padding = ByteSet(adding: "=")

  /// Decodes base64 in either alphabet; returns nil if there are other characters.
  package static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    text.withUnsafeBufferPointer { buffer in
      let text = ByteSearch(buffer)
      return decode(text, 0..<text.count)
    }
  }

  /// Decodes a part of the input in the same way.
  package static func decode(_ text: ByteSearch, _ range: Range<Int>) -> [UInt8]? {
    let end = text.first(UInt8(ascii: "="), in: range) ?? range.upperBound
    let count = end - range.lowerBound
    var isBase64 = true
    let bytes = [UInt8](unsafeUninitializedCapacity: count * 3 / 4) { buffer, filled in
      guard let target = buffer.baseAddress else { return }
      var at = range.lowerBound
      var invalid: UInt8 = 0
      // Four characters decode to three bytes, so that the buffer is never exceeded.
      while at + 4 <= end {
        let (a, b, c, d) = (value(text[at]), value(text[at + 1]), value(text[at + 2]), value(text[at + 3]))
        invalid |= a | b | c | d
        (target + filled).pointee = a &<< 2 | b &>> 4
        (target + filled + 1).pointee = b &<< 4 | c &>> 2
        (target + filled + 2).pointee = c &<< 6 | d
        filled += 3
        at += 4
      }
      var bits: UInt32 = 0
      let rest = end - at
      while at < end {
        let value = value(text[at])
        invalid |= value
        bits = bits << 6 | UInt32(value & 63)
        at += 1
      }
      if rest == 3 {
        (target + filled).pointee = UInt8(truncatingIfNeeded: bits >> 10)
        (target + filled + 1).pointee = UInt8(truncatingIfNeeded: bits >> 2)
        filled += 2
      } else if rest == 2 {
        (target + filled).pointee = UInt8(truncatingIfNeeded: bits >> 4)
        filled += 1
      }
      isBase64 = invalid < 64
    }
    return isBase64 ? bytes : nil
  }

  /// Encodes bytes in base64, with the alphabet and the padding of the value they replace.
  package static func encode(_ bytes: [UInt8], _ manner: Manner) -> [UInt8] {
    var encoded = BodyBase64.encode(bytes)
    if manner.isForURLs { encoded = forURLs(encoded) }
    if !manner.isPadded { while encoded.last == UInt8(ascii: "=") { encoded.removeLast() } }
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
  package static func value(_ character: UInt8) -> UInt8 {
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
    in text: ByteSearch, _ part: Range<Int>, where isRead: (Range<Int>) -> Bool,
    _ use: (_ range: Range<Int>, _ decoded: [UInt8], _ lines: (width: Int, separator: Range<Int>)?) -> Void
  ) {
    // The end of the last lines that were decoded together, and of the last lines that could not be.
    var (done, tried) = (0, 0)
    func read(_ range: Range<Int>) -> Bool {
      guard range.count >= 16, mayBeRead(text, range), isRead(range), let decoded = decode(text, range),
        isReadable(decoded)
      else { return false }
      use(range, decoded, nil)
      return true
    }
    eachRun(in: text, part) { run in
      guard run.lowerBound >= done else { return }
      if run.lowerBound >= tried, mayBeRead(text, run), let lines = lines(from: run, in: text), let last = lines.last,
        isRead(run)
      {
        tried = last.upperBound
        let joined = lines.flatMap { text.bytes($0) }
        if let decoded = decode(joined[...]), isReadable(decoded) {
          done = tried
          return use(run.lowerBound..<done, decoded, (lines[0].count, lines[0].upperBound..<lines[1].lowerBound))
        }
      }
      guard !read(run) else { return }
      // A slash is a base64 character and also a separator between path segments.
      var start = run.lowerBound
      while start < run.upperBound, let slash = text.first(UInt8(ascii: "/"), in: start..<run.upperBound) {
        _ = read(start..<slash)
        start = slash + 1
      }
      if start > run.lowerBound { _ = read(start..<run.upperBound) }
    }
  }

  private static func isReadable(_ decoded: [UInt8]) -> Bool {
    decoded.count >= SecretPatterns.shortest
      && (BodyText.isText(decoded) || BodyCoding.compression(of: decoded) != nil)
  }

  /// True if the first characters of a run decode to text or to a compressed file; most words do not.
  private static func mayBeRead(_ text: ByteSearch, _ range: Range<Int>) -> Bool {
    guard let decoded = decode(text, range.prefix(32)) else { return false }
    // The last character may be truncated.
    return isReadable(decoded) || (1...3).contains { BodyText.isText(Array(decoded.dropLast($0))) }
  }

  // MARK: Lines, as in mail and repositories (RFC 2045 §6.8)

  /// The line lengths that tools write (RFC 2045 §6.8, RFC 7468 §2, `git`, `openssl`).
  private static let widths = [48, 60, 64, 68, 72, 76]

  /// Returns the lines that start with a run, equal in length except for the last; nil for a single line.
  private static func lines(from first: Range<Int>, in text: ByteSearch) -> [Range<Int>]? {
    guard widths.contains(first.count), text[first.upperBound - 1] != UInt8(ascii: "=") else { return nil }
    var lines = [first]
    var at = first.upperBound
    while true {
      if text.at(at) == 0x0d { at += 1 }
      guard text.at(at) == 0x0a else { break }
      at += 1
      at = text.end(of: .blank, from: at, atMost: 64)
      let end = endOfPadding(text, from: text.end(of: alphabet, from: at))
      // The last line must consist of whole groups of four, so that a word on the next line is not included.
      guard end > at, end - at <= first.count, (end - at) % 4 == 0, ends.contains(text.at(end)) else { break }
      lines.append(at..<end)
      if end - at < first.count || text[end - 1] == UInt8(ascii: "=") { break }
      at = end
    }
    return lines.count > 1 ? lines : nil
  }

  private static let ends = ByteSet(0...0, adding: "\r\n\"'<\\`")
}
