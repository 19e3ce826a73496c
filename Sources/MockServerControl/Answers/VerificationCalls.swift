internal import CassetteHTTP
internal import CassetteJSON
internal import CassettePlayback
internal import Cassettes

/// The calls with which tests verify the received requests.
struct VerificationCalls {
  let api: ControlAPI
  private var server: any ControlledServer { api.server }

  /// Parses the expected count in the member `times`.
  private func count(_ body: ControlBody) throws(ControlRefusal) -> ExpectedCount {
    guard let node = body.node("times") else { return ExpectedCount() }
    guard case .object = node.kind else {
      let count = try body.number("times") ?? 1
      return ExpectedCount(atLeast: count, atMost: count)
    }
    guard let limits = try body.object("times", ["atLeast", "atMost", "exactly"]) else { return ExpectedCount() }
    let (least, most) = (try limits.number("atLeast"), try limits.number("atMost"))
    if let count = try limits.number("exactly") {
      if least != nil || most != nil {
        throw ControlRefusal(400, "\"exactly\" cannot be combined with \"atLeast\" or \"atMost\"")
      }
      return ExpectedCount(atLeast: count, atMost: count)
    }
    if let least, let most, least > most {
      throw ControlRefusal(400, "\"atLeast\" must not be greater than \"atMost\"")
    }
    return ExpectedCount(atLeast: least ?? (most == nil ? 1 : 0), atMost: most)
  }

  /// An expected request and its description.
  private struct Expected: Sendable {
    let request: ExpectedRequest
    let shown: String

    init(_ interaction: Interaction) {
      request = ExpectedRequest(interaction)
      shown = interaction.shown
    }
  }

  /// The maximum number of matching requests in a response.
  ///
  /// All requests are counted.
  private static let mostShown = 20
  private static let own: Set<String> = ["times", "order", "session", "seconds"]

  /// Counts the requests that match, and compares the count, or the order of several requests.
  func verify(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    let session = try call.session
    let tree = try ControlBody.tree(call.request.body)
    if let list = call.body.node("order") {
      guard case .array(let elements) = list.kind, !elements.isEmpty, call.body.node("request") == nil else {
        throw ControlRefusal(400, "\"order\" is an array of {\"request\": {…}}, in place of \"request\"")
      }
      var expected: [Expected] = []
      for element in elements {
        _ = try ControlBody(tree, element, ["request", "match"])
        expected.append(Expected(try InteractionText.request(tree.bytes, element)))
      }
      return api.beside(.max) { [expected] in verify(order: expected, session) }
    }
    let times = try count(call.body)
    let expected = Expected(try InteractionText.request(tree.bytes, tree.root, without: Self.own))
    return api.beside(.max) { verify(expected, times, session) }
  }

  /// Responds to a verification once the request has been received often enough, or when the time is over.
  func wait(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    let session = try call.session
    let tree = try ControlBody.tree(call.request.body)
    let count = try call.body.number("times") ?? 1
    let expected = Expected(try InteractionText.request(tree.bytes, tree.root, without: Self.own))
    let seconds = try api.seconds(call.body.number("seconds"))
    var positions = server.journals.map { _ in RequestJournal.Position() }
    var found = 0
    return api.pending(seconds) { isOver in
      for (index, journal) in server.journals.enumerated() where journal.isPast(positions[index]) {
        found += journal.read(after: &positions[index]).entries.count { entry in
          let record = JournalRecord(entry)
          return (session == nil || session == record.session) && record.request.map(expected.request.accepts) == true
        }
      }
      guard found >= count || isOver else { return nil }
      return self.verify(expected, ExpectedCount(atLeast: count), session, within: seconds)
    }
  }

  private func asked(by session: String?) -> (records: [JournalRecord], all: [JournalRecord], forgotten: Int) {
    let (all, forgotten) = api.records()
    return (all.filter { $0.request != nil && (session == nil || $0.session == session) }, all, forgotten)
  }

  private func verify(
    _ expected: Expected, _ times: ExpectedCount, _ session: String?, within seconds: Int? = nil
  ) -> HTTPResponse {
    let (records, all, forgotten) = asked(by: session)
    let found = records.filter { $0.request.map(expected.request.accepts) == true }
    // Dropped requests may have matched as well.
    let isKnown = forgotten == 0 || times.atMost == nil && times.holds(found.count)
    let isMet = times.holds(found.count) && isKnown
    var detail = "\(expected.shown) was expected \(times.words), but was \(ExpectedCount.received(found.count))"
    if let seconds { detail += " within \(seconds) seconds" }
    if !isKnown { detail += "; the journal dropped \(forgotten) earlier requests, which may include others" }
    let cut = records.count { !$0.isWhole }
    if !isMet, cut > 0 {
      let more = "keep more with PUT /__mock/settings {\"journal\": {\"bodyBytes\": …}}"
      detail += "; the journal has only the beginning of \(cut) bodies: \(more)"
    }
    return answer(isMet, detail, found, all, forgotten) { json, printer in
      guard found.isEmpty || found.count < times.atLeast else { return }
      let others = records.filter { record in !found.contains { $0.entry.number == record.entry.number } }
      nearest(expected.request, others, &printer, &json)
    }
  }

  private func verify(order expected: [Expected], _ session: String?) -> HTTPResponse {
    let (records, all, forgotten) = asked(by: session)
    var rest = records[...]
    var found: [JournalRecord] = []
    for (index, one) in expected.enumerated() {
      guard let next = rest.firstIndex(where: { $0.request.map(one.request.accepts) == true }) else {
        let before = index == 0 ? "" : " after \(expected[index - 1].shown)"
        let isEarlier = records.contains { $0.request.map(one.request.accepts) == true }
        let received = isEarlier ? "was received before it" : "was not received"
        let more = forgotten > 0 ? "; the journal dropped \(forgotten) earlier requests" : ""
        let detail = "\(one.shown) was expected\(before), but \(received)\(more)"
        return answer(false, detail, found, all, forgotten) { json, printer in
          nearest(one.request, Array(rest), &printer, &json)
        }
      }
      found.append(rest[next])
      rest = rest[(next + 1)...]
    }
    return answer(true, "", found, all, forgotten) { _, _ in }
  }

  private func answer(
    _ isMet: Bool, _ detail: String, _ found: [JournalRecord], _ all: [JournalRecord],
    _ forgotten: Int, _ more: (inout JSONWriter, inout JournalPrinter) -> Void
  ) -> HTTPResponse {
    var printer = JournalPrinter(api, knowing: all)
    func write(_ json: inout JSONWriter) {
      json.member("count", found.count)
      if forgotten > 0 { json.member("forgotten", forgotten) }
      json.array("requests", of: found.prefix(Self.mostShown)) { printer.describe($0, &$1) }
    }
    if isMet { return ControlResponse.json { write(&$0) } }
    return ControlResponse.problem(409, detail) { json in
      write(&json)
      more(&json, &printer)
    }
  }

  /// Writes the most similar requests and their differences.
  private func nearest(
    _ expected: ExpectedRequest, _ records: [JournalRecord], _ printer: inout JournalPrinter, _ json: inout JSONWriter
  ) {
    json.array("nearest", of: expected.nearest(among: records.compactMap(\.request))) { near, item in
      let record = records[near.index]
      item.member("number", Int(clamping: record.entry.number))
      item.member("request", printer.shown(record).map { $0.shown })
      item.member("differs", near.mismatches.map { printer.masking("\($0)") })
    }
  }
}
