internal import CassetteHTTP
internal import CassetteMatching
internal import Cassettes

/// A deck's answer to a request, made by ``Deck/plan(_:session:)`` and carried out by a player.
package enum Plan: Sendable {
  /// A recording answers, with the same response for everybody: a ``ConstantForms`` keeps what a player makes of it.
  case constant(Playback)
  /// A recording, a template or a resource answers, and the response is built for this request.
  case response(Playback)
  /// A response to the request of this number that no recording holds.
  case made(PlayedResponse, by: Maker, number: UInt64)
  /// Nothing answers.
  case miss(Miss)

  /// The maker of a response that no recording holds.
  package enum Maker: Sendable {
    /// The recordings' methods answer an `OPTIONS` request.
    case methods
    /// A fault takes the answer's place; in words, with the differences from the recording whose rules ask for the fault.
    case fault(String, Approximation? = nil)
    /// A specification answers; its operation, and in what the request breaks the contract.
    case specification(operation: String, breach: String?)
  }

  /// The recording that answers; nil if none does.
  package var playback: Playback? {
    switch self {
    case .constant(let playback), .response(let playback): playback
    case .made, .miss: nil
    }
  }
}
