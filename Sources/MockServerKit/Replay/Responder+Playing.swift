internal import CassetteHTTP
internal import CassettePlayback
internal import Cassettes
internal import MockServerWire

extension Responder {
  /// Plans the response for the deck's choice: as it is recorded, or as code makes it, with the faults that apply.
  ///
  /// The deck may have loaded other cassettes since this loop looked: links go by what it played from.
  func plannedResponse(
    of playback: Playback, for request: HTTPRequest, base: String?, origins: OriginRewriter
  ) throws(CassetteError) -> (planned: PlannedResponse, delay: Double) {
    let made = try state.configuration.answering?(request, playback)
    let planned: PlannedResponse
    if let answer = made?.0 {
      planned = answer
    } else {
      planned = try PlannedResponse.of(playback, for: request, base: base, origins: origins) {
        $0.coding == nil ? $0 : $0.coded(for: AcceptedCodings(request.headers.values(of: "Accept-Encoding")))
      }
    }
    var played = try playback.faulted(planned, speed: state.configuration.speed)
    played.delay += made?.seconds ?? 0
    return played
  }
}
