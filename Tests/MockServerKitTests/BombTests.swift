import CassetteHTTP
import CassetteSecrets
import Cassettes
import Foundation
import ServerTestSupport
import TestSupport
import Testing

@testable import MockServerKit
@testable import MockServerUpstream

/// Small compressed bodies that decode to very large content.
struct BombTests {
  /// 70 MB of zeros, compressed with gzip.
  private static let bomb: [UInt8] = {
    guard let encoder = ContentEncoder("gzip") else { return [] }
    let zeros = [UInt8](repeating: 0, count: 10 << 20)
    return (1...7).flatMap { encoder.encode(zeros, isLast: $0 == 7) ?? [] }
  }()

  @Test func `a decompression bomb reaches the client, and is recorded compressed with --keep-opaque`() throws {
    let head =
      "HTTP/1.1 200 OK\r\nContent-Type: application/x-bomb\r\nContent-Encoding: gzip\r\nContent-Length: \(Self.bomb.count)\r\n"
      + "Connection: close\r\n\r\n"
    let origin = try LoopbackOrigin { _ in [.text(head), .send(Self.bomb)] }
    let upstream = try UpstreamOrigin(origin.url)
    let served = try Served(.platform) { configuration in
      configuration.recording = RecordingSettings(
        upstream: upstream, cassette: "\(configuration.cassettes[0])/a.json")
      configuration.recording?.redaction = .standard.keepingOpaque()
    }
    let answer = try served.ask("GET /a", [("Accept-Encoding", "gzip")])
    #expect(answer.body == Self.bomb)
    served.server.stop()
    _ = try served.server.saveRecording()
    let cassette = try CassetteFile.read(path: "\(served.folder)/a.json")
    let response = try #require(cassette.interactions.first?.response)
    #expect(response.coding == nil)
    #expect(response.headers["Content-Encoding"] == "gzip")
    #expect(try response.body?.bytes() == Self.bomb)
    let files = Folder.files(in: served.folder, hidden: true).files
    let size = try files.reduce(0) {
      let path = "\(served.folder)/\($1)"
      return try $0 + (FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0)
    }
    #expect(size < 1 << 20, "\(files)")
    let replay = try Served(.platform) { $0.cassettes = [served.folder] }
    #expect(try replay.ask("GET /a").body == Self.bomb)
  }

  /// A JSON array of 31,000,000 numbers, compressed to 60 KB.
  private static let numbers: [UInt8] = {
    guard let encoder = ContentEncoder("gzip") else { return [] }
    let part = Array(String(repeating: "1,", count: 1_000_000).utf8)
    let parts = [Array("[".utf8)] + Array(repeating: part, count: 31) + [Array("1]".utf8)]
    return parts.enumerated().flatMap { encoder.encode($1, isLast: $0 == parts.count - 1) ?? [] }
  }()

  @Test func `decoding stops once the content has more elements than are compared`() throws {
    let request = HTTPRequest(
      method: .post, target: try #require(HTTPTarget("/a")), headers: [("Content-Encoding", "gzip")],
      body: Self.numbers)
    let content = try #require(request.contentDecoded(mostElements: 100_000)?.body)
    #expect(content.starts(with: Array("[1,1,".utf8)) && content.count < 1 << 20)
  }

  @Test(arguments: [
    "", #", "match": {"body": {"ignore": ["$.b"]}}"#, #", "match": {"body": {"json": {"$.b": "x"}}}"#,
  ])
  func `a miss of a body with too many elements names the limit and its option`(rules: String) throws {
    let recording =
      "{\"request\": {\"method\": \"POST\", \"url\": \"/a\", \"body\": {\"json\": {\"a\": 1}}}, "
      + "\"response\": {\"status\": 200}\(rules)}"
    let served = try Served(.platform, [recording]) { $0.maxElements = 10_000 }
    let client = try served.client()
    client.request("POST /a", ["Content-Type": "application/json", "Content-Encoding": "gzip"], body: Self.numbers)
    let answer = try client.answer()
    #expect(answer.status == 404)
    #expect(answer.text.contains("more than 10000 elements"), "\(answer.text)")
    #expect(answer.text.contains("--max-elements"))
  }

  @Test func `a body with more elements than are compared matches a recorded body with the same bytes`() throws {
    let list = "[\(String(repeating: "1,", count: 20_000))1]"
    let recording =
      "{\"request\": {\"method\": \"POST\", \"url\": \"/a\", \"body\": {\"json\": \(list)}}, "
      + "\"response\": {\"status\": 200}}"
    let served = try Served(.platform, [recording]) { $0.maxElements = 10_000 }
    let json: HTTPHeaders = ["Content-Type": "application/json"]
    #expect(try served.ask("POST /a", json, body: list).status == 200)
    #expect(try served.ask("POST /a", json, body: "[2,\(list.dropFirst())").status == 404)
  }

  @Test func `a request body that decodes to more than the limit is not decoded`() throws {
    let request = HTTPRequest(
      method: .post, target: try #require(HTTPTarget("/a")), headers: [("Content-Encoding", "gzip")], body: Self.bomb)
    #expect(request.contentDecoded == nil)
  }
}
