import CassetteHTTP
import CassetteJSON
internal import CassetteSystem
package import Cassettes

/// Exports a cassette as WireMock stub mappings in one file.
package enum WireMockWriter {
  /// Returns the mappings, `{"mappings": […]}`, indented by two spaces.
  ///
  /// Request header fields are omitted, because WireMock would require them. Repeated requests become a scenario, so
  /// that the responses have the recorded order. Rules of a recording are not exported: its mapping matches the recorded
  /// request.
  package static func export(
    _ cassette: Cassette
  ) throws(CassetteError) -> (bytes: [UInt8], left: [(what: String, count: Int)]) {
    var notes = ImportNotes()
    var bodies: [(sent: [UInt8], received: [UInt8])] = []
    var keys: [String] = []
    for interaction in cassette.interactions {
      let sent = try interaction.requestBody?.bytes() ?? []
      bodies.append((sent, try interaction.response?.body?.bytes() ?? []))
      keys.append("\(interaction.method) \(interaction.pathAndQuery)\n\(String(decoding: sent, as: UTF8.self))")
      if !interaction.match.isEmpty { notes.leave("match: exported as the recorded request") }
      if interaction.repeatPolicy != .last { notes.leave("replay.repeat: \(interaction.repeatPolicy.rawValue)") }
    }
    let counts = keys.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    for _ in cassette.resources { notes.leave("resource") }
    var seen: [String: Int] = [:]
    let mappings = JSONWriter.object { root in
      root.array("mappings", of: cassette.interactions.indices) { index, mapping in
        let interaction = cassette.interactions[index]
        let turn = seen[keys[index], default: 0] + 1
        seen[keys[index]] = turn
        mapping.member("name", interaction.id)
        mapping.member("insertionIndex", index + 1)
        if let count = counts[keys[index]], count > 1 {
          mapping.member("scenarioName", "\(interaction.method) \(interaction.pathAndQuery)")
          mapping.member("requiredScenarioState", state(turn))
          if turn < count { mapping.member("newScenarioState", state(turn + 1)) }
        }
        mapping.object("request") { request(&$0, interaction, bodies[index].sent) }
        mapping.object("metadata") {
          $0.object("mockserver") { facts in
            // A recording prefers its request body, a mapping requires it: an import restores the former.
            facts.member("recorded", true)
            if let note = interaction.note { facts.member("note", note) }
          }
        }
        mapping.object("response") { response(&$0, interaction, bodies[index].received, &notes) }
      }
    }
    return (JSONStyle.indent2.file(of: mappings), notes.left.map { ($0.what, $0.count) })
  }

  private static func state(_ turn: Int) -> String { turn == 1 ? "Started" : "answer \(turn)" }

  private static func request(_ writer: inout JSONWriter, _ interaction: Interaction, _ body: [UInt8]) {
    writer.member("method", interaction.method.rawValue)
    writer.member("url", interaction.pathAndQuery)
    guard interaction.requestBody != nil else { return }
    writer.array("bodyPatterns", of: [body]) { body, pattern in
      if JSONValue(body) != nil {
        pattern.member("equalToJson", String(decoding: body, as: UTF8.self))
      } else if let text = String(validUTF8: body) {
        pattern.member("equalTo", text)
      } else {
        pattern.member("binaryEqualTo", BodyBase64.text(of: body))
      }
    }
  }

  private static func response(
    _ writer: inout JSONWriter, _ interaction: Interaction, _ body: [UInt8], _ notes: inout ImportNotes
  ) {
    replay(interaction.replay, of: interaction, &writer, &notes)
    if let failure = interaction.failure {
      let faults = [-1011: "EMPTY_RESPONSE", -1017: "MALFORMED_RESPONSE_CHUNK"]
      return writer.member("fault", faults[failure.code] ?? "CONNECTION_RESET_BY_PEER")
    }
    guard let response = interaction.response else { return }
    writer.member("status", response.status.code)
    if let reason = response.reason { writer.member("statusMessage", reason) }
    var names: [String] = []
    for field in response.headers where !names.contains(where: { field.isNamed($0) }) { names.append(field.name) }
    if !names.isEmpty {
      writer.object("headers") { fields in
        for name in names {
          let values = response.headers.values(of: name)
          if values.count == 1 {
            fields.member(name, values[0])
          } else {
            fields.member(name, values)
          }
        }
      }
    }
    if !body.isEmpty {
      if let text = String(validUTF8: body) {
        writer.member("body", text)
      } else {
        writer.member("base64Body", BodyBase64.text(of: body))
      }
    }
    if case .chunks(let chunks, _)? = response.body?.form, chunks.count > 1 {
      writer.object("chunkedDribbleDelay") {
        $0.member("numberOfChunks", chunks.count)
        $0.member("totalDuration", Int((chunks.reduce(0) { $0 + $1.after } * 1000).rounded()))
      }
    }
  }

  /// Writes a delay, and notes the other rules for replaying.
  private static func replay(
    _ replay: ReplayRules, of interaction: Interaction, _ writer: inout JSONWriter, _ notes: inout ImportNotes
  ) {
    var rest = replay
    rest.delay = nil
    switch replay.delay {
    case .seconds(let seconds): delay(seconds, &writer)
    case .recorded: if let time = interaction.recorded?.firstByte { delay(time, &writer) }
    case .uniform, .logNormal, .fitted: rest.delay = replay.delay
    case nil: break
    }
    if !rest.isEmpty, let rules = JSONValue(RuleNotation.text(of: rest)) {
      notes.leave("replay: \(String(decoding: rules.compact, as: UTF8.self))")
    }
    if interaction.response?.isTemplate == true { notes.leave("response.template: exported unchanged") }
  }

  private static func delay(_ seconds: Double, _ writer: inout JSONWriter) {
    writer.member("fixedDelayMilliseconds", Int((min(max(seconds, 0), Latency.longest) * 1000).rounded()))
  }
}
