import Testing

@testable import CassetteHTTP

struct BodyCodingTests {
  private static let token = "ghp" + "_0123456789abcdefghijklmnopqrstuvwxyz"
  private static let text = #"{"token":"\#(token)","é":"日本語 🎞 Ā一"}"#

  /// Encodes a string in UTF-16 or UTF-32.
  static func wide(_ text: String, width: Int, isBigEndian: Bool, hasMark: Bool) -> [UInt8] {
    let text = hasMark ? "\u{FEFF}" + text : text
    let units = width == 2 ? text.utf16.map(UInt32.init) : text.unicodeScalars.map(\.value)
    return units.flatMap { unit in
      let bytes = (0..<width).map { UInt8(truncatingIfNeeded: unit >> UInt32(8 * $0)) }
      return isBigEndian ? bytes.reversed() : bytes
    }
  }

  @Test(arguments: [2, 4], [true, false])
  func `UTF-16 and UTF-32 are detected by byte order mark, charset or zero bytes, and encoded back to the same bytes`(
    width: Int, isBigEndian: Bool
  ) throws {
    let name = "UTF-\(width * 8)"
    for (hasMark, charset) in [
      (true, nil), (true, "utf-8"), (false, name + (isBigEndian ? "BE" : "LE")), (false, name), (false, nil),
    ] {
      for text in [Self.text, "ab", String(repeating: "日本語", count: 100) + Self.text] {
        if charset == nil, !hasMark, text.utf8.count != Self.text.utf8.count { continue }
        let bytes = Self.wide(text, width: width, isBigEndian: isBigEndian, hasMark: hasMark)
        let read = try #require(BodyCoding.unwrapping(bytes, charset: charset), "\(hasMark) \(charset ?? "-") \(text)")
        #expect(read.content == Array(text.utf8))
        #expect(read.coding.wrap(read.content) == bytes)
        let other = Array("a secret's stand-in 🎞".utf8)
        let changed = try #require(read.coding.wrap(other))
        #expect(BodyCoding.unwrapping(changed, charset: charset)?.content == other)
      }
    }
  }

  @Test func `damaged UTF-16 is encoded back to the same bytes`() throws {
    for extra: [UInt8] in [[0x00, 0xD8], [0x41], [0x00, 0xDC, 0x00, 0xD8, 0x41, 0x00, 0x07]] {
      let bytes = Self.wide(Self.text, width: 2, isBigEndian: false, hasMark: true) + extra
      let read = try #require(BodyCoding.unwrapping(bytes, charset: nil))
      #expect(read.content.starts(with: Array(Self.text.utf8)))
      #expect(read.coding.wrap(read.content) == bytes)
    }
  }

  @Test(arguments: [BodyCoding.gzip, .zlib, .zstd])
  func `a compressed file is detected by its first bytes and compressed back to the same bytes`(coding: BodyCoding)
    throws
  {
    guard coding != .zstd || ContentCoding.zstd.encoder != nil else { return }
    for text in [Self.text, "", String(repeating: Self.text, count: 10_000)] {
      let bytes = try #require(coding.wrap(Array(text.utf8)))
      let read = try #require(BodyCoding.unwrapping(bytes, charset: "utf-16"), "\(text.utf8.count)")
      #expect(read.coding == coding)
      #expect(read.content == Array(text.utf8))
      #expect(read.coding.wrap(read.content) == bytes)
      for length in 0..<min(bytes.count, 200) {
        #expect(BodyCoding.unwrapping(Array(bytes.prefix(length)), charset: nil) == nil, "\(length)")
      }
    }
    if coding == .gzip { #expect(coding.wrap([65])?[4..<8] == [0, 0, 0, 0]) }
  }

  @Test func `each call removes one layer of encoding`() throws {
    let wide = Self.wide(Self.text, width: 2, isBigEndian: true, hasMark: true)
    let once = try #require(BodyCoding.gzip.wrap(wide))
    let twice = try #require(BodyCoding.gzip.wrap(once))
    #expect(BodyCoding.unwrapping(twice, charset: nil)?.content == once)
    #expect(BodyCoding.unwrapping(once, charset: nil)?.content == wide)
    // Consecutive gzip files are one content (RFC 1952 §2.2).
    #expect(BodyCoding.unwrapping(once + once, charset: nil)?.content == wide + wide)
  }

  @Test(arguments: [
    [], [0], [0x1F, 0x8B], Array("{}".utf8), Array("x^y is no zlib, nor is x\u{1}".utf8), Array(text.utf8),
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52], [0, 1, 0, 2, 0, 3, 0, 4],
    [UInt8](repeating: 0, count: 64), [0xFF, 0xFE] + Array("plain text behind a mark".utf8),
    Array("a\0b and then text without".utf8), [0x28, 0xB5, 0x2F, 0xFD, 0xFF, 0xFF, 0xFF, 0xFF],
  ])
  func `bytes without a detectable encoding are not decoded`(bytes: [UInt8]) {
    #expect(BodyCoding.unwrapping(bytes, charset: nil) == nil)
    #expect(BodyCoding.unwrapping(Array(Self.text.utf8), charset: "utf-16") == nil)
  }

  @Test func `a compressed file that expands beyond the limit is not decoded`() throws {
    let zeros = [UInt8](repeating: 0, count: ContentDecoder.longest + 1)
    for coding in [BodyCoding.gzip, .zstd] {
      guard let bomb = coding.wrap(zeros) else { continue }
      #expect(BodyCoding.unwrapping(bomb, charset: nil) == nil)
    }
  }

  @Test func `invalid UTF-8 cannot be encoded as UTF-16`() throws {
    let read = try #require(
      BodyCoding.unwrapping(Self.wide("abcd", width: 2, isBigEndian: true, hasMark: true), charset: nil))
    for bytes: [UInt8] in [[0xFF], [0xC3], [0xE2, 0x82], [0xC0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80]] {
      #expect(read.coding.wrap(bytes) == nil, "\(bytes)")
    }
  }
}
