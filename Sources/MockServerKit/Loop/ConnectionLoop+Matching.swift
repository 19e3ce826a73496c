internal import CassettePlayback
internal import Cassettes
internal import MockServerSockets

/// Matching requests, and building responses, on other threads if they may take long; the loop receives the result.
extension ConnectionLoop {
  /// Starts matching a request, or building its response, on another thread, unless this has already started.
  func proceed(_ match: PendingMatch, for client: Client) {
    guard match.waiting == nil else { return }
    let number = matching.add(match, for: client)
    client.match = match
    let (group, loop, state, request, demand) = (group, self.number, state, match.request, match.demand)
    let (known, (base, origins)) = (match.plan, match.links)
    state.matchingPool.run {
      // If the client has left while the job was queued, the request is not planned, and no recording is consumed.
      guard demand.lasts else { return }
      let plan = known ?? state.plan(for: request)
      @Sendable func send(_ plan: Plan) {
        let response = state.longResponse(of: plan, to: request, base: base, origins: origins)
        group.send(.matched(number, plan, response), to: loop)
      }
      guard let gate = state.gate(for: request, plan) else { return send(plan) }
      gate.hold { failure in send(failure.map { plan.failing($0) } ?? plan) }
    }
  }

  /// Sends the answer of the deck to its client, and parses the requests that arrived meanwhile.
  func conclude(_ number: UInt64, _ plan: Plan, _ response: PlannedResponse?) {
    guard let match = matching.remove(number), let client = match.waiting?.client else { return }
    client.match = nil
    let now = Platform.monotonicNanoseconds()
    responder.tick(now)
    serve(client, now) { parser, output in
      finish(client, responder.conclude(match, plan, response, into: &output), &parser, &output)
    }
  }

  /// Cancels all work for a client that has left.
  func abandonAnswers(of client: Client) {
    if let proxied = client.proxied { upstream.abandon(proxied) }
    upstream.endSwitched(client)
    guard let match = client.match, let (number, _) = match.waiting else { return }
    match.demand.end()
    client.match = nil
    responder.noteUnsent(match)
    _ = matching.remove(number)
  }
}
