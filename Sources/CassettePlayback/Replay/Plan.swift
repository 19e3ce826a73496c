internal import CassetteHTTP
internal import CassetteMatching
internal import Cassettes

/// A deck's answer to a request, created by ``Deck/plan(_:session:)`` and carried out by a player.
package enum Plan: Sendable {
  /// A recording answers with the same response for every client; a ``DeckView`` caches the form that a player creates.
  case constant(Playback)
  /// A recording, a template or a resource answers, and the response is built for this request.
  case response(Playback)
  /// A generated response to the request with this number.
  case made(PlayedResponse, by: Maker, number: UInt64)
  /// No answer.
  case miss(Miss)

  /// The origin of a response that is not recorded.
  package enum Maker: Sendable {
    /// The methods of the recordings answer an `OPTIONS` request.
    case methods
    /// A fault replaces the answer: its description, and the differences from the recording whose rules define the
    /// fault.
    case fault(String, Approximation? = nil)
    /// A specification answers: its operation, and the request's violation of the contract.
    case specification(operation: String, breach: String?)
  }

  /// The playback of the recording; nil for a generated response or a miss.
  package var playback: Playback? {
    switch self {
    case .constant(let playback), .response(let playback): playback
    case .made, .miss: nil
    }
  }
}
