import CassetteJSON

/// The rules for a request's body: `body` in `match`.
struct BodyRules: Hashable, Sendable {
  var rules: [BodyRule] = []
  /// True if the body is ignored.
  var isIgnored = false
  /// The allowed differences from the recorded body.
  var tolerance = JSONTolerance()
}

extension MatchRules {
  var bodyRules: BodyRules {
    get { BodyRules(rules: body, isIgnored: ignoresBody, tolerance: tolerance) }
    set { (body, ignoresBody, tolerance) = (newValue.rules, newValue.isIgnored, newValue.tolerance) }
  }
}

/// An object of rules for a body, all of which must be met.
struct BodyRuleObject: Sendable {
  /// Conditions on the body as a text.
  var terms: [Condition.Term] = []
  var json: [UInt8]?
  var ignored: [JSONQuery]?
  var allowsExtra = false
  var allowsAnyOrder = false
  /// The other rules.
  var rules: [BodyRule] = []

  init() {}

  init(_ tolerance: JSONTolerance) {
    ignored = tolerance.ignored.isEmpty ? nil : tolerance.ignored
    (allowsExtra, allowsAnyOrder) = (tolerance.allowsExtra, tolerance.allowsAnyOrder)
  }

  init(_ rule: BodyRule) {
    if case .json(let json, let ignored, let extra, let order) = rule {
      self.init(JSONTolerance(ignored: ignored, allowsExtra: extra, allowsAnyOrder: order))
      self.json = json
    } else {
      self.init()
      rules = [rule]
    }
  }

  var tolerance: JSONTolerance {
    JSONTolerance(ignored: ignored ?? [], allowsExtra: allowsExtra, allowsAnyOrder: allowsAnyOrder)
  }
}

extension Kind where Value == BodyRules {
  /// `"ignore"`, an object of rules, or a list of objects.
  static var bodyRules: Kind {
    let object = "{ \(reference("matchBody")) }"
    return Kind("\"anyOf\": [{ \"const\": \"ignore\" }, \(object), { \"type\": \"array\", \"items\": \(object) }]") {
      reader, bytes, what throws(CassetteError) in
      try reader.readBodyRules(bytes, what)
    } write: { writer, body throws(CassetteError) in
      try writer.write(body)
    }
  }
}

extension Kind where Value == [BodyRule] {
  /// A list of rules with at least one rule.
  static var bodies: Kind { Kind<BodyRule>.nested.list(schema: reference("bodies"), empty: "has no condition") }

  /// A rule for a part of a multipart body, or a list of rules that must all be met.
  static var nestedBody: Kind {
    Kind("\"anyOf\": [{ \(reference("matchBody")) }, { \(reference("bodies")) }]") {
      reader, bytes, what throws(CassetteError) in
      if reader.isAt(UInt8(ascii: "["), bytes) { return try bodies.read(&reader, bytes, what) }
      return try Kind<BodyRule>.nested.read(&reader, bytes, what).map { [$0] }
    } write: { writer, rules throws(CassetteError) in
      if rules.count == 1 { return try writer.write(rules[0]) }
      try bodies.write(&writer, rules)
    }
  }
}

extension Kind where Value == BodyRule {
  /// A rule inside another rule, which has no recorded body to compare with.
  static var nested: Kind {
    Kind(reference("matchBody")) { reader, bytes, _ throws(CassetteError) in
      guard try reader.enter(bytes) else { return nil }
      defer { reader.nesting -= 1 }
      let start = reader.at
      var tolerance = JSONTolerance()
      let rules = try reader.readBodyRule(bytes, &tolerance)
      if tolerance != JSONTolerance() {
        try reader.report(bytes, start, "\"ignore\", \"extra\" and \"order\" require \"json\" here")
      }
      return rules.count == 1 ? rules[0] : rules.isEmpty ? nil : .and(rules)
    } write: { writer, value throws(CassetteError) in
      try writer.write(value)
    }
  }
}

extension Kind where Value == BodySchema {
  /// A JSON Schema, which the engine compiles.
  static var schema: Kind {
    Kind(#""type": ["object", "boolean"]"#) { reader, bytes, what throws(CassetteError) in
      let start = reader.at
      try reader.skipValue(bytes)
      let text = bytes.extracting(start..<reader.at)
      let problem: EngineError
      do throws(EngineError) {
        guard let engine = reader.engines.schemas else { throw .notLinked("schema") }
        // The original text is compiled first, so that errors have correct offsets; the compact form below is kept.
        _ = try engine.schema(text.withUnsafeBufferPointer { Array($0) })
        var compact: [UInt8] = []
        JSONStyle.compact.render(text, into: &compact)
        return BodySchema(try engine.schema(compact))
      } catch {
        problem = error
      }
      try reader.report(bytes, start + problem.offset, problem.message, problem.suggestion)
      return nil
    } write: {
      $0.json($1.text)
    }
  }
}

extension CassetteFileReader {
  fileprivate mutating func readBodyRules(_ bytes: Span<UInt8>, _ what: String) throws(CassetteError) -> BodyRules? {
    let start = at
    var body = BodyRules()
    if isAt(UInt8(ascii: "\""), bytes) {
      guard let word = try readText(bytes, what) else { return nil }
      body.isIgnored = word == "ignore"
      if !body.isIgnored {
        try report(bytes, start, "\(what) must be \"ignore\" or an object", "write {\"equals\": \"…\"}")
      }
      return body
    }
    if isAt(UInt8(ascii: "["), bytes) {
      at += 1
      var list = ListWalk()
      while try nextElement(bytes, &list) { body.rules += try readBodyRule(bytes, &body.tolerance) }
    } else {
      body.rules = try readBodyRule(bytes, &body.tolerance)
    }
    if !body.rules.isEmpty, body.tolerance != JSONTolerance() {
      try report(
        bytes, start,
        "\"ignore\", \"extra\" and \"order\" without \"json\" cannot be combined with other conditions")
    }
    return body
  }

  fileprivate mutating func readBodyRule(
    _ bytes: Span<UInt8>, _ tolerance: inout JSONTolerance
  ) throws(CassetteError) -> [BodyRule] {
    let start = at
    let found = problems.count + omitted
    var object = BodyRuleObject()
    guard try read(bytes, "\"body\"", Grammar.matchBody, into: &object), found == problems.count + omitted else {
      return []
    }
    var rules = object.rules
    let differences = object.tolerance
    if let json = object.json {
      rules.insert(
        .json(
          json, ignoring: differences.ignored, extra: differences.allowsExtra, order: differences.allowsAnyOrder), at: 0
      )
    } else if object.ignored != nil || differences != JSONTolerance() {
      tolerance.ignored += differences.ignored
      tolerance.allowsExtra = tolerance.allowsExtra || differences.allowsExtra
      tolerance.allowsAnyOrder = tolerance.allowsAnyOrder || differences.allowsAnyOrder
      if object.terms.isEmpty, rules.isEmpty { return [] }
    }
    if !object.terms.isEmpty {
      guard let condition = try checked(bytes, start, object.terms, "\"body\"") else { return [] }
      rules.insert(.text(condition), at: 0)
    }
    if rules.isEmpty { try report(bytes, start, "\"body\" has no condition: write \"ignore\" to accept any body") }
    return rules
  }
}

extension CassetteFileWriter {
  fileprivate mutating func write(_ body: BodyRules) throws(CassetteError) {
    if body.rules.isEmpty {
      return body.isIgnored ? append("ignore") : try write(Grammar.matchBody, BodyRuleObject(body.tolerance))
    }
    // A rule that needs several objects is itself written as the list.
    if body.rules.count == 1, !Self.needsList(body.rules[0]) { return try write(body.rules[0]) }
    open("[")
    for rule in body.rules {
      guard case .text(.all(let terms)) = rule, Self.needsList(rule) else {
        next()
        try write(rule)
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

  fileprivate mutating func write(_ rule: BodyRule) throws(CassetteError) {
    switch rule {
    case .text(.all(let terms)): write(group: terms)
    case .text(.ignore), .text(.recorded): write(group: [.absent(false)])
    default: try write(Grammar.matchBody, BodyRuleObject(rule))
    }
  }
}
