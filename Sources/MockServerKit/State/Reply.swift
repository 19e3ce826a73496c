internal import CassettePlayback
internal import CassetteSpecification

/// The answer to a request: of the deck, or a specification where the deck has nothing.
enum Reply: Sendable {
  /// The deck's answer, and in what the exchange breaks its contract.
  case deck(Answer, breach: String? = nil)
  /// A specification's answer, and the number of the request.
  case specified(SpecificationAnswer, UInt64)
}
