import CassetteHTTP
import CassetteRecording
import Cassettes
import Foundation

/// The test that records, by which it is told from the others of a cassette.
package struct RecordingTest: Sendable {
  /// The test's name, which is written into the cassette: `ProfileTests/profile()`.
  package let name: String
  /// The place in the test where the recording was asked for.
  package let site: String

  package init(name: String, site: String) {
    self.name = name
    self.site = site
  }
}

/// A cassette that is recorded into, and its file, which other recorders of this process may share.
struct Recorder: Sendable {
  let path: String
  let recording: Recording
  /// The origin whose exchanges it holds, when it says so.
  let origin: String?
  private let file: RecordingFile
  private let number: Int
  private let isTest: Bool

  /// Opens a cassette, which need not exist, for recording; throws when there is something else, or one that does not
  /// read.
  init(path: String, mode: CassetteMode, for test: RecordingTest?) throws(CassetteError) {
    self.path = path
    file = try RecordingFiles.file(at: path)
    let cassette = file.cassette
    origin = cassette.origin
    recording = Recording(into: cassette, mode: mode)
    number = file.begin(recording, by: test?.name, at: test?.site)
    isTest = test != nil
  }

  /// Merges what was recorded into the file and says what changed; throws what looks like a secret, or the system's
  /// word.
  func save(_ outcome: RecordingFile.Outcome) throws(CassetteError) -> String {
    var changes = try file.save(number, outcome)
    // Of tests, others may still ask for the rest.
    if !isTest { (changes.unasked, changes.redaction) = (file.total.unasked, file.total.redaction) }
    let refusals = recording.refusals(outcome.redaction)
    let unfinished = recording.unfinished - refusals.count
    let left = unfinished <= 0 ? "" : ", \(unfinished) left out: no answer had come to its end"
    return "\(path): \(changes)\(left)" + refusals.map { ", not recorded: \($0)" }.joined()
  }
}

/// The recording of one exchange.
struct RecordedExchange: Sendable {
  private let recording: Recording
  private let token: Recording.Token

  /// Notes that a request is sent.
  ///
  /// A session's jar puts its cookies in another order each time; kept in the order of their names, they make no change.
  init(of request: HTTPRequest, by recording: Recording) {
    var request = request
    if let cookies = request.headers["Cookie"]?.split(separator: ";").map({ $0.drop { $0 == " " } }), cookies.count > 1
    {
      request.headers.set("Cookie", cookies.sorted().joined(separator: "; "))
    }
    self.recording = recording
    token = recording.begin(request)
  }

  /// Notes the answer, or why it cannot be kept.
  func finish(_ capture: consuming ResponseCapture, breaksOff: Bool, _ facts: RecordedFacts) {
    if capture.head?.status == 407 {
      recording.abandon(token, because: "407 is the answer of a proxy, not of the origin")
    } else if let response = capture.response(breaksOff: breaksOff) {
      recording.finish(token, response, recorded: facts)
    } else if let loss = capture.loss {
      recording.abandon(token, because: loss)
    }
  }

  /// Notes that there was no answer.
  func finish(_ failure: RecordedFailure, _ facts: RecordedFacts) { recording.finish(token, failure, recorded: facts) }
}
