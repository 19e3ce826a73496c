import CassetteHTTP
import Foundation
import MockServerWire
import Testing

private let corpora = ProcessInfo.processInfo.environment["CORPORA"]

/// Test cases of other parsers: the JSON lines of `http1/cases-visible.jsonl` in the folder named by `CORPORA`.
@Suite(.enabled(if: corpora != nil, "CORPORA names no folder"))
struct CorpusTests {
  struct Case: Decodable {
    struct Request: Decodable {
      var method: String
      var target: String
      var bodyBase64: String

      enum CodingKeys: String, CodingKey {
        case method
        case target
        case bodyBase64 = "body_b64"
      }
    }
    var id: String
    var bytesBase64: String
    var expect: String
    var whole: Int
    var sure: Int
    var reason: String?
    var requests: [Request]

    enum CodingKeys: String, CodingKey {
      case id
      case bytesBase64 = "bytes_b64"
      case expect
      case whole = "n_ok"
      case sure = "sure_ok"
      case reason
      case requests
    }
  }

  static func cases() throws -> [Case] {
    let file = URL(fileURLWithPath: corpora ?? "").appending(path: "http1/cases-visible.jsonl")
    return try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map {
      try JSONDecoder().decode(Case.self, from: $0)
    }
  }

  @Test(arguments: [false, true])
  func `every stream is accepted or refused as its case expects`(isSplit: Bool) throws {
    for row in try Self.cases() {
      let bytes = [UInt8](try #require(Data(base64Encoded: row.bytesBase64)))
      let stream = isSplit ? RequestStream.byteByByte(bytes) : RequestStream(bytes)
      let seen = stream.requests.count
      let place: Comment = "\(row.id) \(row.reason ?? "") \(stream.error?.description ?? "no error")"
      switch row.expect {
      case "accept": #expect(seen == row.whole && stream.error == nil, place)
      case "reject": #expect(seen == 0 && (stream.error != nil || stream.isWaiting), place)
      case "incomplete": #expect(seen == 0, place)
      case "accept_then_reject": #expect(seen == row.whole && (stream.error != nil || stream.isWaiting), place)
      case "accept_then_incomplete": #expect(seen == row.whole, place)
      default: #expect(seen >= row.sure, place)
      }
      for (sent, wanted) in zip(stream.requests, row.requests) {
        #expect(sent.method.rawValue == wanted.method, place)
        // The reference result has one character per byte of a target, and at most 200 characters.
        let characters = String(String.UnicodeScalarView(sent.target.text.utf8.map { Unicode.Scalar($0) }))
        if !characters.contains("%") { #expect(characters.prefix(200) == wanted.target.prefix(200), place) }
        #expect(Data(sent.body).base64EncodedString() == wanted.bodyBase64, place)
      }
    }
  }
}
