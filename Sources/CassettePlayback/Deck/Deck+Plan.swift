package import CassetteHTTP
internal import CassetteMatching
internal import CassetteSystem
internal import Cassettes

extension Deck {
  /// Returns the plan for the answer to a request, and advances the session's positions; every answer is made here.
  ///
  /// Comparing and explaining hold no lock; only the choice among the candidates does. If other cassettes are loaded
  /// meanwhile, the request is answered from the cassettes that were loaded when it arrived.
  ///
  /// - `session`: The name of the session; empty for requests that name none.
  package func plan(_ request: HTTPRequest, session: String = "") -> Plan {
    let number = countRequest()
    let (tables, memory, isPlain) = state.withLock { state in
      let memory = state.table.templates == nil ? nil : state.cursors.peek(session).memory
      return (state.tables(for: session), memory, state.isPlain)
    }
    if isPlain, tables.count == 1, let entry = sole(request, tables[0]) {
      tables[0].mark(entry, by: number)
      return plan(
        Playback(
          request: number, entry: entry, recording: tables[0].entries[entry], derivation: nil, faults: [],
          table: tables[0], session: SessionView(speed: speed), asked: request))
    }
    let search = Search(request, memory, in: tables.map { Matcher.Context(table: $0, knowsOrigins: knowsOrigins) })
    let (found, interruption, faults, view) = state.withLock { state in
      choose(search, &state.faults, &state.cursors, session, number, state.settings)
    }
    let spelling = search.spellings[found.spelling]
    if let interruption {
      if let entry = found.choice.entry { spelling.layers[found.layer].table.mark(entry, by: number) }
      return interruption
    }
    return plan(found, search, faults, view, number, session)
  }

  /// Returns the only recording that can answer a request, without a full comparison; nearly all requests take this
  /// path.
  ///
  /// A full comparison returns the same recording, but takes longer: an answer in a session takes 1.5 times as long as
  /// a constant answer with the comparison, and 1.3 times as long without it.
  func sole(_ request: HTTPRequest, _ table: RecordingTable) -> Int? {
    guard request.method != .head, request.target.form == .origin || request.target.form == .absolute,
      !request.headers.contains(where: { PreconditionField.isNamed($0.name) })
    else { return nil }
    let entry = table.sole(request.method.rawValue, request.target.text) {
      request.headers.contains { CredentialField.isNamed($0.name) }
    }
    // A recorded failure, or a recording from another origin, cannot answer here.
    guard let entry, table.entries[entry].interaction.status != nil,
      !knowsOrigins || Matcher.originMismatch(of: request, table.entries[entry], nil) == nil
    else { return nil }
    return entry
  }

  private func plan(_ playback: Playback) -> Plan {
    playback.isConstant(followsFiles: followsFiles) ? .constant(playback) : .response(playback)
  }

  /// Chooses a candidate for a session, and counts the faults that apply.
  private func choose(
    _ search: Search, _ faults: inout FaultPlan, _ cursors: inout SessionCursors, _ session: String,
    _ number: UInt64, _ settings: PlaybackSettings
  ) -> (Search.Found, Plan?, [CassetteFault], SessionView) {
    let chance = FaultPlan.Chance(settings: settings, session: session)
    let request = search.spellings[0].compared.request
    return cursors.withCursor(of: session) { cursor in
      if let (fault, response) = faults.interruption(of: request, &cursor, chance) {
        // The fault replaces the answer, but does not consume the recording: the copy of the cursor is discarded.
        var copy = cursor
        let plan = Plan.made(response, by: .fault(fault.description), number: number)
        return (search.choose(&copy, number), plan, [], SessionView())
      }
      let found = search.choose(&cursor, number)
      guard found.choice.entry != nil else { return (found, nil, [], SessionView()) }
      let spelling = search.spellings[found.spelling]
      var view = cursor.view(
        for: found.choice.recording, spelling.layers[found.layer].table, settings, session, spelling.compared.request)
      view.speed = speed
      return (found, nil, faults.alterations(of: request, &cursor, chance), view)
    }
  }

  private func plan(
    _ found: Search.Found, _ search: Search, _ faults: [CassetteFault], _ view: SessionView, _ number: UInt64,
    _ session: String
  ) -> Plan {
    let spelling = search.spellings[found.spelling]
    let compared = spelling.compared
    var context = spelling.layers[found.layer].context
    let table = context.table
    var playback: Playback
    switch found.choice {
    case .play(let candidate, let derivation):
      table.mark(candidate.entry, by: number)
      let recording = table.entries[candidate.entry]
      if let gap = recording.interaction.failure?.gap {
        return .miss(Miss(compared.request, number: number, gap, of: recording, self.recording.withLock { $0 }))
      }
      // A condition applies to HEAD as to GET (RFC 9110 §13.2.1).
      playback = Playback(
        request: number, entry: candidate.entry, recording: recording,
        derivation: Derivation.of(compared.request, from: recording.interaction) ?? derivation, faults: faults,
        table: table, session: view, asked: spelling.asked, handedOut: spelling.handedOut)
      if case .change(let change) = candidate.cause { playback.after = change }
      if !candidate.marks.isEmpty {
        context.changing = candidate.changing
        playback.approximation = Approximation(
          compared.request, number: number, recording,
          Matcher.mismatches(behind: candidate.marks, of: compared, from: candidate.entry, in: context))
      }
    case .operate(let resource):
      guard let entry = operate(resource, compared.request, session) else {
        return .miss(miss(spelling, number, consumed: [], PlaybackCursor()))
      }
      let head: Derivation? = compared.request.method == .head ? .head : nil
      playback = Playback(
        request: number, entry: resource.entry, recording: entry,
        derivation: Derivation.of(compared.request, from: entry.interaction) ?? head, faults: faults, table: table,
        session: view, asked: compared.request)
    case .generated(let response): return .made(PlayedResponse(response), by: .methods, number: number)
    case .miss(let consumed, let cursor): return .miss(miss(spelling, number, consumed: consumed, cursor))
    }
    return playback.interruption ?? plan(playback)
  }

  /// Explains why no recording answers; added stubs are included among the nearest candidates.
  private func miss(
    _ spelling: Search.Spelling, _ number: UInt64, consumed: [Miss.Consumed], _ cursor: PlaybackCursor
  ) -> Miss {
    let (library, stubs) = (spelling.layers[spelling.layers.count - 1].context, spelling.layers.dropLast())
    let miss = Miss(
      spelling.compared, number: number, in: library, consumed: consumed, cursor: cursor,
      recording: recording.withLock { $0 })
    return stubs.reduce(miss) { $0.with(stubs: $1.context, near: spelling.compared, cursor) }
  }
}
