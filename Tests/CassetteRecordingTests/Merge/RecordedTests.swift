import CassetteHTTP
internal import CassetteSecrets
import Testing

@testable import CassetteRecording
@testable import Cassettes

/// The tests of a process that record into one file.
struct RecordedTests: Sendable {
  let file: RecordingFile

  init(_ path: String) throws { file = try RecordingFile(path: path) }

  /// An exchange of a test.
  struct Exchange: Sendable {
    var path: String
    var method = HTTPMethod.get
    var body = ""
    var headers: HTTPHeaders = []
    /// The answer, or nil for a request that fails.
    var answer: String?

    init(
      _ path: String, _ answer: String?, method: HTTPMethod = .get, body: String = "", headers: HTTPHeaders = []
    ) {
      (self.path, self.answer, self.method, self.body, self.headers) = (path, answer, method, body, headers)
    }
  }

  /// Begins the recording of a test, and returns the number with which it is saved.
  func begin(
    _ key: String?, _ exchanges: [Exchange], mode: CassetteMode = .record, site: String? = nil,
    redaction: CassetteRedaction = .standard, at time: String = "2026-11-21T01:00:00Z"
  ) throws -> Int {
    let recording = Recording(into: file.cassette, mode: mode, redaction: redaction)
    for exchange in exchanges {
      let target = try #require(HTTPTarget(exchange.path))
      let token = recording.begin(
        HTTPRequest(
          method: exchange.method, target: target, headers: exchange.headers, body: Array(exchange.body.utf8)),
        origin: "https://api.example.com")
      let facts = RecordedFacts(at: time, firstByte: 0.25, total: 0.5)
      if let answer = exchange.answer {
        let body = answer.isEmpty ? nil : Body.storing(Array(answer.utf8))
        recording.finish(token, RecordedResponse(status: 200, body: body), recorded: facts)
      } else {
        recording.finish(token, RecordedFailure(code: -1004), recorded: facts)
      }
    }
    return file.begin(recording, by: key, at: site)
  }

  /// Records a test and saves it.
  @discardableResult
  func record(
    _ key: String?, _ exchanges: [Exchange], mode: CassetteMode = .record, failed: Bool = false, site: String? = nil,
    at time: String = "2026-11-21T01:00:00Z"
  ) throws -> Recording.Changes {
    try save(begin(key, exchanges, mode: mode, site: site, at: time), failed: failed)
  }

  @discardableResult
  func save(_ number: Int, failed: Bool = false) throws -> Recording.Changes {
    var outcome = RecordingFile.Outcome()
    outcome.hasFailed = failed
    return try file.save(number, outcome)
  }
}

extension Cassette {
  /// The URLs of the recordings, in order.
  var urls: [String] { interactions.map(\.url) }

  /// The response bodies of the recordings, in order; `!` for a failure.
  var answers: [String] {
    interactions.map { interaction in
      interaction.failure == nil
        ? String(decoding: (try? interaction.responseBody?.bytes()) ?? [], as: UTF8.self) : "!"
    }
  }
}
