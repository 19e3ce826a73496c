import Testing

@testable import CassetteHTTP

struct OpaqueBodyTests {
  private static let text = Array(#"{"name":"Ada"}"#.utf8)
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44]

  /// A body, its fields, and a part of the expected reason.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bytes: [UInt8]
    var coding: String?
    var type: String?
    var word: String?

    init(_ name: String, _ bytes: [UInt8]?, coding: String? = nil, type: String? = nil, _ word: String? = nil) {
      testDescription = name
      self.bytes = bytes ?? []
      self.coding = coding
      self.type = type
      self.word = word
    }
  }

  private static let gzip = BodyCoding.gzip.wrap(text) ?? []
  private static let zip: [UInt8] = [0x50, 0x4B, 0x03, 0x04, 20, 0]
  private static let tar = Array("a.txt".utf8) + [UInt8](repeating: 0, count: 252) + Array("ustar\0".utf8)
  private static func part(_ bytes: [UInt8]) -> [UInt8] {
    Array("--b\r\nContent-Disposition: form-data; name=f\r\n\r\n".utf8) + bytes + Array("\r\n--b--\r\n".utf8)
  }

  static let cases = [
    Case("nothing", []), Case("nothing in a coding", [], coding: "compress"), Case("JSON", text),
    Case("JSON, wrongly a ZIP archive", text, type: "application/zip"),
    Case("JSON, wrongly coded", text, coding: "gzip"), Case("JSON in an unknown coding", text, coding: "amz-1.0"),
    Case("bytes in frames of AWS", png, coding: "aws-chunked"),
    Case("an image", png, type: "image/png"), Case("bytes", [0, 1, 2, 255]), Case("a PDF", Array("%PDF-1.7\0".utf8)),
    Case("a font", Array("wOF2\0\u{1}".utf8), type: "font/woff2"),
    Case("gzip that its field names", gzip, coding: "gzip"),
    Case("gzip of a ZIP archive that its field names", BodyCoding.gzip.wrap(zip), coding: "gzip", "a ZIP archive"),
    Case("a gzip file", gzip, type: "application/gzip"), Case("a gzip file in gzip", BodyCoding.gzip.wrap(gzip)),
    Case("a gzip file that is cut", Array(gzip.dropLast()), "a gzip file that is damaged"),
    Case("gzip that is cut", Array(gzip.dropLast()), coding: "gzip", "not have the stated Content-Encoding \"gzip\""),
    Case("no gzip", [0xFF, 0xFE, 0], coding: "gzip", "not have the stated Content-Encoding"),
    Case("a gzip file of an archive", BodyCoding.gzip.wrap(zip), "a ZIP archive"),
    Case("an unknown coding", png, coding: "compress", "the unknown encoding \"compress\""),
    Case("an unknown coding below", png, coding: "compress, gzip", "\"compress\""),
    Case("seven codings", png, coding: "gzip, gzip, gzip, gzip, gzip, gzip, gzip", "7 encodings"),
    Case("a ZIP archive", zip, "a ZIP archive"),  // Stored files are not compressed and are scanned.
    Case("tar", tar),
    Case("tar in gzip", BodyCoding.gzip.wrap(tar)),
    Case("SQLite", Array("SQLite format 3\0x".utf8), "a database"),
    Case("7z", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0], "a 7z archive"),
    Case("RAR", [0x52, 0x61, 0x72, 0x21, 0x1A, 0x07, 1], "a RAR archive"),
    Case("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "an xz file"),
    Case("bzip2", [0x42, 0x5A, 0x68, 0x39, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59], "a bzip2 file"),
    Case("encrypted", Array("Salted__".utf8) + [1, 2, 255], "encrypted"),
    Case("an archive by its type", [1, 2, 255], type: "application/x-bzip2", "application/x-bzip2"),
    Case(
      "a part that is an archive", part(zip), type: "multipart/form-data; boundary=b", "a part of its body is a ZIP"),
    Case("a part that is a gzip file", part(gzip), type: "multipart/form-data; boundary=b", "a gzip file"),
    Case("a part that is an image", part(png), type: "multipart/form-data; boundary=b"),
    Case("gRPC in gzip", [1, 0, 0, 0, 1, 255], type: "application/grpc"),
  ]

  @Test(arguments: cases)
  func `a body that cannot be scanned is recognized by its bytes and fields`(told: Case) throws {
    var headers: HTTPHeaders = []
    if let coding = told.coding { headers.append("Content-Encoding", coding) }
    if let type = told.type { headers.append("Content-Type", type) }
    let reason = OpaqueBody.reason(told.bytes, headers)
    #expect((reason == nil) == (told.word == nil), "\(reason ?? "none")")
    if let word = told.word { #expect(reason?.contains(word) == true, "\(reason ?? "none")") }
  }

  @Test func `compressed gRPC messages cannot be scanned`() {
    let headers: HTTPHeaders = [("Content-Type", "application/grpc+proto"), ("grpc-encoding", "gzip")]
    #expect(OpaqueBody.reason([1, 0, 0, 0, 1, 255], headers) == "the messages of its body are encoded in \"gzip\"")
  }

  @Test func `a truncated gzip body is not an error if only its beginning is given`() {
    let start = Array(Self.gzip.dropLast())
    #expect(OpaqueBody.reason(start, [], isPart: true) == nil)
    #expect(OpaqueBody.reason(start, [("Content-Encoding", "gzip")], isPart: true) == nil)
    #expect(OpaqueBody.reason(Self.zip, [], isPart: true) != nil)
  }

  @Test func `a body that expands beyond 64 MB cannot be scanned`() throws {
    let bomb = try #require(BodyCoding.gzip.wrap([UInt8](repeating: 0, count: ContentDecoder.longest + 1)))
    #expect(OpaqueBody.reason(bomb, [("Content-Encoding", "gzip")]) == "its decoded body is longer than 64 MB")
    #expect(OpaqueBody.reason(bomb, []) == "its body is a gzip file that is damaged or longer than 64 MB")
  }

  @Test(arguments: [ContentCoding.brotli, .zstd])
  func `the reason for a coding with a missing library says what to install`(coding: ContentCoding) throws {
    let coded: [UInt8] = [0x8B, 0x02, 0x80, 0xFF]
    let reason = try #require(OpaqueBody.reason(coded, [("Content-Encoding", coding.rawValue)]))
    let library = coding.library
    #expect(coding.canDecode || reason.contains("\(library.name) is not installed: \(library.remedy)"))
  }
}
