internal import MockServerSockets

/// Answering requests whose matching or whose answer may take long: other threads do it, and tell the loop the answer.
extension ConnectionLoop {
  /// Has a request matched or answered on another thread, unless that thread already has it.
  func proceed(_ match: PendingMatch, for client: Client) {
    guard match.waiting == nil else { return }
    let number = matching.add(match, for: client)
    client.match = match
    let (group, loop, state, request, demand) = (group, self.number, state, match.request, match.demand)
    let (known, (base, origins)) = (match.reply, match.links)
    state.matchingPool.run {
      // Whoever has left while it waited in line has not asked: no recording is used up.
      guard demand.lasts else { return }
      let reply = known ?? state.answer(to: request)
      group.send(.matched(number, state.finished(reply, for: request, base: base, origins: origins)), to: loop)
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
    responder.noteUnsent(match)
    _ = matching.remove(number)
  }
}
