import Testing

@testable import CassetteFormats

struct GzipTests {
  /// "hello hello hello hello\n" by gzip, by zlib, and raw.
  private static let gzip: [UInt8] = [
    31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 72, 205, 201, 201, 87, 200, 64, 39, 185, 0, 0, 136, 89, 11, 24, 0, 0, 0,
  ]
  private static let zlib: [UInt8] = [120, 156, 203, 72, 205, 201, 201, 87, 200, 64, 39, 185, 0, 112, 190, 8, 187]
  private static let text = Array("hello hello hello hello\n".utf8)

  @Test(arguments: [gzip, zlib, Array(zlib.dropFirst(2).dropLast(4)), gzip + gzip])
  func `gzip, zlib and raw deflate come out as they went in`(bytes: [UInt8]) throws {
    let count = bytes.count > Self.gzip.count ? 2 : 1
    #expect(try Gzip.decode(bytes) == Array(repeating: Self.text, count: count).flatMap(\.self))
  }

  @Test func `what breaks off or is too much is refused`() {
    for length in 3..<Self.gzip.count {
      #expect(throws: Gzip.Failure.broken) { try Gzip.decode(Array(Self.gzip.prefix(length))) }
    }
    #expect(throws: Gzip.Failure.tooLong) { try Gzip.decode(Self.gzip, limit: 23) }
  }
}
