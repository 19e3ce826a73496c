internal import Cassettes
internal import HTTP

extension Responder {
  /// What answers a request: its content as it is recorded, decoded, or as others have recorded it.
  func play(_ request: HTTPRequest) -> Answer {
    let session = request.headers["X-Mock-Session"] ?? ""
    guard let decoded = request.contentDecoded else { return state.deck.play(request, session: session) }
    let answer = state.deck.play(decoded, session: session)
    guard case .miss = answer else { return answer }
    let coded = state.deck.play(request, session: session)
    if case .miss = coded { return answer }
    return coded
  }

  /// How what the deck chose is played: as it is recorded, or as code makes it, with the faults that lie over it.
  ///
  /// The deck may have loaded other cassettes since this loop looked: links go by what it played from.
  func performance(
    of playback: Playback, for request: HTTPRequest, base: String?, origins: OriginRewriter
  ) throws(CassetteError) -> (performance: Performance, delay: Double) {
    let made = try state.configuration.answering?(request, playback)
    let performance: Performance
    if let answer = made?.0 {
      performance = answer
    } else {
      performance = try Performance.of(playback, for: request, base: base, origins: origins)
    }
    var played = playback.faulted(performance, speed: state.configuration.speed)
    played.delay += made?.seconds ?? 0
    return played
  }
}
