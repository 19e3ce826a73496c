internal import CassettePlayback
internal import Cassettes
internal import MockServerSockets

/// Answering requests whose matching may take long: the loop goes on meanwhile, and is told of the answer.
extension ConnectionLoop {
  /// A request is to be matched on another thread, unless it is on its way there already.
  func proceed(_ match: PendingMatch, for client: Client) {
    guard match.waiting == nil else { return }
    let number = matching.add(match, for: client)
    client.match = match
    let (group, loop, state, request, demand) = (group, self.number, state, match.request, match.demand)
    state.matchingPool.run {
      // Whoever has left while it waited in line has not asked: no recording is used up.
      guard demand.lasts else { return }
      let reply = state.answer(to: request)
      guard let gate = state.gate(for: request, reply) else {
        group.send(.matched(number, reply), to: loop)
        return
      }
      gate.hold { failure in
        let failed = failure.map { Reply.deck(.interrupted(Interruption(failing: $0, request: reply.number))) }
        group.send(.matched(number, failed ?? reply), to: loop)
      }
    }
  }

  /// The deck has answered: its client gets the answer, and the requests that came behind are read.
  func conclude(_ number: UInt64, _ reply: Reply) {
    guard let match = matching.remove(number), let client = match.waiting?.client else { return }
    client.match = nil
    let now = Platform.monotonicNanoseconds()
    responder.tick(now)
    serve(client, now) { parser, output in
      finish(client, responder.conclude(match, reply, into: &output), &parser, &output)
    }
  }

  /// A client is gone: nothing is looked for any more for its sake.
  func abandonAnswers(of client: Client) {
    if let proxied = client.proxied { abandon(proxied) }
    endSwitched(client)
    guard let match = client.match, let (number, _) = match.waiting else { return }
    match.demand.end()
    client.match = nil
    _ = matching.remove(number)
  }
}
