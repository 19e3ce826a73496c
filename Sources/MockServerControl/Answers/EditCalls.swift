internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteMaintenance
internal import CassettePlayback
internal import Cassettes

/// The calls that turn a miss into a recording by a minimal edit of a cassette file.
struct EditCalls {
  let api: ControlAPI
  private var server: any ControlledServer { api.server }

  /// Proposes an edit after which the request is answered, and writes the edit unless `dryRun` is true.
  func accept(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    let record = try api.record(of: call)
    guard let request = record.request, record.isWhole else {
      throw ControlRefusal(
        409, "the journal has only part of the body: raise --journal-bodies and send the request again")
    }
    let wish = try wish(of: call)
    let isDry = try call.body.flag("dryRun") ?? false
    if let reason = api.readOnlyReason { throw ControlRefusal(409, reason) }
    let near = api.nearMisses(of: record.entry.number)
    let (matching, upstreams) = (server.deck.matching, server.upstreams)
    return api.later { () throws(ControlRefusal) in
      let (edit, answers) = try wish.edit(for: request, near, matching, upstreams)
      let kept = server.memory.add(edit, wish.way.rawValue, for: Int(clamping: record.entry.number), answers: answers)
      return isDry ? show(kept) : try write(kept)
    }
  }

  private func wish(of call: ControlCall) throws(ControlRefusal) -> MissAcceptance {
    let words = MissAcceptance.Way.allCases.map(\.rawValue).joined(separator: ", ")
    guard let word = try call.body.string("how"), let way = MissAcceptance.Way(rawValue: word) else {
      throw ControlRefusal(400, "\"how\" must be one of \(words)")
    }
    var wish = MissAcceptance(way: way)
    wish.nearest = try call.body.string("nearest")
    wish.parts = try call.body.strings("parts")
    wish.origin = try call.body.string("origin")
    if let name = try call.body.string("cassette") { wish.path = try api.path(ofCassette: name) }
    if let node = call.body.node("interaction") {
      guard way == .copy else { throw ControlRefusal(400, "\"interaction\" is allowed only with \"how\": \"copy\"") }
      let cassette = try InteractionText.read(call.body.bytes, node)
      guard cassette.interactions.count == 1 else {
        throw ControlRefusal(400, "\"interaction\" must contain exactly one interaction")
      }
      wish.written = cassette.interactions.first
    }
    return wish
  }

  /// Writes a proposed edit.
  func applyEdit(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    let edit = try edit(of: call)
    if let reason = api.readOnlyReason { throw ControlRefusal(409, reason) }
    return api.later { () throws(ControlRefusal) in try write(edit) }
  }

  /// Undoes a written edit.
  func undoEdit(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    let edit = try edit(of: call)
    if let reason = api.readOnlyReason { throw ControlRefusal(409, reason) }
    guard edit.state == .written else {
      throw ControlRefusal(409, "edit \(edit.number) is \(edit.state.rawValue): only a written edit can be undone")
    }
    return api.later { () throws(ControlRefusal) in
      let generation = server.loads.generation
      do throws(CassetteError) { try edit.edit.undo() } catch { throw ControlRefusal(409, "\(error)") }
      server.memory.note(edit.number, .undone)
      return show(server.memory.edit(edit.number) ?? edit, generation: generation + 1)
    }
  }

  /// Lists the edits in memory, the oldest first.
  func listEdits(_ call: ControlCall) -> ControlAnswer {
    .json { json in
      json.member("readOnly", api.readOnlyReason)
      json.array("edits", of: server.memory.edits) { describe($0, &$1) }
    }
  }

  private func edit(of call: ControlCall) throws(ControlRefusal) -> ControlMemory.Edit {
    let text = call.parameters["id"] ?? ""
    guard let edit = Int(text).flatMap({ server.memory.edit($0) }) else {
      throw ControlRefusal(404, "there is no edit \(text): create one with POST /__mock/journal/{id}/accept")
    }
    return edit
  }

  private func write(_ edit: ControlMemory.Edit) throws(ControlRefusal) -> HTTPResponse {
    guard edit.state != .written else { throw ControlRefusal(409, "edit \(edit.number) was already written") }
    let generation = server.loads.generation
    do throws(CassetteError) { try edit.edit.write() } catch { throw ControlRefusal(409, "\(error)") }
    server.memory.note(edit.number, .written)
    return show(server.memory.edit(edit.number) ?? edit, generation: generation + 1)
  }

  private func show(_ edit: ControlMemory.Edit, generation: Int? = nil) -> HTTPResponse {
    ControlResponse.json { json in
      describe(edit, &json)
      // `GET /__mock/health?generation=` waits for this number. Without a watch, the file is served only after a
      // restart.
      if let generation, server.isWatching { json.member("generation", generation) }
      guard edit.how != MissAcceptance.Way.ignore.rawValue, edit.state == .proposed,
        let text = try? EditableCassette(path: edit.edit.path, edit.edit.after),
        let index = text.index(of: edit.edit.interaction),
        let interaction = try? EditableCassette.text(of: text.cassette.interactions[index])
      else { return }
      json.member("recording", json: interaction)
    }
  }

  private func describe(_ edit: ControlMemory.Edit, _ item: inout JSONWriter) {
    item.member("edit", edit.number)
    item.member("request", edit.request)
    item.member("how", edit.how)
    item.member("state", edit.state.rawValue)
    item.member("cassette", edit.edit.path)
    item.member("interaction", edit.edit.interaction)
    item.member("answers", edit.answers)
    item.member("diff", edit.edit.diff)
  }
}
