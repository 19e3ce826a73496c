internal import CassetteHTTP
internal import CassetteJSON
internal import CassettePlayback
internal import Cassettes

/// The calls for the settings of a running server.
extension ControlAPI {
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
}
