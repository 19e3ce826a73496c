internal import CassetteHTTP
internal import CassetteJSON
internal import CassettePlayback
internal import CassetteSystem
internal import Cassettes
internal import MockServerControl
internal import MockServerUpstream
internal import MockServerWire

extension ServerState {
  /// Builds the response of a recording, or calls the code of a stub, and applies faults.
  ///
  /// - `base`: The scheme and authority that replace the recorded origins; nil keeps them.
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
    guard let playback = plan.playback, playback.isLong(for: request) else { return nil }
    return Result { () throws(CassetteError) in
      try response(of: playback, to: request, base: base, origins: origins)
    }
  }
}

extension Miss {
  /// Returns the explanation as `application/problem+json` (RFC 9457).
  func problem(status: Int) -> [UInt8] {
    var json = JSONWriter()
    json.object {
      $0.member("type", "about:blank")
      $0.member("title", wasConsumed ? "All matching recordings have been played" : "No recording answers")
      $0.member("status", status)
      $0.member("detail", reason)
      $0.member("request", request)
      $0.member("number", Int(clamping: number))
      $0.array("nearest") { list in
        for near in nearest {
          list.object { item in
            item.member("id", near.id)
            item.member("place", near.place)
            item.member("request", near.request)
            item.array("differs") { differs in
              for mismatch in near.mismatches { differs.element("\(mismatch)") }
            }
          }
        }
      }
      if !operations.isEmpty { $0.member("operations", operations) }
      $0.member("remedy", remedy)
      $0.array("remedies") { list in
        for remedy in remedies { list.element(remedy) }
      }
    }
    var problem: [UInt8] = []
    let compact = json.bytes
    JSONStyle.indent2.render(compact.span, into: &problem)
    return problem + [UInt8(ascii: "\n")]
  }
}

extension UpstreamFailure {
  /// Returns the response that reports the failure to the client.
  func response(from origin: UpstreamOrigin) -> HTTPResponse {
    var response = ControlResponse.problem(status, "\(origin) gave no answer: \(message)")
    response.headers.append("Mockserver-Upstream", "failed")
    return response
  }
}
