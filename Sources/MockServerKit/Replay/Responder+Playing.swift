internal import CassetteHTTP
internal import CassettePlayback
internal import Cassettes
internal import MockServerWire

extension ServerState {
  /// Plans the response for the deck's choice: as it is recorded, or as code makes it, with the faults that apply.
  ///
  /// The deck may have loaded other cassettes since a loop looked: links go by what the loop played from.
  func plannedResponse(
    of playback: Playback, for request: HTTPRequest, base: String?, origins: OriginRewriter
  ) throws(CassetteError) -> DelayedResponse {
    let made = try configuration.answering?(request, playback)
    let planned: PlannedResponse
    if let answer = made?.0 {
      planned = answer
    } else {
      planned = try PlannedResponse.of(playback, for: request, base: base, origins: origins) {
        guard $0.coding != nil else { return $0 }
        let accepted = AcceptedCodings(request.headers.values(of: "Accept-Encoding"))
        return $0.coded(for: accepted, keptIn: playback.table.longAnswers)
      }
    }
    var played = try playback.faulted(planned, speed: configuration.speed)
    played.delay += made?.seconds ?? 0
    return played
  }

  /// Makes the answer of a deck's reply if that may take longer than an event loop can wait.
  func finished(_ reply: Reply, for request: HTTPRequest, base: String?, origins: OriginRewriter) -> Reply {
    guard case .deck(.playback(let playback), let breach) = reply, playback.isLong else { return reply }
    do throws(CassetteError) {
      let response = try plannedResponse(of: playback, for: request, base: base, origins: origins)
      return .planned(playback, .success(response), breach: breach)
    } catch {
      return .planned(playback, .failure(error), breach: breach)
    }
  }
}
