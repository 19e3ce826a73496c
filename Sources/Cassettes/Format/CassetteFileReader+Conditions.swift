import CassetteJSON
internal import CassettePatterns
internal import CassetteSystem

/// Reading the conditions on values of a request.
extension CassetteFileReader {
  /// Names and what the value of each must be.
  mutating func readConditions(
    _ bytes: Span<UInt8>, _ what: String, areFields: Bool = false
  ) throws(CassetteError) -> NamedConditions {
    var conditions = NamedConditions()
    guard try open(bytes, what) else { return conditions }
    var seen: Set<String> = []
    while let (name, start) = try nextName(bytes, &seen) {
      if areFields, !name.withUTF8Span(CassetteFileGrammar.isToken) {
        try report(bytes, start, "a header field's name must be a token (RFC 9110 §5.6.2), such as \"Accept\"")
      }
      if let condition = try readCondition(bytes, "\"\(name)\"") { conditions.entries.append(.init(name, condition)) }
    }
    return conditions
  }

  /// Paths, and what the values that each leads to must be.
  mutating func readValues(
    _ bytes: Span<UInt8>, _ what: String = "\"values\""
  ) throws(CassetteError) -> [PlacedCondition] {
    var conditions: [PlacedCondition] = []
    guard try open(bytes, what) else { return conditions }
    var seen: Set<String> = []
    while let (name, start) = try nextName(bytes, &seen) {
      let place = try path(name, bytes, start)
      guard let condition = try readCondition(bytes, "\"\(name)\""), let place else { continue }
      conditions.append(.init(place, condition))
    }
    return conditions
  }

  /// A path, which is reported where it is none.
  mutating func path(_ text: String, _ bytes: Span<UInt8>, _ start: Int) throws(CassetteError) -> JSONQuery? {
    let problem: JSONQuery.Problem
    do throws(JSONQuery.Problem) {
      return try JSONQuery(text)
    } catch {
      problem = error
    }
    try report(bytes, start, "\"\(text)\" is no path such as \"$.items[*].id\": \(problem.words)")
    return nil
  }

  /// A text, `"ignore"`, an object of conditions, or several of those.
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
      while try nextElement(bytes, &list) { terms += try readTerms(bytes, what) }
    } else {
      terms = try readTerms(bytes, what)
    }
    guard found == problems.count + omitted else { return nil }
    return try checked(bytes, start, terms, what)
  }

  mutating func checked(
    _ bytes: Span<UInt8>, _ start: Int, _ terms: [Condition.Term], _ what: String
  ) throws(CassetteError) -> Condition? {
    if terms.isEmpty {
      try report(bytes, start, "\(what) has no condition: write \"ignore\" if it plays no part")
      return nil
    }
    if terms.count > 1, terms.contains(.absent(true)) {
      try report(bytes, start, "\"absent\" stands alone")
      return nil
    }
    return .all(terms)
  }

  private mutating func readTerms(_ bytes: Span<UInt8>, _ what: String) throws(CassetteError) -> [Condition.Term] {
    guard isAt(UInt8(ascii: "{"), bytes) else {
      let start = at
      try skipValue(bytes)
      let token = MemberWalk.token(at: start, in: bytes)
      let isPlain = token.utf8.count <= 20 && !token.hasPrefix("[") && !token.hasPrefix("\"")
      try report(
        bytes, start, "\(what) must be a string, or an object such as { \"matches\": \"…\" }",
        isPlain ? "write \"\(token)\"" : nil)
      return []
    }
    at += 1
    var terms: [Condition.Term] = []
    var walk = ObjectWalk(Object.condition)
    while let key = try nextKey(bytes, &walk) {
      if let term = try readTerm(bytes, key) { terms.append(term) }
    }
    return terms
  }

  mutating func readTerm(
    _ bytes: Span<UInt8>, _ key: Object.Condition
  ) throws(CassetteError) -> Condition.Term? {
    let start = at
    if key == .absent { return try readFlag(bytes, "\"absent\"").map { .absent($0) } }
    if let term = try readCombined(bytes, key) { return term }
    if let side = NumberBound.Side(rawValue: "\(key)") { return try readBound(bytes, side) }
    // What was a list, and was not as it should be.
    guard key != .oneOf, key.rawValue < Object.Condition.and.rawValue,
      let text = try readText(bytes, "\"\(key)\"")
    else { return nil }
    if let side = TimeBound.Side(rawValue: "\(key)") {
      if let bound = TimeBound(side, text) { return .time(bound) }
      try report(bytes, start, "\"\(key)\" must be a time such as \"2026-11-21T01:00:00Z\" (RFC 3339), or a date")
      return nil
    }
    switch key {
    case .equals: return .equals(text)
    case .equalsIgnoringCase: return .equalsIgnoringCase(text)
    case .contains: return .contains(text)
    case .doesNotContain: return .doesNotContain(text)
    default:
      do throws(TextPattern.Problem) {
        let pattern = try TextPattern(text)
        return key == .matches ? .matches(pattern) : .doesNotMatch(pattern)
      } catch {
        try report(bytes, start, "the pattern cannot be read at its character \(error.column): \(error.message)")
        return nil
      }
    }
  }
}
