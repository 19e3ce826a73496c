internal import CassetteHTTP
internal import CassettePlayback
internal import Cassettes
internal import MockServerWire

extension ServerState {
  /// Builds the response of a recording, or calls the code of a stub, and applies faults.
  ///
  /// - Parameters:
  ///   - playback: The recording that the deck chose.
  ///   - request: The request.
  ///   - base: The scheme and authority that replace the recorded origins; nil keeps them.
  ///   - origins: The recorded origins.
  /// - Returns: The response.
  /// - Throws: ``CassetteError`` if the body's file cannot be read.
  func response(
    of playback: Playback, to request: HTTPRequest, base: String?, origins: OriginRewriter
  ) throws(CassetteError) -> PlayedResponse {
    let made = try configuration.answering?(request, playback)
    var played: PlayedResponse
    if let response = made?.0 {
      played = response
    } else {
      played = try playback.served(base: base, origins: origins) {
        guard $0.coding != nil else { return $0 }
        let accepted = AcceptedCodings(request.headers.values(of: "Accept-Encoding"))
        return $0.coded(for: accepted, keptIn: playback.table.caches.longAnswers)
      }
    }
    played = try playback.faulted(played)
    played.delay += made?.seconds ?? 0
    return played
  }

  /// Builds the response of a plan if that may block an event loop for too long; returns nil for other plans.
  func longResponse(
    of plan: Plan, to request: HTTPRequest, base: String?, origins: OriginRewriter
  ) -> PlannedResponse? {
    guard let playback = plan.playback, playback.isLong else { return nil }
    return Result { () throws(CassetteError) in
      try response(of: playback, to: request, base: base, origins: origins)
    }
  }
}
