import CassetteHTTP
import CassetteJSON
internal import CassetteSystem

/// Writing the rules that a person wrote for an interaction.
extension CassetteFileWriter {
  mutating func write(_ rules: MatchRules) {
    guard !rules.isEmpty else { return }
    key("match")
    object(of: rules)
  }

  package mutating func object(of rules: MatchRules) {
    open("{")
    switch rules.methods {
    case .any: member("method", "ANY")
    case .listed(let methods) where methods.count == 1: member("method", methods[0].rawValue)
    case .listed(let methods):
      key("method")
      list(methods.map(\.rawValue))
    case .except(let methods):
      open("{", as: "method")
      key("not")
      list(methods.map(\.rawValue))
      close("}")
    case nil: break
    }
    write(rules.url, as: "url")
    switch rules.path {
    case .literal(let text): member("path", text)
    case .template(let template): member("path", template.text)
    case .condition(let condition): write(condition, as: "path", isPath: true)
    case nil: break
    }
    write(rules.query, as: "query")
    if rules.ignoresOrigin { member("origin", "ignore") }
    write(NamedConditions(rules.headers.entries.filter { $0.condition != .recorded }), as: "headers")
    let recorded = rules.headers.entries.filter { $0.condition == .recorded }
    if !recorded.isEmpty {
      key("recordedHeaders")
      list(recorded.map(\.name))
    }
    write(rules.cookies, as: "cookies")
    if let authorization = rules.authorization { write(authorization) }
    write(rules.body, ignoresBody: rules.ignoresBody)
    write(rules.tolerance)
    if rules.priority != 0 { member("priority", token: String(rules.priority)) }
    close("}")
  }

  mutating func write(_ rules: ReplayRules, repeating: RepeatPolicy) {
    guard !rules.isEmpty || repeating != .last else { return }
    key("replay")
    object(of: rules, repeating: repeating)
  }

  mutating func object(of rules: ReplayRules, repeating: RepeatPolicy) {
    var members: [(String, Value)] = []
    if repeating != .last { members.append(("repeat", .text(Array(repeating.rawValue.utf8)))) }
    if let order = rules.order { members.append(("order", .text(Array(order.rawValue.utf8)))) }
    if let delay = rules.delay { members.append(("delay", Self.value(of: delay))) }
    if let delay = rules.chunkDelay { members.append(("chunkDelay", Self.value(of: delay))) }
    if let rate = rules.bytesPerSecond { members.append(("bytesPerSecond", .token(String(rate)))) }
    if let fault = rules.fault, rules.faultTerms.isEmpty {
      members.append(("fault", .text(Array(fault.rawValue.utf8))))
    }
    let terms = rules.fault.flatMap { rules.faultTerms.isEmpty ? nil : Self.members(of: $0, rules.faultTerms) }
    guard !rules.when.isEmpty || !rules.then.isEmpty || terms != nil else { return line(members) }
    open("{")
    for (name, value) in members {
      key(name)
      append(value)
    }
    if let terms {
      key("fault")
      line(terms)
    }
    for (name, states) in [("when", rules.when), ("then", rules.then)] where !states.isEmpty {
      key(name)
      line(states.map { ($0.scenario, .text(Array($0.state.utf8))) })
    }
    close("}")
  }

  private static func value(of latency: Latency) -> Value {
    if case .seconds(let seconds) = latency { return .seconds(seconds) }
    return .text(Array(latency.text.utf8))
  }

  private static func members(of fault: ReplayRules.Fault, _ terms: FaultTerms) -> [(String, Value)] {
    var members: [(String, Value)] = [("kind", .text(Array(fault.rawValue.utf8)))]
    if let probability = terms.probability { members.append(("probability", .seconds(probability))) }
    for (name, count) in [("first", terms.first), ("every", terms.every), ("after", terms.after)] {
      if let count { members.append((name, .token(String(count)))) }
    }
    return members
  }

  mutating func write(_ conditions: NamedConditions, as name: String) {
    if !conditions.isEmpty { members(conditions, as: name) }
  }

  mutating func write(_ condition: Condition?, as name: String, isPath: Bool = false) {
    guard let condition else { return }
    key(name)
    write(condition, isPath: isPath)
  }

  private mutating func write(_ condition: Condition, isPath: Bool = false) {
    switch condition {
    // What is to be as recorded is written as a list of names.
    case .ignore, .recorded: append("ignore")
    // The word is taken, and a path that stands alone may be a template.
    case .all(let terms):
      if terms.count == 1, case .equals(let text) = terms[0], text != "ignore", !isPath { return append(text) }
      write(terms)
    }
  }

  /// Writes terms as one object, or as several where one of a name is not enough.
  private mutating func write(_ terms: [Condition.Term]) {
    var groups: [[Condition.Term]] = []
    for term in terms {
      if let last = groups.indices.last, !groups[last].contains(where: { $0.key == term.key }) {
        groups[last].append(term)
      } else {
        groups.append([term])
      }
    }
    if groups.count == 1 { return write(group: groups[0]) }
    open("[")
    for group in groups {
      next()
      write(group: group)
    }
    close("]")
  }

  /// Terms of different keys, on one line unless conditions are among them.
  private mutating func write(group terms: [Condition.Term]) {
    guard terms.contains(where: { $0.conditions != nil || $0.texts != nil }) else {
      return line(terms.map(Self.member))
    }
    open("{")
    for term in terms {
      key(term.key)
      if let texts = term.texts {
        list(texts)
      } else if case .not(let condition) = term {
        write(condition)
      } else if let conditions = term.conditions {
        open("[")
        for condition in conditions {
          next()
          write(condition)
        }
        close("]")
      } else {
        append(Self.member(term).1)
      }
    }
    close("}")
  }

  private static func member(_ term: Condition.Term) -> (String, Value) {
    if case .absent(let isAbsent) = term { return (term.key, .token(isAbsent ? "true" : "false")) }
    if case .number(let bound) = term { return (term.key, .token(bound.text)) }
    return (term.key, .text(Array((term.text ?? "").utf8)))
  }

  private mutating func write(_ body: [BodyRule], ignoresBody: Bool) {
    if ignoresBody, body.isEmpty { return member("body", "ignore") }
    guard !body.isEmpty else { return }
    key("body")
    // A condition that needs several objects takes the list for itself.
    if body.count == 1, !Self.needsList(body[0]) { return write(body[0]) }
    open("[")
    for rule in body {
      guard case .text(.all(let terms)) = rule, Self.needsList(rule) else {
        next()
        write(rule)
        continue
      }
      for term in terms {
        next()
        write(group: [term])
      }
    }
    close("]")
  }

  private static func needsList(_ rule: BodyRule) -> Bool {
    guard case .text(.all(let terms)) = rule else { return false }
    return Set(terms.map(\.key)).count < terms.count
  }

  mutating func write(values conditions: [PlacedCondition], as name: String) {
    open("{", as: name)
    for entry in conditions { write(entry.condition, as: entry.place.description) }
    close("}")
  }

  mutating func write(_ rule: BodyRule) {
    switch rule {
    case .text(.all(let terms)): return write(group: terms)
    case .text(.ignore), .text(.recorded): return line([("absent", .token("false"))])
    case .base64(let bytes): return line([("base64", .text(BodyBase64.encode(bytes)))])
    default: break
    }
    open("{")
    switch rule {
    case .text, .base64: break
    case .values(let conditions): write(values: conditions, as: "values")
    case .form(let conditions): members(conditions, as: "form")
    case .json(let value, let ignored, let extra, let order):
      key("json")
      json(value)
      members(JSONTolerance(ignored: ignored, allowsExtra: extra, allowsAnyOrder: order))
    case .schema(let schema):
      key("schema")
      json(schema.text)
    case .parts(let parts): write(parts)
    case .graphQL(let rule): write(rule)
    case .jsonRPC(let rule): write(rule)
    case .and(let rules): array(rules, as: "and")
    case .or(let rules): array(rules, as: "or")
    case .not(let rule):
      key("not")
      write(rule)
    }
    close("}")
  }

  /// Writes the differences that are allowed from the recorded body.
  private mutating func write(_ tolerance: JSONTolerance) {
    guard tolerance != JSONTolerance() else { return }
    open("{", as: "body")
    members(tolerance)
    close("}")
  }

  private mutating func members(_ tolerance: JSONTolerance) {
    if !tolerance.ignored.isEmpty {
      key("ignore")
      list(tolerance.ignored.map(\.description))
    }
    if tolerance.allowsExtra { member("extra", "ignore") }
    if tolerance.allowsAnyOrder { member("order", "ignore") }
  }

  private mutating func members(_ conditions: NamedConditions, as name: String) {
    open("{", as: name)
    for entry in conditions.entries { write(entry.condition, as: entry.name) }
    close("}")
  }

  /// Strings on one line.
  private mutating func list(_ texts: [String]) {
    output("[")
    for (index, text) in texts.enumerated() {
      if index > 0 { output(", ") }
      append(text)
    }
    output("]")
  }
}
