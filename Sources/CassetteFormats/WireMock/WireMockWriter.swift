import CassetteHTTP
import CassetteJSON
internal import CassetteSystem
package import Cassettes

/// Exports a cassette as WireMock stub mappings in one file.
package enum WireMockWriter {
  /// Returns the mappings, `{"mappings": […]}`, indented by two spaces.
  ///
  /// Request header fields are omitted, because WireMock would require them. Repeated requests become a scenario, so
  /// that the responses have the recorded order.
  ///
  /// - Parameter cassette: The cassette to export.
  /// - Returns: The JSON, and the number of values without an equivalent in WireMock, by name.
  /// - Throws: An error if the file of a body cannot be read.
  package static func export(
    _ cassette: Cassette
  ) throws(CassetteError) -> (bytes: [UInt8], left: [(what: String, count: Int)]) {
    var notes = ImportNotes()
    let priorities = WireMockRules.priorities(of: cassette)
    var bodies: [(sent: [UInt8], received: [UInt8])] = []
    var keys: [String] = []
    for interaction in cassette.interactions {
      let sent = try interaction.requestBody?.bytes() ?? []
      bodies.append((sent, try interaction.response?.body?.bytes() ?? []))
      // Interactions with rules are selected by them; only interactions without rules are played in sequence.
      let isRuled = !interaction.match.isEmpty || !interaction.replay.when.isEmpty
      let turn = isRuled ? "\n\(keys.count)" : ""
      keys.append("\(interaction.method) \(interaction.pathAndQuery)\n\(String(decoding: sent, as: UTF8.self))\(turn)")
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
        } else if let scenario = WireMockRules(interaction).scenario(&notes) {
          mapping.member("scenarioName", scenario.name)
          if let state = scenario.required { mapping.member("requiredScenarioState", state) }
          if let state = scenario.new { mapping.member("newScenarioState", state) }
        }
        if let priority = priorities[interaction.match.priority], priority != 5 { mapping.member("priority", priority) }
        if interaction.match.isEmpty {
          mapping.object("request") { request(&$0, interaction, bodies[index].sent) }
        } else {
          mapping.object("request") { WireMockRules(interaction).write(&$0, &notes) }
        }
        if interaction.match.isEmpty || interaction.note != nil {
          mapping.object("metadata") {
            $0.object("mockserver") { facts in
              // A recording without rules prefers its request body, a mapping requires it: an import restores the former.
              if interaction.match.isEmpty { facts.member("recorded", true) }
              if let note = interaction.note { facts.member("note", note) }
            }
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
    let rules = WireMockRules(interaction)
    rules.delay(&writer, &notes)
    if let fault = rules.fault(&notes) { return writer.member("fault", fault) }
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
}
