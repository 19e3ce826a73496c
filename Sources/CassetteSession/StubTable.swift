package import CassetteHTTP
package import CassettePlayback
internal import CassetteSystem
package import Cassettes

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#else
  package import Foundation
#endif

/// The stubs of a deck, as recordings with the answers of the stubs.
package struct StubTable: Sendable {
  /// The name of the cassette that contains the stubs.
  package static var name: String { CassetteStub.cassette }

  /// Set if any stub of the process answers with a closure, so that requests need the context of their test.
  static let hasClosures = Flag()

  private var answers: [String: (stub: CassetteStub, answer: CassetteStub.Answer)] = [:]
  private var counts: [String: Int] = [:]
  /// The recordings that represent the stubs.
  package private(set) var cassette = Cassette(name: CassetteStub.cassette)

  /// Creates a table of stubs in one scope.
  package init(_ stubs: [CassetteStub] = []) { append(stubs, scope: 0) }

  /// Adds stubs after the earlier stubs of the same scope.
  mutating func append(_ stubs: [CassetteStub], scope: Int) {
    for stub in stubs {
      cassette.interactions += names(of: stub).map { stub.interaction(id: $0, $1, scope: scope) }
    }
  }

  /// Adds a stub during playback; returns the recordings to add to the deck.
  package mutating func added(_ stub: CassetteStub) -> [AddedStub] {
    names(of: stub).map { id, answer in
      var interaction = stub.interaction(id: id, answer, scope: 0)
      // The priority is equal for all stubs added during playback, so that the newest one is preferred.
      interaction.match.priority = 0
      return AddedStub(id: id, interaction, cassette: CassetteStub.cassette)
    }
  }

  private mutating func names(of stub: CassetteStub) -> [(id: String, answer: CassetteStub.Answer)] {
    if stub.answers.contains(where: \.isMade) { Self.hasClosures.set() }
    return stub.answers.map { answer in
      let base = stub.id
      let count = counts[base, default: 0] + 1
      counts[base] = count
      let id = count == 1 ? base : "\(base)-\(count)"
      answers[id] = (stub, answer)
      return (id, answer)
    }
  }

  /// Returns the gate that holds the answer of a stub, unless only a closure determines it.
  package func gate(ofStub id: String) -> CassetteGate? { answers[id]?.answer.gate }

  /// Returns the delay and the gate of a stub's answer, and the answer itself if a closure created it.
  ///
  /// - `context`: The context in which closures are called; nil for the caller's context.
  /// - `request`: Returns the request for closures.
  package func answer(
    to playback: Playback, method: HTTPMethod, in context: TaskContext?, _ request: () -> URLRequest
  ) throws(CassetteError) -> (made: PlayedResponse?, seconds: Double, gate: CassetteGate?)? {
    guard playback.recording.cassette == CassetteStub.cassette,
      let (stub, answer) = answers[playback.recording.interaction.id]
    else { return nil }
    let resolved = answer.resolved(for: request(), in: context)
    if let problem = resolved.problem { throw stub.error(problem) }
    // The deck has a placeholder for the answer of a closure, which is only known now.
    let made = answer.isMade ? try resolved.response(isHead: method == .head) : nil
    return (made, resolved.seconds, resolved.gate)
  }
}
