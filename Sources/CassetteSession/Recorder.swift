import CassetteHTTP
import CassetteRecording
import Cassettes
import Foundation

/// A test that records, to distinguish its recordings in a shared cassette.
package struct RecordingTest: Sendable {
  /// The name of the test, which is written into the cassette: `ProfileTests/profile()`.
  package let name: String
  /// The position in the test where the recording was requested.
  package let site: String

  package init(name: String, site: String) {
    self.name = name
    self.site = site
  }
}

/// A cassette that is being recorded, and its file, which other recorders of this process may share.
struct Recorder: Sendable {
  let path: String
  let recording: Recording
  /// The origin of the cassette's exchanges; nil if it does not specify one.
  let origin: String?
  private let file: RecordingFile
  private let number: Int
  private let isTest: Bool

  /// Opens a cassette for recording, which need not exist; throws an error if the file exists and is not a valid
  /// cassette.
  init(path: String, mode: CassetteMode, for test: RecordingTest?) throws(CassetteError) {
    self.path = path
    file = try RecordingFiles.file(at: path)
    let cassette = file.cassette
    origin = cassette.origin
    recording = Recording(into: cassette, mode: mode)
    number = file.begin(recording, by: test?.name, at: test?.site)
    isTest = test != nil
  }

  /// Merges the recordings into the file and returns a description of the changes; throws an error if a value looks
  /// like a secret, or if the file cannot be written.
  func save(_ outcome: RecordingFile.Outcome) throws(CassetteError) -> String {
    var changes = try file.save(number, outcome)
    // If tests record, other tests may still use the remaining recordings.
    if !isTest { (changes.unasked, changes.redaction) = (file.total.unasked, file.total.redaction) }
    let refusals = recording.refusals(outcome.redaction)
    let unfinished = recording.unfinished - refusals.count
    let left = unfinished <= 0 ? "" : ", \(unfinished) left out: the response was not complete"
    return "\(path): \(changes)\(left)" + refusals.map { ", not recorded: \($0)" }.joined()
  }
}

/// The recording of one exchange.
struct RecordedExchange: Sendable {
  private let recording: Recording
  private let token: Recording.Token

  /// Begins the recording of a request that is being sent.
  ///
  /// Cookies are sorted, because a session's storage returns them in a different order each time, which would change
  /// the recording.
  init(of request: HTTPRequest, by recording: Recording) {
    var request = request
    if let cookies = request.headers["Cookie"]?.split(separator: ";").map({ $0.drop { $0 == " " } }), cookies.count > 1
    {
      request.headers.set("Cookie", cookies.sorted().joined(separator: "; "))
    }
    self.recording = recording
    token = recording.begin(request)
  }

  /// Records the response, or the reason why it cannot be recorded.
  func finish(_ capture: consuming ResponseCapture, breaksOff: Bool, _ facts: RecordedFacts) {
    if capture.head?.status == 407 {
      recording.abandon(token, because: "status 407 comes from a proxy, not from the origin")
    } else if let response = capture.response(breaksOff: breaksOff) {
      recording.finish(token, response, recorded: facts)
    } else if let loss = capture.loss {
      recording.abandon(token, because: loss)
    }
  }

  /// Records a failure without a response.
  func finish(_ failure: RecordedFailure, _ facts: RecordedFacts) { recording.finish(token, failure, recorded: facts) }
}
