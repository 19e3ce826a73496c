internal import CassetteEngines
import CassetteHTTP
import CassetteJSON
import CassettePatterns
internal import CassetteSystem
package import Cassettes

/// Exports the rules of an interaction to WireMock, and notes those without an equivalent.
struct WireMockRules {
  private let interaction: Interaction
  private let match: MatchRules

  init(_ interaction: Interaction) {
    self.interaction = interaction
    match = interaction.match
  }

  /// Writes the conditions on a request.
  func write(_ writer: inout JSONWriter, _ notes: inout ImportNotes) {
    switch match.methods {
    case .any: writer.member("method", "ANY")
    case .listed(let methods) where methods.count > 1:
      writer.member("method", "ANY")
      notes.leave("match.method with several methods: exported as ANY")
    case .listed(let methods): writer.member("method", methods.first?.rawValue ?? "ANY")
    case .except(let methods):
      writer.object("method") { object in
        object.member("noneOf", methods.map(\.rawValue))
      }
    case nil: writer.member("method", interaction.method.rawValue)
    }
    let asksQuery = url(&writer, &notes)
    if asksQuery { query(&writer, &notes) }
    write(match.headers, as: "headers", &writer, &notes)
    write(match.cookies, as: "cookies", &writer, &notes)
    credentials(&writer, &notes)
    body(&writer, &notes)
  }

  /// Writes the URL; returns true if the query must be written separately.
  private func url(_ writer: inout JSONWriter, _ notes: inout ImportNotes) -> Bool {
    if let url = match.url {
      if case .all(let terms) = url, terms.count == 1, case .matches(let pattern) = terms[0] {
        writer.member("urlPattern", pattern.source)
      } else if case .all(let terms) = url, terms.count == 1, case .equals(let text) = terms[0] {
        writer.member("url", text)
      } else if url != .ignore {
        notes.leave("match.url: \(url.words), exported as any URL")
      }
      return false
    }
    let path = String(interaction.pathAndQuery.prefix { $0 != "?" })
    switch match.path {
    case nil where match.query.isEmpty:
      writer.member("url", interaction.pathAndQuery)
      return false
    case nil: writer.member("urlPath", path)
    case .literal(let text): writer.member("urlPath", text)
    case .template(let template): writer.member("urlPathTemplate", template.text)
    case .condition(.ignore), .condition(.recorded): break
    case .condition(.all(let terms)):
      if terms.count == 1, case .matches(let pattern) = terms[0] {
        writer.member("urlPathPattern", pattern.source)
      } else {
        notes.leave("match.path: \(Condition.all(terms).words), exported as any path")
      }
    }
    return true
  }

  private func query(_ writer: inout JSONWriter, _ notes: inout ImportNotes) {
    let listed = Set(match.query.entries.map(\.name))
    var query = match.query
    query.entries.removeAll { $0.name == "*" }
    if !listed.contains("*") {
      notes.leave("match.query without \"*\": WireMock ignores other parameters of a path")
      for item in QueryItem.all(ofTarget: interaction.pathAndQuery) where !listed.contains(item.name) {
        query.entries.append(.init(item.name, .all([.equals(item.value ?? "")])))
      }
    }
    write(query, as: "queryParameters", &writer, &notes)
  }

  private func write(
    _ conditions: NamedConditions, as name: String, _ writer: inout JSONWriter, _ notes: inout ImportNotes
  ) {
    let entries = conditions.entries.filter { $0.condition != .ignore && $0.condition != .recorded }
    guard !entries.isEmpty else { return }
    writer.object(name) { object in
      for entry in entries {
        if Self.hasNumbers(entry.condition) { notes.leave("match.\(name).\(entry.name): \(entry.condition.words)") }
        object.object(entry.name) { Self.write(entry.condition, &$0) }
      }
    }
  }

  /// Returns true if a condition compares numbers, which WireMock only compares as strings.
  private static func hasNumbers(_ condition: Condition) -> Bool {
    guard case .all(let terms) = condition else { return false }
    return terms.contains { term in
      if case .number = term { true } else { term.conditions?.contains(where: hasNumbers) ?? false }
    }
  }

  private static func write(_ condition: Condition, _ writer: inout JSONWriter) {
    guard case .all(let terms) = condition else { return }
    if terms.count == 1 { return write(terms[0], &writer) }
    writer.array("and", of: terms) { write($0, &$1) }
  }

  private static func write(_ all: [Condition], as name: String, _ writer: inout JSONWriter) {
    writer.array(name, of: all) { write($0, &$1) }
  }

  private func credentials(_ writer: inout JSONWriter, _ notes: inout ImportNotes) {
    guard let rule = match.authorization else { return }
    if case .basic(.all(let user)?, .all(let password)?) = rule, user.count == 1, password.count == 1,
      let user = user[0].text, let password = password[0].text
    {
      return writer.object("basicAuthCredentials") { object in
        object.member("username", user)
        object.member("password", password)
      }
    }
    notes.leave("match.authorization")
  }

  private static func write(_ term: Condition.Term, _ writer: inout JSONWriter) {
    switch term {
    case .equals(let text): writer.member("equalTo", text)
    case .equalsIgnoringCase(let text):
      writer.member("equalTo", text)
      writer.member("caseInsensitive", true)
    // Any value matches, but the field must be present.
    case .absent(false): writer.member("matches", "(?s).*")
    case .absent(true): writer.member("absent", true)
    case .contains(let text): writer.member("contains", text)
    case .doesNotContain(let text): writer.member("doesNotContain", text)
    case .matches(let pattern): writer.member("matches", WireMockCondition.java(pattern))
    case .doesNotMatch(let pattern): writer.member("doesNotMatch", WireMockCondition.java(pattern))
    case .oneOf(let texts): write(texts.map { .all([.equals($0)]) }, as: "or", &writer)
    case .time(let bound): writer.member(bound.side.rawValue, bound.text)
    case .not(let condition): writer.object("not") { write(condition, &$0) }
    case .and(let all), .or(let all), .includes(let all), .hasExactly(let all): write(all, as: term.key, &writer)
    case .number: break
    }
  }

  private func body(_ writer: inout JSONWriter, _ notes: inout ImportNotes) {
    for case .form(let conditions) in match.body { write(conditions, as: "formParameters", &writer, &notes) }
    let patterns = match.body.filter { if case .form = $0 { false } else { true } }
    for rule in patterns {
      if let words = Self.foreign(rule) { notes.leave("match.body.\(words)") }
    }
    if !match.tolerance.ignored.isEmpty {
      notes.leave("match.body.ignore: \(match.tolerance.ignored.map(\.description).joined(separator: ", "))")
    }
    guard !patterns.isEmpty else { return }
    writer.array("bodyPatterns") { list in
      for rule in patterns {
        switch rule {
        case .text(.all(let terms)): for term in terms { list.object { Self.write(term, &$0) } }
        case .base64(let bytes): list.object { $0.member("binaryEqualTo", BodyBase64.text(of: bytes)) }
        case .json(let value, let ignored, let extra, let order):
          if !ignored.isEmpty {
            notes.leave("match.body.ignore: \(ignored.map(\.description).joined(separator: ", "))")
          }
          list.object { object in
            object.member("equalToJson", String(decoding: value, as: UTF8.self))
            if extra { object.member("ignoreExtraElements", true) }
            if order { object.member("ignoreArrayOrder", true) }
          }
        case .values(let conditions):
          for entry in conditions {
            let path = entry.place.description
            guard case .all(let terms) = entry.condition else { continue }
            for term in terms {
              list.object { object in
                if term == .absent(false) { return object.member("matchesJsonPath", path) }
                object.object("matchesJsonPath") { object in
                  object.member("expression", path)
                  Self.write(term, &object)
                }
              }
            }
          }
        case .schema(let schema): list.object { $0.member("matchesJsonSchema", json: schema.text) }
        case .text(.ignore), .text(.recorded), .form, .parts, .graphQL, .jsonRPC, .and, .or, .not: break
        }
      }
    }
  }

  /// Returns the name of a rule without an equivalent in WireMock, or nil for a rule that can be exported.
  private static func foreign(_ rule: BodyRule) -> String? {
    switch rule {
    case .parts: "parts"
    case .graphQL: "graphql"
    case .jsonRPC: "jsonrpc"
    case .and: "and"
    case .or: "or"
    case .not: "not"
    case .text, .base64, .json, .values, .form, .schema: nil
    }
  }

  /// Returns WireMock priorities by priority in the cassette.
  ///
  /// In WireMock, lower numbers come first and 5 is the default.
  static func priorities(of cassette: Cassette) -> [Int: Int] {
    let all = Set(cassette.interactions.map(\.match.priority)).union([0]).sorted(by: >)
    if all.allSatisfy({ $0 < 5 }) { return Dictionary(uniqueKeysWithValues: all.map { ($0, 5 - $0) }) }
    return Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1, $0 + 1) })
  }

  /// Returns the scenario and its states, or nil for no scenario or several, which WireMock does not support.
  func scenario(_ notes: inout ImportNotes) -> (name: String, required: String?, new: String?)? {
    let (when, then) = (interaction.replay.when, interaction.replay.then)
    let names = Set((when + then).map(\.scenario))
    guard let name = names.first else { return nil }
    guard names.count == 1 else {
      notes.leave("replay.when and replay.then with several scenarios")
      return nil
    }
    return (name, when.first?.state, then.first?.state)
  }

  /// Returns the name of the fault in WireMock, or nil for no fault or one without an equivalent.
  func fault(_ notes: inout ImportNotes) -> String? {
    switch interaction.replay.fault {
    case .reset: return "CONNECTION_RESET_BY_PEER"
    case .empty: return "EMPTY_RESPONSE"
    case .malformed, .badChunk: return "MALFORMED_RESPONSE_CHUNK"
    case .garbage: return "RANDOM_DATA_THEN_CLOSE"
    case .timeout, .never, .truncate, .stall:
      notes.leave("replay.fault: \(interaction.replay.fault?.rawValue ?? "")")
      return nil
    case nil: break
    }
    switch interaction.failure?.code {
    case nil: return nil
    case -1011: return "EMPTY_RESPONSE"
    case -1017: return "MALFORMED_RESPONSE_CHUNK"
    default: return "CONNECTION_RESET_BY_PEER"
    }
  }

  func delay(_ writer: inout JSONWriter, _ notes: inout ImportNotes) {
    func milliseconds(_ seconds: Double) -> Int { Int((min(max(seconds, 0), Latency.longest) * 1_000).rounded()) }
    let replay = interaction.replay
    switch replay.delay {
    case .seconds(let seconds): writer.member("fixedDelayMilliseconds", milliseconds(seconds))
    case .recorded:
      if let time = interaction.recorded?.firstByte { writer.member("fixedDelayMilliseconds", milliseconds(time)) }
    case .uniform(let least, let most):
      writer.object("delayDistribution") { object in
        object.member("type", "uniform")
        object.member("lower", milliseconds(least))
        object.member("upper", milliseconds(most))
      }
    case .logNormal(let median, let sigma):
      writer.object("delayDistribution") { object in
        object.member("type", "lognormal")
        object.member("median", milliseconds(median))
        object.member("sigma", sigma)
      }
    case .fitted: notes.leave("replay.delay: fitted")
    case nil: break
    }
    if replay.chunkDelay != nil { notes.leave("replay.chunkDelay") }
    if replay.bytesPerSecond != nil { notes.leave("replay.bytesPerSecond") }
    if replay.fault != nil, !replay.faultTerms.isEmpty { notes.leave("replay.fault: the conditions for the fault") }
    if replay.order != nil { notes.leave("replay.order") }
    if interaction.response?.isTemplate == true { notes.leave("response.template: exported unchanged") }
  }
}

/// Exports a cassette as WireMock stub mappings in one file.
package enum WireMockWriter {
  /// Returns the mappings, `{"mappings": […]}`, indented by two spaces.
  ///
  /// Request header fields are omitted, because WireMock would require them. Repeated requests become a scenario, so
  /// that the responses have the recorded order.
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
