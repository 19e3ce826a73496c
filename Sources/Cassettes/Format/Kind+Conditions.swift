import CassetteJSON
internal import CassettePatterns
internal import CassetteSystem

/// Reading and writing conditions on values of a request.
extension Kind where Value == Condition {
  /// A string, `"ignore"`, an object of conditions, or a list of objects.
  static var condition: Kind {
    Kind(reference("value")) { reader, bytes, what throws(CassetteError) in
      try reader.readCondition(bytes, what)
    } write: {
      $0.write($1)
    }
  }

  /// A condition inside another condition.
  static var nested: Kind {
    Kind(reference("value")) { reader, bytes, what throws(CassetteError) in
      guard try reader.enter(bytes) else { return nil }
      defer { reader.nesting -= 1 }
      return try reader.readCondition(bytes, what)
    }
  }
}

extension Kind where Value == [Condition] {
  /// A list of conditions with at least one condition.
  static var conditions: Kind {
    Kind<Condition>.nested.list(schema: reference("values"), empty: "has no condition")
  }
}

extension Kind where Value == NamedConditions {
  /// Names with a condition on the value of each.
  static func named(areFields: Bool = false) -> Kind {
    Kind(reference("named")) { reader, bytes, what throws(CassetteError) in
      guard try reader.open(bytes, what) else { return nil }
      var conditions = NamedConditions()
      var seen: Set<String> = []
      while let (name, start) = try reader.nextName(bytes, &seen) {
        if areFields { try reader.checkFieldName(name, bytes, start) }
        guard let condition = try reader.readCondition(bytes, "\"\(name)\"") else { continue }
        conditions.entries.append(.init(name, condition))
      }
      return conditions
    } write: { writer, conditions throws(CassetteError) in
      writer.open("{")
      for entry in conditions.entries {
        writer.key(entry.name)
        writer.write(entry.condition)
      }
      writer.close("}")
    }
  }
}

extension Kind where Value == [PlacedCondition] {
  /// Paths with a condition on the values that each selects.
  static var placed: Kind {
    Kind(reference("named")) { reader, bytes, what throws(CassetteError) in
      guard try reader.open(bytes, what) else { return nil }
      var conditions: [PlacedCondition] = []
      var seen: Set<String> = []
      while let (name, start) = try reader.nextName(bytes, &seen) {
        let place = try reader.path(name, bytes, start)
        guard let condition = try reader.readCondition(bytes, "\"\(name)\""), let place else { continue }
        conditions.append(.init(place, condition))
      }
      return conditions
    } write: { writer, conditions throws(CassetteError) in
      writer.open("{")
      for entry in conditions {
        writer.key(entry.place.description)
        writer.write(entry.condition)
      }
      writer.close("}")
    }
  }
}

extension Kind where Value == [JSONQuery] {
  /// A list of paths, written on one line.
  static var places: Kind {
    let path = Kind<JSONQuery>(#""type": "string""#) { reader, bytes, what throws(CassetteError) in
      let start = reader.at
      guard let text = try reader.readText(bytes, what) else { return nil }
      return try reader.path(text, bytes, start)
    }
    return path.list { $0.append($1.map(\.description)) }
  }
}

extension Kind where Value == NumberBound {
  static func bound(_ side: NumberBound.Side) -> Kind {
    number("a number", schema: #""type": "number""#, text: { $0.text }, { NumberBound(side, $0) })
  }
}

extension Kind where Value == TimeBound {
  static func time(_ side: TimeBound.Side) -> Kind {
    parsed(
      "a time such as \"2026-11-21T01:00:00Z\" (RFC 3339), or a date", text: { $0.text }, { TimeBound(side, $0) })
  }
}

extension Kind where Value == TextPattern {
  static var pattern: Kind {
    Kind(#""type": "string""#) { reader, bytes, what throws(CassetteError) in
      let start = reader.at
      guard let text = try reader.readText(bytes, what) else { return nil }
      let problem: TextPattern.Problem
      do throws(TextPattern.Problem) { return try TextPattern(text) } catch { problem = error }
      try reader.report(
        bytes, start, "error in the pattern at character \(problem.column): \(problem.message)")
      return nil
    }
  }
}

extension CassetteFileReader {
  /// The maximum nesting depth of conditions.
  private static let mostNesting = 32

  /// Enters a nested condition, or skips it and returns false if it is nested too deeply; the caller decrements
  /// `nesting` afterwards.
  mutating func enter(_ bytes: Span<UInt8>) throws(CassetteError) -> Bool {
    guard nesting >= Self.mostNesting else {
      nesting += 1
      return true
    }
    let start = at
    try skipValue(bytes)
    try report(bytes, start, "conditions are nested more than \(Self.mostNesting) levels deep")
    return false
  }

  /// Parses a JSON path; returns nil after reporting a syntax error.
  mutating func path(_ text: String, _ bytes: Span<UInt8>, _ start: Int) throws(CassetteError) -> JSONQuery? {
    let problem: JSONQuery.Problem
    do throws(JSONQuery.Problem) { return try JSONQuery(text) } catch { problem = error }
    try report(bytes, start, "\"\(text)\" is not a path such as \"$.items[*].id\": \(problem.words)")
    return nil
  }

  /// Reads a string, `"ignore"`, an object of conditions, or a list of objects.
  mutating func readCondition(_ bytes: Span<UInt8>, _ what: String) throws(CassetteError) -> Condition? {
    let start = at
    if isAt(UInt8(ascii: "\""), bytes) {
      guard let text = try readText(bytes, what) else { return nil }
      return text == "ignore" ? .ignore : .all([.equals(text)])
    }
    var terms: [Condition.Term] = []
    let found = problems.count + omitted
    if isAt(UInt8(ascii: "["), bytes) {
      at += 1
      var list = ListWalk()
      while try nextElement(bytes, &list) { try readTerms(bytes, what, into: &terms) }
    } else {
      try readTerms(bytes, what, into: &terms)
    }
    guard found == problems.count + omitted else { return nil }
    return try checked(bytes, start, terms, what)
  }

  /// Returns the condition that requires all terms; nil after reporting terms that exclude each other.
  mutating func checked(
    _ bytes: Span<UInt8>, _ start: Int, _ terms: [Condition.Term], _ what: String
  ) throws(CassetteError) -> Condition? {
    if terms.isEmpty {
      try report(bytes, start, "\(what) has no condition: write \"ignore\" to accept any value")
      return nil
    }
    if terms.count > 1, terms.contains(.absent(true)) {
      try report(bytes, start, "\"absent\" cannot be combined with other conditions")
      return nil
    }
    return .all(terms)
  }

  private mutating func readTerms(
    _ bytes: Span<UInt8>, _ what: String, into terms: inout [Condition.Term]
  ) throws(CassetteError) {
    if isAt(UInt8(ascii: "{"), bytes) {
      _ = try read(bytes, what, Grammar.condition, into: &terms)
      return
    }
    let start = at
    try skipValue(bytes)
    let token = MemberWalk.token(at: start, in: bytes)
    let isPlain = token.utf8.count <= 20 && !token.hasPrefix("[") && !token.hasPrefix("\"")
    try report(
      bytes, start, "\(what) must be a string, or an object such as { \"matches\": \"…\" }",
      isPlain ? "write \"\(token)\"" : nil)
  }
}

extension CassetteFileWriter {
  mutating func write(_ condition: Condition, isPath: Bool = false) {
    switch condition {
    // Header fields that must equal the recorded ones are written as a list of names.
    case .ignore, .recorded: append("ignore")
    // Not as a string: `"ignore"` would be read as the condition that ignores the value, and a path may be read as a
    // template.
    case .all(let terms):
      if terms.count == 1, case .equals(let text) = terms[0], text != "ignore", !isPath { return append(text) }
      write(terms)
    }
  }

  /// Writes terms as one object, or as several objects if a key occurs more than once.
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

  /// Writes terms with different keys, on one line unless they contain lists or conditions.
  mutating func write(group terms: [Condition.Term]) {
    open("{", inLine: !terms.contains { $0.conditions != nil || $0.texts != nil })
    for term in terms {
      key(term.key)
      switch term {
      case .absent(let isAbsent): token(isAbsent ? "true" : "false")
      case .number(let bound): token(bound.text)
      case .oneOf(let texts): append(texts)
      case .not(let condition): write(condition)
      case .and(let conditions), .or(let conditions), .includes(let conditions), .hasExactly(let conditions):
        open("[")
        for condition in conditions {
          next()
          write(condition)
        }
        close("]")
      default: append(term.text ?? "")
      }
    }
    close("}")
  }
}
