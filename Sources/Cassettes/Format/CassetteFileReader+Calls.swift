import CassetteJSON

/// Schemas, parts, calls and credentials in a `match`.
extension CassetteFileReader {
  /// A JSON Schema; what is wrong with it is told where it stands.
  mutating func readSchema(_ bytes: Span<UInt8>) throws(CassetteError) -> BodySchema? {
    let start = at
    try skipValue(bytes)
    let text = bytes.extracting(start..<at)
    let problem: EngineError
    do throws(EngineError) {
      guard let engine = engines.schemas else { throw .notLinked("schema") }
      // Compiled unchanged first, so that errors have correct offsets; the compact spelling below is the one that is
      // kept.
      _ = try engine.schema(text.withUnsafeBufferPointer { Array($0) })
      var compact: [UInt8] = []
      JSONStyle.compact.render(text, into: &compact)
      return BodySchema(try engine.schema(compact))
    } catch {
      problem = error
    }
    try report(bytes, start + problem.offset, problem.message, problem.suggestion)
    return nil
  }

  mutating func readParts(_ bytes: Span<UInt8>) throws(CassetteError) -> [PartRule] {
    var parts: [PartRule] = []
    guard var list = try openList(bytes, "\"parts\"") else { return parts }
    while try nextElement(bytes, &list) {
      guard var walk = try open(bytes, "a part", Object.part) else { continue }
      var part = PartRule()
      while let key = try nextKey(bytes, &walk) {
        switch key {
        case .name: part.name = try readCondition(bytes, "\"name\"")
        case .filename: part.filename = try readCondition(bytes, "\"filename\"")
        case .headers: part.headers = try readConditions(bytes, "\"headers\"", areFields: true)
        case .body: part.body = try readNestedBody(bytes)
        case .every: part.isEvery = try readFlag(bytes, "\"every\"") ?? false
        }
      }
      parts.append(part)
    }
    return parts
  }

  mutating func readGraphQL(_ bytes: Span<UInt8>) throws(CassetteError) -> GraphQLRule {
    var rule = GraphQLRule()
    guard var walk = try open(bytes, "\"graphql\"", Object.graphQL) else { return rule }
    while let key = try nextKey(bytes, &walk) {
      switch key {
      case .operation: rule.operation = try readCondition(bytes, "\"operation\"")
      case .type: rule.type = try readCondition(bytes, "\"type\"")
      case .query: rule.query = try readText(bytes, "\"query\"")
      case .variables: rule.variables = try readValues(bytes, "\"variables\"")
      }
    }
    return rule
  }

  mutating func readJSONRPC(_ bytes: Span<UInt8>) throws(CassetteError) -> JSONRPCRule {
    var rule = JSONRPCRule()
    guard var walk = try open(bytes, "\"jsonrpc\"", Object.jsonRPC) else { return rule }
    while let key = try nextKey(bytes, &walk) {
      switch key {
      case .method: rule.method = try readCondition(bytes, "\"method\"")
      case .params: rule.params = try readValues(bytes, "\"params\"")
      }
    }
    return rule
  }

  /// `"basic"`, `"bearer"`, `"none"`, or an object that says more.
  mutating func readAuthorization(_ bytes: Span<UInt8>) throws(CassetteError) -> AuthorizationRule? {
    let start = at
    if isAt(UInt8(ascii: "\""), bytes) {
      guard let word = try readText(bytes, "\"authorization\"") else { return nil }
      switch word {
      case "basic": return .basic(user: nil, password: nil)
      case "bearer": return .bearer(nil)
      case "none": return AuthorizationRule.none
      default:
        try report(
          bytes, start, "\"authorization\" must be \"basic\", \"bearer\", \"none\", or an object of one of them")
        return nil
      }
    }
    guard var walk = try open(bytes, "\"authorization\"", Object.authorization) else { return nil }
    var rules: [AuthorizationRule] = []
    while let key = try nextKey(bytes, &walk) {
      switch key {
      case .basic: rules.append(try readBasic(bytes))
      case .bearer: rules.append(.bearer(try readCondition(bytes, "\"bearer\"")))
      }
    }
    if rules.count != 1 { try report(bytes, start, "\"authorization\" says one of \"basic\" and \"bearer\"") }
    return rules.first
  }

  /// A user's name, or an object with it and the password.
  private mutating func readBasic(_ bytes: Span<UInt8>) throws(CassetteError) -> AuthorizationRule {
    guard isAt(UInt8(ascii: "{"), bytes) else {
      return .basic(user: try readCondition(bytes, "\"basic\""), password: nil)
    }
    at += 1
    var (user, password): (Condition?, Condition?)
    var walk = ObjectWalk(Object.basic)
    while let key = try nextKey(bytes, &walk) {
      switch key {
      case .user: user = try readCondition(bytes, "\"user\"")
      case .password: password = try readCondition(bytes, "\"password\"")
      }
    }
    return .basic(user: user, password: password)
  }
}
