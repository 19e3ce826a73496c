package import CassetteHTTP
package import CassettePlayback
internal import CassetteSystem
package import Cassettes

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#else
  package import Foundation
#endif

/// Stubs as a deck plays them: recordings, and the answers behind those.
package struct StubTable: Sendable {
  /// The cassette that stubs are said to be of.
  package static var name: String { CassetteStub.cassette }

  /// Set once any stub of the process answers with a closure, whose requests need the context of their test.
  static let hasClosures = Flag()

  private var answers: [String: (stub: CassetteStub, answer: CassetteStub.Answer)] = [:]
  private var counts: [String: Int] = [:]
  /// The recordings that stand for the stubs.
  package private(set) var cassette = Cassette(name: CassetteStub.cassette)

  /// Creates a table of stubs of one scope.
  package init(_ stubs: [CassetteStub] = []) { append(stubs, scope: 0) }

  /// Adds stubs behind those of their scope.
  mutating func append(_ stubs: [CassetteStub], scope: Int) {
    for stub in stubs {
      cassette.interactions += names(of: stub).map { stub.interaction(id: $0, $1, scope: scope) }
    }
  }

  /// Adds a stub while a player plays, and returns what is to be added to the deck.
  package mutating func added(_ stub: CassetteStub) -> [AddedStub] {
    names(of: stub).map { id, answer in
      var interaction = stub.interaction(id: id, answer, scope: 0)
      // The newest comes first, whoever has added it.
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

  /// The gate that holds the answer of a stub, as far as it is known before a closure runs.
  package func gate(ofStub id: String) -> CassetteGate? { answers[id]?.answer.gate }

  /// True if a gate holds an answer of any stub.
  package var hasGates: Bool { answers.values.contains { $0.answer.gate != nil } }

  /// Seconds to wait, and the answer where a closure made it of the request; nil where no stub was chosen.
  ///
  /// - Parameters:
  ///   - playback: The choice of the deck.
  ///   - method: The request's method.
  ///   - context: The context in which closures are called; nil for that of the caller.
  ///   - request: The request, for closures.
  /// - Returns: The answer of a closure, if there is one, and what delays it; nil if no stub was chosen.
  /// - Throws: ``CassetteError`` for an answer that cannot be given.
  package func answer(
    to playback: Playback, method: HTTPMethod, in context: TaskContext?, _ request: () -> URLRequest
  ) throws(CassetteError) -> (made: PlayedResponse?, seconds: Double, gate: CassetteGate?)? {
    guard playback.recording.cassette == CassetteStub.cassette,
      let (stub, answer) = answers[playback.recording.interaction.id]
    else { return nil }
    let resolved = answer.resolved(for: request(), in: context)
    if let problem = resolved.problem { throw stub.error(problem) }
    // The deck was shown a stand-in: what the closure says is known only now.
    let made = answer.isMade ? try resolved.response(isHead: method == .head) : nil
    return (made, resolved.seconds, resolved.gate)
  }
}
