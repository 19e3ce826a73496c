internal import CassettePlayback
internal import CassetteSpecification
internal import Cassettes

/// The answer to a request: of the deck, or a specification where the deck has nothing.
enum Reply: Sendable {
  /// The deck's answer, and in what the exchange breaks its contract.
  case deck(Answer, breach: String? = nil)
  /// A recording that answers, with its long answer made outside of the event loop.
  case planned(Playback, Result<DelayedResponse, CassetteError>, breach: String?)
  /// A specification's answer, and the number of the request.
  case specified(SpecificationAnswer, UInt64)
}

/// A planned response, and the number of seconds before it.
typealias DelayedResponse = (planned: PlannedResponse, delay: Double)
