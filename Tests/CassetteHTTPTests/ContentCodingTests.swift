import Testing

@testable import CassetteHTTP

/// Decodes content of every coding: whole, in pieces, damaged and beyond the limit.
struct ContentCodingTests {
  static let codings = ContentCoding.allCases.filter { $0.canDecode && $0.encoder != nil }
  private static let text = Array(String(repeating: "{\"id\":1,\"name\":\"Ada\"},", count: 40).utf8)
  /// Every combination of one to three codings.
  private static let nestings: [String] = {
    let names = codings.map(\.rawValue)
    let twos = names.flatMap { outer in names.map { "\($0), \(outer)" } }
    return names + twos + twos.flatMap { two in names.map { "\(two), \($0)" } }
  }()

  private static func decoder(_ codings: String) -> ContentDecoder? {
    ContentDecoder([("Content-Encoding", codings)])
  }

  private static func coded(_ bytes: [UInt8], _ codings: String) throws -> [UInt8] {
    try #require(ContentEncoder(codings)?.encode(bytes, isLast: true))
  }

  @Test(arguments: nestings)
  func `content in nested codings is decoded, whole and one byte at a time`(codings: String) throws {
    let coded = try Self.coded(Self.text, codings)
    let whole = try #require(Self.decoder(codings))
    #expect(try whole.decode(coded, limit: 1 << 20) == Self.text)
    #expect(whole.isComplete)
    let dripping = try #require(Self.decoder(codings))
    #expect(try coded.flatMap { try dripping.decode([$0], limit: 1 << 20) } == Self.text)
    #expect(dripping.isComplete)
  }

  @Test(arguments: codings)
  func `coded content split at any byte is decoded`(coding: ContentCoding) throws {
    let coded = try Self.coded(Self.text, coding.rawValue)
    for cut in coded.indices {
      let decoder = try #require(ContentDecoder(coding))
      let start = try decoder.decode(Array(coded[..<cut]), limit: 1 << 20)
      #expect(decoder.isComplete == (cut == 0), "\(cut) of \(coded.count)")
      #expect(try start + decoder.decode(Array(coded[cut...]), limit: 1 << 20) == Self.text)
      #expect(decoder.isComplete)
    }
  }

  @Test(arguments: nestings)
  func `each encoded piece is decoded before the next arrives`(codings: String) throws {
    let decoder = try #require(Self.decoder(codings))
    let encoder = try #require(ContentEncoder(codings))
    for (index, piece) in ["one ", "two ", "", "three"].enumerated() {
      let coded = try #require(encoder.encode(Array(piece.utf8), isLast: index == 3))
      #expect(try decoder.decode(coded, limit: 100) == Array(piece.utf8))
    }
    #expect(decoder.isComplete)
  }

  @Test(arguments: codings)
  func `content around every buffer size is encoded and decoded`(coding: ContentCoding) throws {
    for length in [0, 1, 65_535, 65_536, 65_537, 1 << 18, 3_000_000] {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 7) }
      let decoder = try #require(ContentDecoder(coding))
      #expect(try decoder.decode(Self.coded(bytes, coding.rawValue), limit: 4_000_000) == bytes)
      #expect(decoder.isComplete)
    }
  }

  @Test(arguments: codings)
  func `damaged content never decodes to more bytes than the limit`(coding: ContentCoding) throws {
    var random = SystemRandomNumberGenerator()
    let coded = try Self.coded(Self.text, coding.rawValue)
    for round in 0..<500 {
      var bytes = coded
      if round.isMultiple(of: 2) {
        bytes = (0..<Int.random(in: 1...400)).map { _ in .random(in: 0...255, using: &random) }
      } else {
        bytes[.random(in: bytes.indices, using: &random)] ^= .random(in: 1...255, using: &random)
      }
      let decoder = try #require(ContentDecoder(coding))
      if let content = try? decoder.decode(bytes, limit: 10_000) { #expect(content.count <= 10_000) }
    }
  }

  @Test(arguments: nestings)
  func `content that expands beyond the limit throws an error`(codings: String) throws {
    let bomb = try Self.coded([UInt8](repeating: 0, count: 2 << 20), codings)
    let decoder = try #require(Self.decoder(codings))
    #expect(throws: ContentDecoder.Failure.self) { try decoder.decode(bomb, limit: 2 << 20 - 1) }
  }

  @Test func `an inner coding that expands beyond the limit throws an error even if its content is empty`() throws {
    // A hundred thousand empty files of gzip, as one.
    let empty = try Self.coded([], "gzip")
    let many = try Self.coded(Array(repeating: empty, count: 100_000).flatMap(\.self), "gzip")
    let decoder = try #require(Self.decoder("gzip, gzip"))
    #expect(throws: ContentDecoder.Failure.self) { try decoder.decode(many, limit: 1 << 20) }
  }

  @Test func `content decoded in parts throws an error beyond the maximum length`() throws {
    let bomb = try Self.coded([UInt8](repeating: 0, count: ContentDecoder.longest + 1), "gzip")
    var count = 0
    let decoder = try #require(Self.decoder("gzip"))
    #expect(throws: ContentDecoder.Failure.self) { try decoder.decode(bomb) { count += $0.count } }
    #expect(count <= ContentDecoder.longest)
  }

  @Test func `concatenated gzip or zstd files are decoded as one content`() throws {
    for coding in Self.codings where coding == .gzip || coding == .zstd {
      let coded = try Self.coded(Self.text, coding.rawValue)
      let decoder = try #require(ContentDecoder(coding))
      #expect(try decoder.decode(coded + coded, limit: 1 << 20) == Self.text + Self.text)
      #expect(decoder.isComplete)
    }
  }

  @Test func `deflate is decoded without a zlib header`() throws {
    let zlib = try Self.coded(Self.text, "deflate")
    let decoder = try #require(ContentDecoder(.deflate))
    #expect(try decoder.decode(Array(zlib.dropFirst(2).dropLast(4)), limit: 1 << 20) == Self.text)
    #expect(decoder.isComplete)
  }

  @Test(arguments: [
    ("gzip", "gzip"), ("X-GZip", "x-gzip"), ("gzip,gzip", "gzip, gzip"), ("identity", nil), ("", nil),
    ("identity , deflate", "deflate"), ("gzip, x-unknown", nil), ("gzip, gzip, gzip, gzip, gzip, gzip", nil),
  ])
  func `codings are listed in the order in which they were applied`(value: String, text: String?) {
    let headers: HTTPHeaders = [("Content-Encoding", value)]
    #expect(ContentDecoder.coding(of: headers) == text)
    #expect((ContentDecoder(headers) != nil) == (text != nil))
    #expect((ContentEncoder(value) != nil) == (text != nil))
  }

  @Test func `several Content-Encoding fields are one list of codings`() throws {
    let headers: HTTPHeaders = [("Content-Encoding", "deflate"), ("content-encoding", "gzip")]
    #expect(ContentDecoder.coding(of: headers) == "deflate, gzip")
    let coded = try Self.coded(Self.text, "deflate, gzip")
    #expect(try ContentDecoder(headers)?.decode(coded, limit: 1 << 20) == Self.text)
  }
}
