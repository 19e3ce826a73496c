internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteMaintenance
internal import CassettePlayback
internal import CassetteSecrets
internal import Cassettes
internal import MockServerUpstream

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
    // Clients that wait at a gate belong to the run before the reset.
    if session == nil { server.memory.releaseGates() }
    return .json { json in
      json.member("status", "rewound")
      json.member("session", session)
    }
  }

  // MARK: Gates: answers that wait until a test in another process releases them

  private static let own: Set<String> = ["name"]

  /// Closes a gate for requests.
  func closeGate(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    guard let name = try call.body.string("name"), !name.isEmpty else {
      throw ControlRefusal(400, "\"name\" is missing: send a name for the gate")
    }
    let tree = try ControlBody.tree(call.request.body)
    let expected = ExpectedRequest(try InteractionText.request(tree.bytes, tree.root, without: Self.own))
    guard let (gate, isFirst) = server.memory.addGate(name, for: expected) else {
      throw ControlRefusal(
        409, "a gate \"\(name)\" already exists, or there are too many: remove one with DELETE /__mock/gates/NAME")
    }
    let memory = server.memory
    if isFirst { server.gates.add { request, _ in memory.gate(for: request) } }
    return .response(ControlResponse.json(status: 201) { describe(name, gate, &$0) })
  }

  /// Shows a gate, immediately or once enough responses have arrived.
  func showGate(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    let (name, gate) = try gate(of: call)
    let count = try call.number("arrived") ?? 0
    let seconds = try seconds(call.number("seconds"))
    return pending(seconds) { isOver in
      let arrived = gate.counts.arrived
      if arrived >= count { return ControlResponse.json { self.describe(name, gate, &$0) } }
      let words = "\(arrived) of \(count) responses arrived at the gate \"\(name)\" within \(seconds) seconds"
      return isOver ? ControlRefusal(409, words).response : nil
    }
  }

  /// Removes a gate and releases the responses that it holds.
  func releaseGate(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    let (name, gate) = try gate(of: call)
    let code = call["failing"].map { Int($0) }
    if case .some(nil) = code {
      throw ControlRefusal(400, "\"failing\" must be the number of a URLError code, such as -1001")
    }
    server.memory.removeGate(name)
    let response = ControlResponse.json { describe(name, gate, &$0) }
    gate.open(failingWith: code ?? nil)
    return .response(response)
  }

  private func gate(of call: ControlCall) throws(ControlRefusal) -> (name: String, gate: CassetteGate) {
    let name = call.parameters["name"] ?? ""
    guard let gate = server.memory.gate(named: name) else {
      throw ControlRefusal(404, "there is no gate \"\(name)\"\(ControlCall.hint(name, server.memory.gateNames))")
    }
    return (name, gate)
  }

  private func describe(_ name: String, _ gate: CassetteGate, _ item: inout JSONWriter) {
    let (arrived, held) = gate.counts
    item.member("name", name)
    item.member("arrived", arrived)
    item.member("held", held)
  }

  // MARK: The calls for the settings of a running server

  /// Shows the settings that can be changed while the server runs.
  func showSettings(_ call: ControlCall) -> ControlAnswer {
    let settings = server.deck.settings
    return .json { json in
      json.member("matching", (server.deck.matching.level ?? .careful).rawValue)
      json.member("latency", settings.latency?.text)
      settings.bytesPerSecond.map { json.member("bytesPerSecond", $0) }
      json.array("faults", of: settings.faults) { FaultText.write($0, &$1) }
      json.member("clock", settings.clock.text)
      settings.seed.map { json.member("seed", json: Array("\($0)".utf8)) }
      json.object("journal") { journal in
        journal.member("requests", RequestJournal.capacity)
        journal.member("bodyBytes", server.journals.first?.mostOfBody ?? RequestJournal.bodyBytes)
        journal.member("secrets", server.showsSecrets)
      }
    }
  }

  /// Changes the settings in the body.
  ///
  /// If one of them is invalid, none is changed.
  func changeSettings(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    var level: MatchLevel?
    if let word = try call.body.string("matching") {
      level = MatchLevel(rawValue: word)
      if level == nil {
        let words = MatchLevel.allCases.map(\.rawValue)
        throw ControlRefusal(400, "\"matching\" must be one of \(words.joined(separator: ", "))")
      }
    }
    let journal = try call.body.object("journal", ["requests", "bodyBytes", "secrets"])
    if let requests = try journal?.number("requests"), requests != RequestJournal.capacity {
      throw ControlRefusal(
        400, "\"requests\" cannot be changed: the journal keeps \(RequestJournal.capacity) requests")
    }
    if let secrets = try journal?.flag("secrets"), secrets != server.showsSecrets {
      throw ControlRefusal(400, "\"secrets\" cannot be changed at run time: start the server with --journal-secrets")
    }
    let bytes = try journal?.number("bodyBytes")
    if let bytes, bytes > RequestJournal.bytes {
      throw ControlRefusal(400, "\"bodyBytes\" must be at most \(RequestJournal.bytes), the size of the whole journal")
    }
    let change = try playback(call.body)
    if let bytes { for journal in server.journals { journal.mostOfBody = bytes } }
    if let change { server.deck.changeSettings(change) }
    if let level { server.deck.match(at: level) }
    return showSettings(call)
  }

  /// Returns the change to the settings of playback; nil if the body contains none of them.
  private func playback(_ body: ControlBody) throws(ControlRefusal) -> (@Sendable (inout PlaybackSettings) -> Void)? {
    let names = ["latency", "bytesPerSecond", "faults", "clock", "seed"].filter { body.isThere($0) }
    guard !names.isEmpty else { return nil }
    var new = PlaybackSettings()
    new.latency = try FaultText.latency(body, "latency")
    if let rate = try body.number("bytesPerSecond") {
      guard rate > 0 else { throw ControlRefusal(400, "\"bytesPerSecond\" must be at least 1") }
      new.bytesPerSecond = rate
    }
    new.faults = try FaultText.list(body)
    if let text = try body.string("clock") {
      guard let clock = PlaybackClock(text) else {
        let words = "system, recorded or a time such as 2026-11-22T12:00:00Z"
        throw ControlRefusal(400, "\"clock\" must be \(words), not \"\(text.prefix(60))\"")
      }
      new.clock = clock
    }
    new.seed = try body.read("seed", "an integer from 0 to \(UInt64.max)") { UInt64(body.text($0)) }
    return { [new] settings in
      if names.contains("latency") { settings.latency = new.latency }
      if names.contains("bytesPerSecond") { settings.bytesPerSecond = new.bytesPerSecond }
      if names.contains("faults") { settings.faults = new.faults }
      if names.contains("clock") { settings.clock = new.clock }
      if names.contains("seed") { settings.seed = new.seed }
    }
  }

  // MARK: The calls for the elements of resources, which each session has a copy of

  /// Lists the served resources.
  func listResources(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    let session = try call.session ?? ""
    return .json { json in
      json.array("resources", of: server.deck.resourcePaths) { paths, item in
        item.member("path", paths[0])
        if paths.count > 1 { item.member("alsoAt", paths.dropFirst()) }
        item.member("elements", server.deck.countOfElements(ofResource: paths[0], session: session))
      }
    }
  }

  /// Shows a resource with its elements.
  func showResource(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer { try shown(call, hidden: nil) }

  /// Returns the elements of a resource, and a warning if a recording is played instead of the resource.
  private func shown(_ call: ControlCall, hidden by: String?) throws(ControlRefusal) -> ControlAnswer {
    let (path, session) = (path(of: call), try call.session ?? "")
    guard let elements = server.deck.elements(ofResource: path, session: session) else { throw unknown(path) }
    return .json { json in
      json.member("path", path)
      if let by {
        json.member("warnings", ["a recording of GET \(path) takes precedence over the resource: \(by)"])
      }
      json.member("elements", json: elements)
    }
  }

  /// Replaces the elements of a resource in a session.
  func replaceResource(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    let (path, session) = (path(of: call), try call.session ?? "")
    try call.body.require("path", path)
    guard let node = call.body.node("elements") else {
      throw ControlRefusal(400, "\"elements\" is missing: send a JSON array of objects")
    }
    let isKept: Bool
    do throws(EngineError) {
      isKept = try server.deck.replaceElements(
        ofResource: path, with: Array(call.body.bytes[node.range]), session: session)
    } catch {
      throw ControlRefusal(422, error.message)
    }
    guard isKept else {
      guard server.deck.elements(ofResource: path, session: session) != nil else { throw unknown(path) }
      throw ControlRefusal(
        409, "the files were reloaded, or the sessions have too many elements in total; send the call again")
    }
    return try shown(call, hidden: recording(before: path))
  }

  /// Returns the location of the recording that is played instead of a resource; nil if the resource is used.
  private func recording(before path: String) -> String? {
    let entry = server.deck.table.entries.first { entry in
      // The table also contains the interaction of the resource itself.
      entry.interaction.method == .get && entry.interaction.pathAndQuery == path
        && (!entry.isFixture || entry.cassette == "fixtures")
    }
    return entry.map { $0.interaction.place.map { "\($0.file):\($0.line)" } ?? $0.interaction.shownID }
  }

  private func path(of call: ControlCall) -> String {
    let path = "/" + (call.parameters["path"] ?? "")
    return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  private func unknown(_ path: String) -> ControlRefusal {
    let hint = ControlCall.hint(path, server.deck.resourcePaths.flatMap(\.self).sorted())
    return ControlRefusal(404, "no cassette has a resource at \(path)\(hint)")
  }

  // MARK: The calls for exchanges that are being recorded and are not in the cassette yet

  /// Reports the progress of the recorder, and the last exchanges in the form in which they will be saved.
  func listRecordings(_ call: ControlCall) -> ControlAnswer {
    guard let recorder = server.recorder else {
      return .json { json in
        json.member("cassette", nil)
        json.array("exchanges") { _ in }
      }
    }
    return later { () throws(ControlRefusal) in
      let (progress, kept) = (recorder.progress, recorder.lastKept)
      return ControlResponse.json { json in
        json.member("cassette", recorder.settings.cassette)
        json.member("new", progress.new)
        json.member("unchanged", progress.unchanged)
        json.member("refused", progress.refused)
        json.member("failed", progress.failed)
        json.member("bytes", progress.bytes)
        json.array("exchanges", of: kept) { Self.describe($0, &$1) }
      }
    }
  }

  /// Shows one of the last exchanges in the form in which it will be saved.
  func showRecording(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    let id = call.parameters["id"] ?? ""
    guard let kept = server.recorder?.lastKept.first(where: { "\($0.number)" == id }) else {
      throw ControlRefusal(404, "there is no recording \(id): list the last recordings with GET /__mock/recordings")
    }
    let written = try written(kept.interaction)
    return .json { json in
      Self.describe(kept, &json)
      json.member("interaction", json: written)
    }
  }

  private static func describe(_ kept: Recorder.Kept, _ item: inout JSONWriter) {
    let exchange = kept.interaction
    item.member("exchange", kept.number)
    item.member("method", exchange.method.rawValue)
    item.member("url", SecretNames.masked(url: exchange.url))
    if let status = exchange.status { item.member("status", status) }
    item.member("isNew", kept.isNew)
    let text = (try? EditableCassette.text(of: exchange)) ?? []
    item.member("redacted", SecretAlias.numbers(in: text).count)
  }
}
