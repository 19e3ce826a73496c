import CassetteHTTP
import Cassettes
import Foundation
import ServerTestSupport
import TestSupport
import Testing

@testable import MockServerKit
@testable import MockServerUpstream

/// Answers that the origin cuts short are played with their recorded framing and end.
struct CutAnswerTests {
  struct Cut: Sendable, CustomTestStringConvertible {
    var fields: String
    var body: String
    var isReset: Bool

    var testDescription: String { "\(fields)\(body) \(isReset ? "reset" : "closed")" }
  }

  static let cuts = [
    Cut(fields: "Content-Length: 100\r\n", body: "nine byte", isReset: false),
    Cut(fields: "Content-Length: 100\r\n", body: "nine byte", isReset: true),
    Cut(fields: "Content-Length: 100\r\n", body: "", isReset: false),
    Cut(fields: "Transfer-Encoding: chunked\r\n", body: "9\r\nnine byte\r\n", isReset: false),
    Cut(fields: "Transfer-Encoding: chunked\r\nConnection: close\r\n", body: "9\r\nnine byte\r\n", isReset: true),
    Cut(fields: "", body: "nine byte", isReset: true),
  ]

  @Test(arguments: LoopKind.allCases, cuts)
  func `a response that the origin cut is played with the same framing, bytes and end`(kind: LoopKind, cut: Cut) throws
  {
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

  @Test(arguments: LoopKind.allCases)
  func `an HTTP 1.0 client sees a reset if a chunked response was cut`(kind: LoopKind) throws {
    let answer = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nnine byte\r\n"
    let origin = try LoopbackOrigin { _ in [.text(answer)] }
    let upstream = try UpstreamOrigin(origin.url)
    let recorder = try Served(kind) { configuration in
      configuration.recording = RecordingSettings(upstream: upstream, cassette: "\(configuration.cassettes[0])/a.json")
    }
    let client = try recorder.client()
    client.send("GET /a HTTP/1.0\r\n\r\n")
    #expect(client.readToEnd().end == .reset)
    recorder.server.stop()
    _ = try recorder.server.saveRecording()
    let cassette = try String(contentsOf: URL(filePath: "\(recorder.folder)/a.json"), encoding: .utf8)
    let player = try Served(kind, ["a.json": cassette])
    for (version, end) in [("1.0", WireClient.End.reset), ("1.1", .ended)] {
      let again = try player.client()
      again.send("GET /a HTTP/\(version)\r\nHost: x\r\n\r\n")
      #expect(again.readToEnd().end == end, "\(version)")
    }
  }

  @Test(arguments: LoopKind.allCases, [true, false])
  func `an encoded response that was cut is played cut under its recorded length`(kind: LoopKind, accepts: Bool) throws
  {
    var random = SystemRandomNumberGenerator()
    let text = (0..<4_000).map { _ in String(random.next(), radix: 16) }.joined(separator: "\n")
    let coded = try #require(ContentEncoder("gzip")?.encode(Array(text.utf8), isLast: true))
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\n"
    let origin = try LoopbackOrigin { _ in
      [.text("\(head)Content-Length: \(coded.count)\r\n\r\n"), .send(Array(coded.prefix(coded.count * 3 / 4)))]
    }
    let upstream = try UpstreamOrigin(origin.url)
    let recorder = try Served(kind) { configuration in
      configuration.recording = RecordingSettings(upstream: upstream, cassette: "\(configuration.cassettes[0])/a.json")
    }
    let fields: HTTPHeaders = accepts ? [("Accept-Encoding", "gzip")] : []
    let client = try recorder.client()
    client.request("GET /a", [("Accept-Encoding", "gzip")])
    #expect(client.readToEnd().end == .ended)
    recorder.server.stop()
    _ = try recorder.server.saveRecording()
    let cassette = try String(contentsOf: URL(filePath: "\(recorder.folder)/a.json"), encoding: .utf8)

    let player = try Served(kind, ["a.json": cassette])
    let again = try player.client()
    again.request("GET /a", fields)
    let (played, end) = again.readToEnd()
    #expect(end == .ended)
    let lines = played.components(separatedBy: "\r\n")
    let announced = try #require(lines.first { $0.hasPrefix("Content-Length: ") }.flatMap { Int($0.dropFirst(16)) })
    #expect(!lines.contains { $0.hasPrefix("Transfer-Encoding") })
    if accepts {
      #expect(announced == coded.count && lines.contains("Content-Encoding: gzip"))
    } else {
      let body = try #require(lines.last)
      #expect(body.utf8.count > 10_000 && body.utf8.count < announced && text.hasPrefix(body))
    }
  }
}
