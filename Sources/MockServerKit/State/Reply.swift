internal import CassetteHTTP
internal import CassettePlayback
internal import CassetteSpecification
internal import Cassettes

/// The answer to a request: of the deck, or a specification where the deck has nothing.
enum Reply: Sendable {
  /// The deck's answer, and in what the exchange breaks its contract.
  case deck(Answer, breach: String? = nil)
  /// A specification's answer, and the number of the request.
  case specified(SpecificationAnswer, UInt64)
}

extension Reply {
  /// The number of the request; 0 for an answer that is derived from several recordings and not counted.
  var number: UInt64 {
    switch self {
    case .deck(.playback(let playback), _): playback.request
    case .deck(.derived(_, let number), _): number
    case .deck(.interrupted(let fault), _): fault.request
    case .deck(.miss(let miss), _): miss.number
    case .specified(_, let number): number
    }
  }
}

extension ServerState {
  /// Returns the gate that holds an answer; nil where nothing holds it.
  func gate(for request: HTTPRequest, _ reply: Reply) -> CassetteGate? {
    var stub: String?
    if case .deck(.playback(let playback), _) = reply { stub = playback.recording.interaction.id }
    return configuration.gates.gate(for: request, stub: stub)
  }
}
