import CassetteHTTP
import CassettePlayback
internal import CassetteSystem
import MockServerKit

/// The events of a test's server: each problem, and the first thousand requests and answers.
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

  /// Keeps an event.
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
      // Told by the summary, as strict as the test wants it.
      case .approximate: break
      case .reload: break
      }
    }
  }

  /// The requests that came, in their order.
  var requests: [HTTPRequest] { state.withLock { $0.requests } }

  /// The requests that nothing answered.
  var missed: [String] { state.withLock { $0.missed } }

  /// The problems, the lines of the first answers, and the number of answers.
  var told: (problems: [String], answers: [String], count: Int) {
    state.withLock { ($0.problems, $0.answers, $0.count) }
  }
}
