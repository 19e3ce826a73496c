import CassetteHTTP
import CassettePlayback
internal import CassetteSystem
import MockServerKit

/// The events of a test's server: all problems, and the first thousand requests and responses.
final class ServerHistory: Sendable {
  private static let kept = 1_000

  private struct State: Sendable {
    var requests: [HTTPRequest] = []
    var problems: [String] = []
    var missed: [String] = []
    var answers: [String] = []
    var count = 0
  }

  private let state = Locked(State())

  /// Records an event.
  func note(_ event: MockServer.Event) {
    state.withLock { state in
      switch event.kind {
      case .request(let request): if state.requests.count < Self.kept { state.requests.append(request) }
      case .answer, .refused:
        state.count += 1
        if state.answers.count < Self.kept { state.answers.append(event.description) }
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

  /// The problems, the log lines of the first responses, and the total number of responses.
  var told: (problems: [String], answers: [String], count: Int) {
    state.withLock { ($0.problems, $0.answers, $0.count) }
  }
}
