import Cassettes
import Foundation
import ServerTestSupport
import TestSupport
import Testing

@testable import MockServerKit
@testable import MockServerUpstream

/// Answers that the origin cuts short are played with their recorded framing and end.
struct CutAnswerTests {
  struct Cut: Sendable {
    var fields: String
    var body: String
    var isReset: Bool
  }

  static let cuts = [
    Cut(fields: "Content-Length: 100\r\n", body: "nine byte", isReset: false),
    Cut(fields: "Content-Length: 100\r\n", body: "nine byte", isReset: true),
    Cut(fields: "Content-Length: 100\r\n", body: "", isReset: false),
    Cut(fields: "Transfer-Encoding: chunked\r\n", body: "9\r\nnine byte\r\n", isReset: false),
    Cut(fields: "Transfer-Encoding: chunked\r\nConnection: close\r\n", body: "9\r\nnine byte\r\n", isReset: true),
    Cut(fields: "", body: "nine byte", isReset: true),
  ]

  @Test(arguments: LoopKind.allCases, cuts.indices)
  func `plays as it was cut`(kind: LoopKind, index: Int) throws {
    let cut = Self.cuts[index]
    let text = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\(cut.fields)\r\n\(cut.body)"
    let origin = try LoopbackOrigin { _ in [.text(text)] + (cut.isReset ? [.reset] : []) }
    let upstream = try UpstreamOrigin(origin.url)
    let recorder = try Served(kind) { configuration in
      configuration.recording = RecordingSettings(
        upstream: upstream, cassette: "\(configuration.cassettes[0])/a.json")
    }
    let expected: WireClient.End = cut.isReset ? .reset : .ended
    let client = try recorder.client()
    client.request("GET /a")
    #expect(client.readToEnd().end == expected)
    recorder.server.stop()
    _ = try recorder.server.saveRecording()
    let cassette = try String(contentsOf: URL(filePath: "\(recorder.folder)/a.json"), encoding: .utf8)

    let player = try Served(kind, ["a.json": cassette])
    let again = try player.client()
    again.request("GET /a")
    let (played, end) = again.readToEnd()
    #expect(end == expected)
    #expect(played.hasSuffix("\r\n\r\n\(cut.body)"))
    #expect(played.contains("\r\nContent-Length: 100\r\n") == cut.fields.contains("Content-Length"))
    #expect(played.contains("\r\nTransfer-Encoding: chunked\r\n") == cut.fields.contains("chunked"))
  }
}
