internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteMatching
internal import CassettePlayback
internal import Cassettes

/// The call that shows all details of a request in the journal.
extension JournalCalls {
  /// Shows a request, the recording that was played, the differences, and the available edits after a miss.
  func showRequest(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    let record = try api.record(of: call)
    let number = record.entry.number
    let near = api.nearMisses(of: number)
    let miss = server.misses.last.last { $0.number == number }
    let recording = api.recording(of: record)
    if let form = call["as"], form != "json" { return try copy(of: record, recording, as: form) }
    var printer = JournalPrinter(api, knowing: [record])
    let written: [UInt8]?
    if let shown = recording.flatMap({ printer.shown($0) }) { written = try api.written(shown) } else { written = nil }
    return .json { json in
      printer.describe(record, &json)
      json.member("place", recording?.place.map { "\($0.file):\($0.line)" })
      if let written { json.member("interaction", json: written) }
      if let miss { json.member("reason", miss.reason) }
      json.array("nearest", of: near) { describe($0, &$1) }
      if let miss { json.member("remedies", miss.remedies) }
      guard record.entry.outcome == .miss || !near.isEmpty else { return }
      json.object("accept") { accept in
        accept.member("problem", api.readOnlyReason ?? (record.isWhole ? nil : "the journal has only part of the body"))
        accept.member("origin", near.lazy.compactMap(\.origin).first)
      }
    }
  }

  /// Returns a request as text to paste: a shell command, or a stub in Swift.
  private func copy(
    of record: JournalRecord, _ recording: Interaction?, as form: String
  ) throws(ControlRefusal) -> ControlAnswer {
    guard form == "curl" || form == "stub" else {
      throw ControlRefusal(400, "\"as\" must be json, curl or stub, not \"\(form)\"")
    }
    guard record.isWhole || form == "stub" else {
      throw ControlRefusal(
        409, "the journal has only part of the body: raise --journal-bodies and send the request again")
    }
    var printer = JournalPrinter(api, knowing: [record])
    guard let request = printer.shown(record) else {
      throw ControlRefusal(409, "the client did not send an HTTP request: \(record.outcome)")
    }
    let answer = recording.flatMap { printer.shown($0) }?.response
    return api.later { () throws(ControlRefusal) in
      do throws(CassetteError) {
        var request = request
        // curl generates these fields itself.
        for name in ["Host", "Content-Length", "Transfer-Encoding", "Connection", "Accept-Encoding"] {
          request.requestHeaders.remove(name)
        }
        let text =
          form == "curl"
          ? try CurlCommand(request, origin: server.url).text(namesGET: true)
          : try StubSource.text(request, answer, status: record.entry.status)
        return ControlResponse.bytes(Array(text.utf8), type: "text/plain; charset=utf-8")
      } catch {
        throw ControlRefusal(409, "\(error)")
      }
    }
  }

  private func describe(_ near: MissAcceptance.Near, _ item: inout JSONWriter) {
    item.member("id", near.shown.id)
    item.member("place", near.shown.place)
    item.member("request", near.shown.request)
    item.member("isInCassette", near.path != nil)
    item.array("differs", of: near.shown.mismatches) { mismatch, one in
      one.member("part", mismatch.part)
      one.member("words", "\(mismatch)")
      one.member("canBeIgnored", RemedyRule.leavingOut([mismatch]) != nil)
    }
  }
}
