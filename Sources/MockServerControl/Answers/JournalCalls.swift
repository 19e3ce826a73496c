internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteMatching
internal import CassettePlayback
internal import Cassettes
internal import MockServerUpstream

/// The calls for the journal, which contains requests and their outcomes.
struct JournalCalls {
  let api: ControlAPI
  var server: any ControlledServer { api.server }

  /// Returns the requests that match a filter, one page at a time, in one of several formats.
  func journal(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    let filter = try JournalFilter(call)
    if try call.flag("follow") { return follow(filter, rate: try call.number("rate")) }
    let after = try call.number("after") ?? 0
    let limit = try call.number("limit") ?? RequestJournal.capacity
    let (records, forgotten) = api.records()
    let found = records.filter { $0.entry.number > UInt64(after) && filter.accepts($0) }
    let page = Array(found.prefix(limit))
    if let form = call["as"], form != "json" { return .response(try export(page, as: form, knowing: records)) }
    return api.beside(page.count) {
      var printer = JournalPrinter(api, knowing: records)
      return ControlResponse.json { json in
        json.member("requests", Int(clamping: server.deck.requestCount))
        // Dropped requests may have matched the filter.
        json.member("forgotten", forgotten)
        json.array("entries", of: page) { printer.describe($0, &$1) }
        if found.count > page.count, let last = page.last { json.member("next", Int(clamping: last.entry.number)) }
      }
    }
  }

  /// Returns requests with their responses as a cassette or in a format of another tool.
  private func export(
    _ page: [JournalRecord], as form: String, knowing records: [JournalRecord]
  ) throws(ControlRefusal) -> HTTPResponse {
    let forms = ["json", "cassette"] + server.exports.keys.sorted()
    guard forms.contains(form) else {
      throw ControlRefusal(400, "\"as\" must be one of \(forms.joined(separator: ", ")), not \"\(form)\"")
    }
    var printer = JournalPrinter(api, knowing: records)
    let exchanges = page.compactMap { record -> Interaction? in
      guard let request = record.request, let outcome = api.recording(of: record)?.outcome else { return nil }
      var exchange = Interaction(shown: request, record.entry.body)
      exchange.outcome = outcome
      exchange.recorded = RecordedFacts(at: Timestamp.format(nanoseconds: record.entry.at))
      return printer.shown(exchange)
    }
    let cassette = Cassette(name: "journal", interactions: exchanges)
    var response: HTTPResponse
    do throws(CassetteError) {
      if let export = server.exports[form] {
        response = ControlResponse.bytes(try export.write(cassette), type: export.mediaType)
      } else {
        response = ControlResponse.bytes(try CassetteFile.bytes(of: cassette), type: "application/json")
      }
    } catch {
      throw ControlRefusal(500, "\(error)")
    }
    response.headers.append("Mockserver-Left-Out", "\(page.count - exchanges.count)")
    return response
  }

  /// Streams requests as server-sent events (HTML §9.2).
  ///
  /// The stream contains at most `rate` requests per second, the latest ones.
  private func follow(_ filter: JournalFilter, rate: Int?) -> ControlAnswer {
    var positions = server.journals.map { _ in RequestJournal.Position() }
    _ = api.read(after: &positions)
    // The stream is updated ten times a second.
    let most = rate.map { max(1, $0 / 10) } ?? .max
    var silentSince: UInt64?
    let pending = ControlPending(
      head: ControlResponse.bytes([], type: "text/event-stream; charset=utf-8"), every: rate == nil ? 0.02 : 0.1
    ) { now in
      // The journal serves as the buffer. A client that reads too slowly receives the number of dropped requests.
      var (entries, lost) = api.read(after: &positions, atMost: most)
      if entries.count > most {
        lost += entries.count - most
        entries.removeFirst(entries.count - most)
      }
      var text = lost > 0 ? "event: lost\ndata: {\"requests\":\(lost)}\n\n" : ""
      let records = entries.map { JournalRecord($0) }
      var printer = JournalPrinter(api, knowing: records)
      for record in records where filter.accepts(record) {
        let json = JSONWriter.object { printer.describe(record, &$0) }
        let data = String(decoding: server.hiding(json), as: UTF8.self)
        text += "event: request\nid: \(record.entry.number)\ndata: \(data)\n\n"
      }
      let last = silentSince ?? now
      silentSince = last
      // A comment every 15 seconds reveals whether the client is still connected.
      if text.isEmpty, now - last > 15_000_000_000 { text = ":\n\n" }
      if text.isEmpty { return .waits }
      silentSince = now
      return .part(Array(text.utf8))
    }
    return .pending(pending)
  }

  /// Lists the last misses and the last approximate answers, the oldest first.
  func misses(_ call: ControlCall) -> ControlAnswer {
    let (misses, approximations) = (server.misses, server.approximations)
    return .json { json in
      json.member("total", misses.total)
      json.array("misses", of: misses.last) { describe($0, &$1) }
      json.member("approximate", approximations.total)
      json.array("approximations", of: approximations.last) { approximation, item in
        item.member("number", Int(clamping: approximation.number))
        item.member("request", approximation.request)
        item.member("id", approximation.recording.id)
        item.member("place", approximation.recording.place)
        item.member("parts", approximation.parts)
        item.member("differs", approximation.recording.mismatches.map { "\($0)" })
      }
    }
  }

  private func describe(_ miss: Miss, _ item: inout JSONWriter) {
    item.member("number", Int(clamping: miss.number))
    item.member("request", miss.request)
    item.member("reason", miss.reason)
    item.array("nearest", of: miss.nearest) { near, one in
      one.member("id", near.id)
      one.member("place", near.place)
      one.member("differs", near.mismatches.map { "\($0)" })
    }
    item.member("remedy", miss.remedy)
    item.member("remedies", miss.remedies)
  }

  // MARK: The call that shows all details of a request in the journal

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

/// A filter for requests in the journal.
struct JournalFilter: Sendable {
  private let session: String?
  private let method: String?
  private let path: String?
  private let template: PathTemplate?
  private let status: String?
  private let outcome: String?
  private let body: String?

  static let parameters: [ControlField] = [
    .init("session", .string, "Only requests of this session; empty for requests without a session."),
    .init("method", .string, "Only requests with this method."),
    .init("path", .string, "Only requests with this path and any query; a name in braces matches any segment."),
    .init("status", .string, "Only requests whose response has this status: 404, or 4xx."),
    .init("outcome", .string, "Only requests with this outcome: \(JournalRecord.outcomes.joined(separator: ", "))."),
    .init("body", .string, "Only requests whose body contains this string."),
  ]

  init(_ call: ControlCall) throws(ControlRefusal) {
    // The `X-Mock-Session` field is ignored here, because the reader of the journal names the session in the query.
    session = call["session"]
    method = call["method"]
    path = call["path"].map { CanonicalTarget.spelling(of: $0) }
    template = call["path"].flatMap { PathTemplate($0)?.canonical }
    status = call["status"]?.lowercased()
    outcome = call["outcome"]
    body = call["body"]
    if let status {
      let isClass = status.utf8.count == 3 && status.hasSuffix("xx") && "12345".contains(status.prefix(1))
      guard isClass || Int(status).map({ (100...999).contains($0) }) == true else {
        throw ControlRefusal(400, "\"status\" must be a status such as 404 or 4xx, not \"\(status)\"")
      }
    }
    if let outcome, !JournalRecord.outcomes.contains(outcome) {
      throw ControlRefusal(
        400, "unknown outcome \"\(outcome)\"\(ControlCall.hint(outcome, JournalRecord.outcomes))")
    }
  }

  /// Returns true if a request matches the filter.
  func accepts(_ record: JournalRecord) -> Bool {
    if let session, session != record.session { return false }
    if let method, method != record.request?.method.rawValue { return false }
    if let outcome, outcome != record.outcome { return false }
    if let status {
      let text = "\(record.entry.status)"
      guard status.hasSuffix("xx") ? text.prefix(1) == status.prefix(1) && text.utf8.count == 3 : text == status else {
        return false
      }
    }
    if let path {
      let asked = CanonicalTarget.spelling(of: String((record.request?.pathAndQuery ?? "").prefix { $0 != "?" }))
      guard template?.matches(asked) ?? (asked == path) else { return false }
    }
    if let body { return String(decoding: record.entry.body, as: UTF8.self).contains(body) }
    return true
  }
}
