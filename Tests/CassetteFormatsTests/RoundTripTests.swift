import CassetteFormats
import CassetteHTTP
internal import CassetteSecrets
import Cassettes
import Foundation
import TestSupport
import Testing

struct RoundTripTests {
  /// A cassette with everything that HAR itself can express.
  private static let cassette = Cassette(
    name: "sample", origin: "https://api.example.com",
    interactions: [
      Interaction(
        id: "one", method: .get, url: "/a?b=c&d=%20",
        requestHeaders: [("Accept", "a/b"), ("X-Two", "1"), ("X-Two", "2"), ("Authorization", "Bearer {{secret:7}}")],
        outcome: .response(
          RecordedResponse(
            status: 200, headers: [("Content-Type", "application/json"), ("Set-Cookie", "a={{secret:1}}")],
            body: .storing(Array("{\n  \"a\": 1.0,\n  \"b\": \"\\u00e9\"\n}\n".utf8)))),
        recorded: RecordedFacts(at: "2026-11-21T01:00:00Z", firstByte: 0.083, total: 0.091)),
      Interaction(
        id: "two", method: .post, url: "/a", requestHeaders: [("Content-Type", "text/plain")],
        requestBody: .storing(Array("é\r\n\t".utf8)),
        outcome: .response(RecordedResponse(status: 418, reason: "I'm a teapot", body: .storing([0, 1, 255])))),
      Interaction(
        id: "three", method: .put, url: "https://other.example.com/", requestBody: .storing([0xff, 0xfe, 0]),
        outcome: .response(RecordedResponse(status: 204))),
      Interaction(
        id: "four", method: .head, url: "/a",
        outcome: .response(RecordedResponse(status: 200, headers: [("Content-Length", "12")]))),
      Interaction(
        id: "five", method: .get, url: "/br",
        outcome: .response(
          RecordedResponse(
            status: 200, headers: [("Content-Encoding", "br")], body: .storing([0x8b, 2, 0x80, 0x41, 3])))),
    ])

  private static func har(_ cassette: Cassette) throws -> [UInt8] {
    try HARWriter.bytes(of: cassette, version: "1")
  }

  @Test(arguments: [CassetteRedaction?.some(.standard.keepingOpaque()), nil])
  func `a cassette that is exported to HAR and imported is identical`(redaction: CassetteRedaction?) throws {
    let text = String(decoding: try Self.har(Self.cassette), as: UTF8.self)
    let imported = try Imported.of(text, named: "sample.har", redaction: redaction)
    let file = try #require(imported.files["sample.json"])
    #expect(
      String(decoding: file, as: UTF8.self)
        == String(decoding: try Imported.bytes(of: Self.cassette), as: UTF8.self))
  }

  @Test func `a HAR that is imported and exported is identical`() throws {
    let first = try Self.har(Self.cassette)
    let imported = try #require(
      try Imported.of(
        String(decoding: first, as: UTF8.self), named: "sample.har", redaction: .standard.keepingOpaque()
      ).cassette)
    #expect(try Self.har(imported) == first)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
  func `random bytes and fields are restored from HAR unchanged`(seed: UInt64) throws {
    var random = Seeded(seed)
    let names = ["Accept", "x-a", "X-A", "Etag", "Link"]
    let interactions = (0..<20).map { index in
      let body = (0..<Int.random(in: 0...60, using: &random)).map { _ in
        UInt8.random(in: Bool.random(using: &random) ? 0...255 : 32...126, using: &random)
      }
      let fields = (0..<Int.random(in: 0...5, using: &random)).map { _ in
        (names.randomElement(using: &random) ?? "A", "v\(Int.random(in: 0...9, using: &random)), é\"\\")
      }
      return Interaction(
        id: "i\(index)", method: .post, url: "/\(Int.random(in: 0...3, using: &random))?q=\(index)",
        requestBody: body.isEmpty ? nil : .storing(body),
        outcome: .response(
          RecordedResponse(status: 200, headers: HTTPHeaders(fields), body: body.isEmpty ? nil : .storing(body))))
    }
    let cassette = Cassette(name: "sample", origin: "http://a.example", interactions: interactions)
    let text = String(decoding: try Self.har(cassette), as: UTF8.self)
    let file = try #require(try Imported.of(text, named: "sample.har", redaction: nil).files["sample.json"])
    #expect(file == (try Imported.bytes(of: cassette)))
  }
}
