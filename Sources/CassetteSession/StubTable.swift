package import CassetteHTTP
package import CassettePlayback
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
    stub.answers.map { answer in
      let base = stub.id
      let count = counts[base, default: 0] + 1
      counts[base] = count
      let id = count == 1 ? base : "\(base)-\(count)"
      answers[id] = (stub, answer)
      return (id, answer)
    }
  }

  /// Seconds to wait, and the answer where a closure made it of the request; nil where no stub was chosen.
  package func answer(
    to playback: Playback, method: HTTPMethod, _ request: () -> URLRequest
  ) throws(CassetteError) -> (made: PlayedResponse?, seconds: Double)? {
    guard playback.recording.cassette == CassetteStub.cassette,
      let (stub, answer) = answers[playback.recording.interaction.id]
    else { return nil }
    let resolved = answer.resolved(for: request())
    if let problem = resolved.problem { throw stub.error(problem) }
    // The deck was shown a stand-in: what the closure says is known only now.
    let made = answer.isMade ? try resolved.response(isHead: method == .head) : nil
    return (made, resolved.seconds)
  }
}
