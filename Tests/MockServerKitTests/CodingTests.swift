import CassetteHTTP
import Cassettes
import ServerTestSupport
import TestSupport
import Testing

@testable import MockServerKit
@testable import MockServerUpstream

/// Content that was decoded for a recording is encoded again for clients that accept the coding.
struct CodingTests {
  /// Starts a server with a text in a coding, recorded `times` times.
  ///
  /// Repeated recordings are not prepared.
  private static func served(
    _ kind: LoopKind, coding: String = "gzip", body: String = #"{"text":"see https://api.example.com/x"}"#,
    times: Int = 1
  ) throws -> Served {
    let recording =
      #"{"request":{"method":"GET","url":"/a"},"response":{"status":200,"headers":[["Content-Type","text/plain"],"#
      + #"["Vary","Accept-Encoding"],["ETag","\"1\""]],"coding":"\#(coding)","body":\#(body)},"#
      + #""replay":{"repeat":"loop"}}"#
    return try Served(kind, Array(repeating: recording, count: times), origin: "https://api.example.com")
  }

  private func decoded(_ answer: WireClient.Answer) throws -> String {
    let decoder = try #require(ContentDecoder(answer.headers), "\(answer.headers)")
    let content = try decoder.decode(answer.body, limit: 1 << 20)
    #expect(decoder.isComplete)
    return String(decoding: content, as: UTF8.self)
  }

  @Test(arguments: LoopKind.allCases, ["gzip", "x-gzip", "deflate"])
  func `a client that accepts the coding receives encoded content with its length and rewritten links`(
    kind: LoopKind, coding: String
  ) throws {
    // One recording is prepared, two are played in turn.
    for times in [1, 2] {
      let served = try Self.served(kind, coding: coding, times: times)
      for _ in 0..<2 {
        let answer = try served.ask("GET /a", [("Accept-Encoding", "br, \(coding);q=0.5")])
        #expect(answer.headers["Content-Encoding"] == coding)
        #expect(answer.headers["Content-Length"] == "\(answer.body.count)")
        #expect(answer.headers["Vary"] == "Accept-Encoding")
        #expect(try decoded(answer) == "see \(served.url)/x")
        let head = try served.ask("HEAD /a", [("Accept-Encoding", coding)])
        #expect(head.headers["Content-Length"] == answer.headers["Content-Length"])
        #expect(head.headers["Content-Encoding"] == coding)
      }
    }
  }

  @Test(arguments: LoopKind.allCases, [nil, "identity", "br", "gzip;q=0", "gzip;q=0.1, identity"])
  func `a client that does not accept the coding receives the decoded content`(kind: LoopKind, accepted: String?) throws
  {
    for times in [1, 2] {
      let served = try Self.served(kind, times: times)
      let fields = HTTPHeaders(accepted.map { [("Accept-Encoding", $0)] } ?? [])
      // A response to another client has no effect.
      _ = try served.ask("GET /a", [("Accept-Encoding", "gzip")])
      let answer = try served.ask("GET /a", fields)
      #expect(!answer.headers.contains("Content-Encoding"))
      #expect(answer.text == "see \(served.url)/x")
      #expect(answer.headers["Content-Length"] == "\(answer.body.count)")
      #expect(answer.headers["ETag"] == "\"1\"")
    }
  }

  @Test func `a byte range counts decoded bytes, and a 304 response has no Content-Encoding`() throws {
    let served = try Self.served(.platform)
    let part = try served.ask("GET /a", [("Accept-Encoding", "gzip"), ("Range", "bytes=0-2")])
    #expect(part.status == 206)
    #expect(part.text == "see")
    #expect(!part.headers.contains("Content-Encoding"))
    let same = try served.ask("GET /a", [("Accept-Encoding", "gzip"), ("If-None-Match", "\"1\"")])
    #expect(same.status == 304)
    #expect(!same.headers.contains("Content-Encoding"))
  }

  @Test func `each chunk of an encoded stream can be decoded when it arrives`() throws {
    let pieces = #"{"chunks":[{"after":0,"text":"one "},{"after":0.01,"text":"two "},{"after":0,"text":"three"}]}"#
    let served = try Self.served(.platform, body: pieces)
    let answer = try served.ask("GET /a", [("Accept-Encoding", "gzip")])
    #expect(try decoded(answer) == "one two three")
    #expect(answer.headers["Transfer-Encoding"] == "chunked")
    let decoder = try #require(ContentDecoder([("Content-Encoding", "gzip")]))
    let encoder = try #require(ContentEncoder("gzip"))
    for piece in ["one ", "two "] {
      let coded = try #require(encoder.encode(Array(piece.utf8), isLast: false))
      #expect(String(decoding: try decoder.decode(coded, limit: 100), as: UTF8.self) == piece)
    }
  }

  @Test func `content with an unsupported coding is sent without Content-Encoding`() throws {
    for coding in ["compress", "gzip, compress"] {
      let served = try Self.served(.platform, coding: coding)
      let answer = try served.ask("GET /a", [("Accept-Encoding", coding)])
      #expect(answer.text == "see \(served.url)/x")
      #expect(!answer.headers.contains("Content-Encoding"))
    }
  }

  @Test(arguments: LoopKind.allCases)
  func `a recording stores the coding that the recorder decoded, and playback encodes it again`(kind: LoopKind) throws {
    let origin = try LoopbackOrigin { _ in
      let fields = "Content-Type: text/plain\r\nContent-Encoding: gzip\r\nVary: Accept-Encoding\r\n"
      return [
        .text("HTTP/1.1 200 OK\r\n\(fields)Content-Length: \(Samples.gzip.count)\r\n\r\n"), .send(Samples.gzip),
      ]
    }
    let upstream = try UpstreamOrigin(origin.url)
    let served = try Served(kind) { configuration in
      configuration.recording = RecordingSettings(
        upstream: upstream, cassette: "\(configuration.cassettes[0])/a.json")
    }
    _ = try served.ask("GET /a", [("Accept-Encoding", "gzip")])
    served.server.stop()
    _ = try served.server.saveRecording()
    let cassette = try CassetteFile.read(path: "\(served.folder)/a.json")
    let response = try #require(cassette.interactions.first?.response)
    #expect(response.coding == "gzip")
    #expect(!response.headers.contains("Content-Encoding"))
    #expect(try response.body?.bytes() == Array("see https://a.test/x".utf8))
    let replay = try Served(kind) { $0.cassettes = [served.folder] }
    let again = try replay.ask("GET /a", [("Accept-Encoding", "gzip")])
    #expect(try decoded(again) == "see https://a.test/x")
    #expect(again.headers.map(\.name).prefix(3) == ["Content-Type", "Content-Encoding", "Vary"])
  }
}
