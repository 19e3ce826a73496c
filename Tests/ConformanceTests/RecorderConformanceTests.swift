import CassetteRecording
import CassetteSession
import CassetteSystem
import Cassettes
import Dispatch
import Foundation
import MockServerKit
import MockServerUpstream
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A response in two parts.
///
/// The second part is sent 50 ms after the client has received the first.
private struct SlowAnswer: Sendable, CustomTestStringConvertible {
  let name: String
  let fields: String
  let first: String
  let last: String
  /// The expected pieces of the recorded body.
  ///
  /// A body with a length has one piece.
  let pieces: [String]

  var testDescription: String { name }
}

private let answers = [
  SlowAnswer(
    name: "chunks", fields: "Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n", first: "5\r\nfirst\r\n",
    last: "4\r\nlast\r\n0\r\n\r\n", pieces: ["first", "last"]),
  SlowAnswer(
    name: "events", fields: "Content-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n",
    first: "9\r\ndata: 1\n\n\r\n", last: "9\r\ndata: 2\n\n\r\n0\r\n\r\n", pieces: ["data: 1\n\n", "data: 2\n\n"]),
  SlowAnswer(
    name: "no length", fields: "Content-Type: text/plain\r\nConnection: close\r\n", first: "first", last: "last",
    pieces: ["first", "last"]),
  SlowAnswer(
    name: "a length", fields: "Content-Type: application/octet-stream\r\nContent-Length: 9\r\n", first: "first",
    last: "last",
    pieces: ["firstlast"]),
]

/// Signals the origin when the client has received a part of the response.
private final class FirstHeard: NSObject, URLSessionDataDelegate, Sendable {
  let gate = DispatchSemaphore(value: 0)
  let ends: AsyncStream<Void>
  private let end: AsyncStream<Void>.Continuation

  override init() { (ends, end) = AsyncStream.makeStream() }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) { gate.signal() }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    end.finish()
  }
}

@Suite struct `Recording in process and by a server` {
  /// The recorded response.
  private struct Kept: Equatable {
    var status: Int?
    var fields: [String: String] = [:]
    var pieces: [String] = []
    /// True if the recorded gap before the second piece is at least as long as the pause of the origin.
    var hasGap = false
    var end: BodyEnd?
  }

  @Test(arguments: answers) private func `CassettePlayer and MockServer record the same pieces and gaps`(
    answer: SlowAnswer
  ) async throws {
    let folder = try ScratchFolder()
    let inside = try await recordedInside(answer, into: folder.path("inside.json"))
    let outside = try await recordedOutside(answer, into: folder.path("outside.json"))
    #expect(inside == outside)
    #expect(inside.pieces == answer.pieces)
    #expect(inside.hasGap == (answer.pieces.count > 1))
  }

  private func origin(_ answer: SlowAnswer, _ heard: FirstHeard) throws -> LoopbackOrigin {
    try LoopbackOrigin { _ in
      [
        .text("HTTP/1.1 200 OK\r\n\(answer.fields)\r\n\(answer.first)"), .until(heard.gate), .pause(0.05),
        .text(answer.last),
      ]
    }
  }

  private func recordedInside(_ answer: SlowAnswer, into file: String) async throws -> Kept {
    let heard = FirstHeard()
    let origin = try origin(answer, heard)
    let recorder = try CassettePlayer(paths: [file], mode: .record)
    try await ask("\(origin.url)/slow", recorder.session(delegate: heard), heard)
    recorder.end()
    try recorder.save()
    return try kept(in: file)
  }

  private func recordedOutside(_ answer: SlowAnswer, into file: String) async throws -> Kept {
    let heard = FirstHeard()
    let origin = try origin(answer, heard)
    var configuration = MockServer.Configuration(cassettes: [], port: 0)
    configuration.loops = 1
    configuration.watches = false
    var settings = RecordingSettings(upstream: try UpstreamOrigin(origin.url), cassette: file)
    settings.mode = .record
    configuration.recording = settings
    let server = try MockServer(configuration)
    let address = try server.start()
    let session = URLSession(configuration: .ephemeral, delegate: heard, delegateQueue: nil)
    try await ask("\(address)/slow", session, heard)
    session.finishTasksAndInvalidate()
    server.stop()
    _ = try server.saveRecording()
    return try kept(in: file)
  }

  private func ask(_ url: String, _ session: URLSession, _ heard: FirstHeard) async throws {
    session.dataTask(with: URLRequest(url: try #require(URL(string: url)), timeoutInterval: 6000)).resume()
    for await _ in heard.ends {}
  }

  private func kept(in file: String) throws -> Kept {
    let response = try #require(try CassetteFile.read(path: file).interactions.first?.response)
    let body = try #require(response.body)
    var kept = Kept(status: response.status.code)
    for field in response.headers { kept.fields[field.name] = field.value }
    if case .chunks(let pieces, let end) = body.form {
      kept.pieces = pieces.map { String(decoding: $0.bytes, as: UTF8.self) }
      kept.hasGap = (pieces.last?.after ?? 0) >= 0.05
      kept.end = end
    } else {
      kept.pieces = [String(decoding: try body.bytes(), as: UTF8.self)]
    }
    return kept
  }
}
