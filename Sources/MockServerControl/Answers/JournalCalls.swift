internal import CassetteHTTP
internal import CassetteJSON
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
}
