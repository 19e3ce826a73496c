import CassetteHTTP
import CassettePlayback
import CassetteSecrets
import CassetteSession
internal import CassetteSystem
import Cassettes
import MockServerKit

/// The events of a test's server: all problems, and the first thousand requests and responses.
final class ServerHistory: Sendable {
  private static let kept = 1_000

  private struct State: Sendable {
    var requests: [HTTPRequest] = []
    var problems: [String] = []
    var missed: [String] = []
    var answers: [MockServer.Event.Answer] = []
    var refused: [String] = []
    var count = 0
  }

  private let state = Locked(State())

  /// Records an event.
  func note(_ event: MockServer.Event) {
    state.withLock { state in
      switch event.kind {
      case .request(let request): if state.requests.count < Self.kept { state.requests.append(request) }
      case .answer(let answer):
        state.count += 1
        if state.answers.count < Self.kept { state.answers.append(answer) }
      case .refused:
        state.count += 1
        if state.refused.count < Self.kept { state.refused.append(event.description) }
      case .miss(let miss):
        state.missed.append(miss.request)
        state.problems.append(event.description)
      case .fileBroken, .answerBroken, .contract, .handshakeRefused, .recording, .lost:
        state.problems.append(event.description)
      // The summary reports approximations as strictly as the test requires.
      case .approximate: break
      case .reload: break
      }
    }
  }

  /// The received requests in order.
  var requests: [HTTPRequest] { state.withLock { $0.requests } }

  /// The requests without a matching recording.
  var missed: [String] { state.withLock { $0.missed } }

  /// The problems, and the total number of responses.
  var told: (problems: [String], count: Int) { state.withLock { ($0.problems, $0.count) } }

  /// Returns the first requests with their answers from a table of recordings.
  func entries(_ table: RecordingTable, _ sent: (HTTPRequest) -> CassetteSentRequest?) -> [CassetteLedger.Entry] {
    let (requests, answers, refused) = state.withLock { ($0.requests, $0.answers, $0.refused) }
    let recordings = Dictionary(
      table.entries.map { ("\($0.cassette)/\($0.interaction.id)", $0.interaction) }, uniquingKeysWith: { one, _ in one }
    )
    // Answers to concurrent requests are not in the order of the requests.
    var waiting = Dictionary(grouping: answers.reversed()) { "\($0.method) \($0.target)" }
    let entries = requests.map { request in
      let answer = waiting["\(request.method) \(SecretNames.masked(url: request.pathAndQuery))"]?.popLast()
      let name = [answer?.cassette, answer?.recording].compactMap(\.self).joined(separator: "/")
      let words = name.isEmpty ? answer?.outcome.rawValue ?? "" : name
      let status = answer?.status.map { "\($0.code)" } ?? "no answer"
      var recording = recordings[name]
      // The status of a miss, of a fault, or of a closure's answer.
      if let status = answer?.status, recording?.response?.status != status {
        recording = Interaction(
          method: request.method, url: request.pathAndQuery, outcome: .response(RecordedResponse(status: status)))
      }
      return CassetteLedger.Entry(sent(request), by: recording) { "\(status) \(words)" }
    }
    return entries + refused.map { text in CassetteLedger.Entry(nil, url: text) { "refused" } }
  }
}
