import CassetteHTTP
import CassetteSecrets
import Cassettes
import Foundation
import ServerTestSupport
import TestSupport
import Testing

@testable import MockServerKit
@testable import MockServerUpstream

/// Encoded bodies through a recording server: decoded and redacted, or not stored.
struct CodedRecordingTests {
  static let codings = ["gzip", "deflate", "br", "zstd", "gzip, gzip", "gzip, br", "br, zstd, gzip"]
    .filter { ContentEncoder($0) != nil && ContentDecoder([("Content-Encoding", $0)]) != nil }
  private static let token = "ghp" + "_aZ4kQ8vT1mX7cL2pR9wB5nJ3hF6dS0gYe2u4"
  private static let text = "the token is \(token), keep it"

  /// The result of recording one exchange with an origin.
  private final class Recorded {
    let served: Served
    let answer: WireClient.Answer
    let cassette: Cassette?

    init(
      _ fields: String, _ body: [UInt8], sending sent: [UInt8] = [], _ sentFields: HTTPHeaders = [],
      redaction: CassetteRedaction = .standard
    ) throws {
      let origin = try LoopbackOrigin { _ in
        [.text("HTTP/1.1 200 OK\r\n\(fields)Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"), .send(body)]
      }
      let upstream = try UpstreamOrigin(origin.url)
      served = try Served { configuration in
        configuration.recording = RecordingSettings(
          upstream: upstream, cassette: "\(configuration.cassettes[0])/a.json")
        configuration.recording?.redaction = redaction
      }
      let client = try served.client()
      client.request(sent.isEmpty ? "GET /a" : "POST /a", sentFields, body: sent)
      answer = try client.answer(toHead: false)
      served.server.stop()
      _ = try served.server.saveRecording()
      cassette = try? CassetteFile.read(path: "\(served.folder)/a.json")
    }

    /// True if the recorder reported a message with these words.
    func tells(_ words: String) -> Bool { served.count(of: "recording", words) > 0 }

    /// Returns the contents of all files in the recording folder.
    func files() throws -> [UInt8] {
      try Folder.files(in: served.folder, hidden: true).files.flatMap {
        Array(try Data(contentsOf: URL(filePath: "\(served.folder)/\($0)")))
      }
    }
  }

  @Test(arguments: codings)
  func `an encoded response is stored decoded without its token, and played encoded if the client accepts it`(
    coding: String
  ) throws {
    let coded = try #require(ContentEncoder(coding)?.encode(Array(Self.text.utf8), isLast: true))
    let recorded = try Recorded("Content-Type: text/plain\r\nContent-Encoding: \(coding)\r\n", coded)
    // A body without links reaches the client unchanged.
    #expect(recorded.answer.body == coded)
    #expect(recorded.answer.headers["Content-Encoding"] == coding)
    let response = try #require(recorded.cassette?.interactions.first?.response)
    #expect(response.coding == coding)
    #expect(!response.headers.contains("Content-Encoding"))
    let kept = String(decoding: try response.body?.bytes() ?? [], as: UTF8.self)
    #expect(kept.hasPrefix("the token is {{secret:") && kept.hasSuffix(", keep it"))
    #expect(!String(decoding: try recorded.files(), as: UTF8.self).contains(Self.token))

    let replay = try Served { $0.cassettes = [recorded.served.folder] }
    let again = try replay.ask("GET /a", [("Accept-Encoding", coding)])
    #expect(again.headers["Content-Encoding"] == coding)
    let decoder = try #require(ContentDecoder(again.headers))
    let plain = try replay.ask("GET /a")
    #expect(try decoder.decode(again.body, limit: 1 << 20) == plain.body)
    #expect(plain.text.hasPrefix("the token is"))
    #expect(!plain.headers.contains("Content-Encoding"))
  }

  @Test(arguments: codings)
  func `an encoded request is stored decoded, and matches with and without the encoding`(coding: String) throws {
    let json = Array(#"{"token":"\#(Self.token)","name":"Ada"}"#.utf8)
    let coded = try #require(ContentEncoder(coding)?.encode(json, isLast: true))
    let fields: HTTPHeaders = [("Content-Type", "application/json"), ("Content-Encoding", coding)]
    let recorded = try Recorded("", Array("done".utf8), sending: coded, fields)
    let interaction = try #require(recorded.cassette?.interactions.first)
    #expect(!interaction.requestHeaders.contains("Content-Encoding"))
    #expect(String(decoding: try interaction.requestBody?.bytes() ?? [], as: UTF8.self).contains("Ada"))
    #expect(!String(decoding: try recorded.files(), as: UTF8.self).contains(Self.token))
    let replay = try Served { $0.cassettes = [recorded.served.folder] }
    let plain: HTTPHeaders = [("Content-Type", "application/json")]
    for (body, fields) in [(coded, fields), (json, plain)] {
      let client = try replay.client()
      client.request("POST /a", fields, body: body)
      #expect(try client.answer(toHead: false).text == "done")
    }
  }

  @Test func `a token at the end of a long UTF-16 body is redacted`() throws {
    let text = String(repeating: ".", count: 3 << 20) + "\(Self.text)."
    let body: [UInt8] = [0xFF, 0xFE] + text.utf8.flatMap { [$0, 0] as [UInt8] }
    let recorded = try Recorded("Content-Type: text/plain; charset=utf-16\r\n", body)
    #expect(recorded.answer.body == body)
    let kept = try #require(try recorded.cassette?.interactions.first?.response?.body?.bytes())
    let said = String(decoding: kept.filter { $0 != 0 }.suffix(60), as: UTF8.self)
    #expect(said.hasSuffix("the token is {{secret:1}}, keep it."), "\(said)")
  }

  /// Fields and bodies that cannot be searched for secrets, and the reason that is reported.
  private static let opaque: [(String, [UInt8], String)] = [
    ("Content-Type: application/zip\r\n", [0x50, 0x4B, 3, 4, 1, 2, 255], "its body is a ZIP archive"),
    ("Content-Encoding: compress\r\n", [0x1F, 0x9D, 0x90, 1], "the unknown encoding \"compress\""),
    ("Content-Encoding: gzip\r\n", [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 255], "not have the stated Content-Encoding"),
    ("", [0x50, 0x4B, 3, 4] + [UInt8](repeating: 7, count: 5 << 20), "its body is a ZIP archive"),
  ]

  @Test(arguments: opaque.indices)
  func `an opaque body reaches the client, and is recorded only with --keep-opaque`(index: Int) throws {
    let (fields, body, reason) = Self.opaque[index]
    let refused = try Recorded(fields, body)
    #expect(refused.answer.body == body)
    #expect(refused.cassette?.interactions.isEmpty != false)
    #expect(refused.tells("not recorded: GET ") && refused.tells(reason) && refused.tells("--keep-opaque"))
    #expect(try refused.files().count < 10_000)
    let kept = try Recorded(fields, body, redaction: .standard.keepingOpaque())
    #expect(try kept.cassette?.interactions.first?.response?.body?.bytes() == body)
    // An opaque request body is refused, too.
    guard body.count < 1000 else { return }
    let sent = try Recorded("", Array("ok".utf8), sending: body, [("Content-Encoding", "compress")])
    #expect(sent.answer.text == "ok")
    #expect(sent.cassette?.interactions.isEmpty != false)
    #expect(sent.tells("its request: its body has the unknown encoding \"compress\""))
  }
}
