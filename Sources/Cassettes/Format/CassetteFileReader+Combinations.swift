/// Conditions of conditions, and bounds.
extension CassetteFileReader {
  /// The most levels of conditions inside one another.
  private static let mostNesting = 32

  /// Conditions in conditions; nil for other keys, and for what was reported.
  mutating func readCombined(
    _ bytes: Span<UInt8>, _ key: Object.Condition
  ) throws(CassetteError) -> Condition.Term? {
    switch key {
    case .oneOf:
      let texts = try readTexts(bytes, "\"oneOf\"")
      return texts.isEmpty ? nil : .oneOf(texts)
    case .not: return try readNested(bytes, "\"not\"").map { .not($0) }
    case .and: return try readList(bytes, "\"and\"").map { .and($0) }
    case .or: return try readList(bytes, "\"or\"").map { .or($0) }
    case .includes: return try readList(bytes, "\"includes\"").map { .includes($0) }
    case .hasExactly: return try readList(bytes, "\"hasExactly\"").map { .hasExactly($0) }
    default: return nil
    }
  }

  /// A list of conditions, at least one.
  private mutating func readList(_ bytes: Span<UInt8>, _ what: String) throws(CassetteError) -> [Condition]? {
    let start = at
    var conditions: [Condition] = []
    guard var list = try openList(bytes, what) else { return nil }
    while try nextElement(bytes, &list) {
      if let condition = try readNested(bytes, what) { conditions.append(condition) }
    }
    guard conditions.isEmpty else { return conditions }
    try report(bytes, start, "\(what) has no condition")
    return nil
  }

  private mutating func readNested(_ bytes: Span<UInt8>, _ what: String) throws(CassetteError) -> Condition? {
    guard try enter(bytes) else { return nil }
    defer { nesting -= 1 }
    return try readCondition(bytes, what)
  }

  /// Steps into what lies in a condition, or over what lies too deep; who stepped in takes one off `nesting`.
  mutating func enter(_ bytes: Span<UInt8>) throws(CassetteError) -> Bool {
    guard nesting >= Self.mostNesting else {
      nesting += 1
      return true
    }
    let start = at
    try skipValue(bytes)
    try report(bytes, start, "conditions lie more than \(Self.mostNesting) deep in one another")
    return false
  }

  private mutating func readTexts(_ bytes: Span<UInt8>, _ what: String) throws(CassetteError) -> [String] {
    let start = at
    var texts: [String] = []
    guard var list = try openList(bytes, what) else { return texts }
    while try nextElement(bytes, &list) {
      if let text = try readText(bytes, what) { texts.append(text) }
    }
    if texts.isEmpty { try report(bytes, start, "\(what) names no text") }
    return texts
  }

  mutating func readBound(_ bytes: Span<UInt8>, _ side: NumberBound.Side) throws(CassetteError) -> Condition.Term? {
    let start = at
    guard let token = try readNumber(bytes, "\"\(side.rawValue)\"", "a number") else { return nil }
    if let bound = NumberBound(side, token) { return .number(bound) }
    try report(bytes, start, "\"\(side.rawValue)\" must be a number")
    return nil
  }
}
