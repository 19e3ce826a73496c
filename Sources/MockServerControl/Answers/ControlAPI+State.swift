internal import CassetteHTTP
internal import CassetteJSON
internal import CassettePlayback

/// The calls for scenarios and sessions.
extension ControlAPI {
  /// Lists the scenarios that recordings depend on, with their states.
  func listScenarios(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    let session = try call.session ?? ""
    let all = server.deck.scenarios(for: session).sorted { $0.key < $1.key }
    return .json { json in
      json.array("scenarios", of: all) { describe($0.key, $0.value, session, &$1) }
    }
  }

  /// Shows a scenario.
  func showScenario(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    let session = try call.session ?? ""
    let (name, states) = try scenario(of: call, session)
    return .json { describe(name, states, session, &$0) }
  }

  /// Sets the state of a scenario.
  func enterState(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    let session = try call.session ?? ""
    let (name, states) = try scenario(of: call, session)
    try call.body.require("name", name)
    guard let state = try call.body.string("state") else {
      throw ControlRefusal(400, "\"state\" is missing: send the new state of \"\(name)\"")
    }
    guard states.contains(state) else {
      throw ControlRefusal(
        422,
        "no recording or stub uses the state \"\(state)\" of \"\(name)\"\(ControlCall.hint(state, states.sorted()))")
    }
    server.deck.enter(state, of: name, for: session)
    return .json { describe(name, states, session, &$0) }
  }

  private func scenario(
    of call: ControlCall, _ session: String
  ) throws(ControlRefusal) -> (name: String, states: Set<String>) {
    let name = call.parameters["name"] ?? ""
    let all = server.deck.scenarios(for: session)
    guard let states = all[name] else {
      throw ControlRefusal(
        404, "no recording or stub uses the scenario \"\(name)\"\(ControlCall.hint(name, all.keys.sorted()))")
    }
    return (name, states)
  }

  private func describe(_ name: String, _ states: Set<String>, _ session: String, _ item: inout JSONWriter) {
    item.member("name", name)
    item.member("state", server.deck.state(of: name, for: session))
    item.member("states", states.sorted())
  }

  /// Lists the sessions that have sent requests or have stubs.
  func listSessions(_ call: ControlCall) -> ControlAnswer {
    let stubs = Dictionary(grouping: server.deck.stubs.compactMap(\.stub.session)) { $0 }.mapValues(\.count)
    var reports = server.deck.sessionReports
    let known = Set(reports.map(\.name))
    for name in stubs.keys.sorted() where !known.contains(name) { reports.append((name, 0, [:])) }
    return .json { json in
      json.array("sessions", of: reports) { report, item in
        item.member("name", report.name)
        item.member("played", report.played)
        item.member("stubs", stubs[report.name] ?? 0)
        item.object("scenarios") { states in
          for (name, state) in report.states.sorted(by: { $0.key < $1.key }) { states.member(name, state) }
        }
      }
      json.member("forgotten", server.deck.forgottenSessions)
    }
  }

  /// Resets all sessions, or one session.
  func reset(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    // A client with its own session resets only that session, whether it is named in the header field or in the body.
    let session = try call.session
    server.reset(session: session)
    // A client that waits at a gate is of the run before.
    if session == nil { server.memory.releaseGates() }
    return .json { json in
      json.member("status", "rewound")
      json.member("session", session)
    }
  }
}
