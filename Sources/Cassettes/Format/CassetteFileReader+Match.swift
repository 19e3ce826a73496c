import CassetteHTTP
import CassetteJSON
internal import CassetteSystem

/// Reading the rules that narrow or widen the requests an interaction answers.
extension CassetteFileReader {
  mutating func readMatch(_ bytes: Span<UInt8>) throws(CassetteError) -> MatchRules {
    var rules = MatchRules()
    let start = at
    guard var walk = try open(bytes, "\"match\"", Object.match) else { return rules }
    while let key = try nextKey(bytes, &walk) {
      switch key {
      case .method: rules.methods = try readMethods(bytes)
      case .url: rules.url = try readCondition(bytes, "\"url\"")
      case .path: rules.path = try readPath(bytes)
      case .query: rules.query = try readConditions(bytes, "\"query\"")
      case .origin: rules.ignoresOrigin = try readIgnore(bytes, "\"origin\"")
      case .headers: rules.headers.entries += try readConditions(bytes, "\"headers\"", areFields: true).entries
      case .recordedHeaders: rules.headers.entries += try readRecordedHeaders(bytes)
      case .cookies: rules.cookies = try readConditions(bytes, "\"cookies\"")
      case .authorization: rules.authorization = try readAuthorization(bytes)
      case .body: try readBodyRules(bytes, &rules)
      case .priority: rules.priority = try readPriority(bytes)
      }
    }
    if walk.has(.url), walk.has(.path) || walk.has(.query) {
      try report(bytes, start, "\"url\" stands for path and query together: write it, or \"path\" and \"query\"")
    }
    return rules
  }

  private mutating func readRecordedHeaders(_ bytes: Span<UInt8>) throws(CassetteError) -> [NamedConditions.Entry] {
    var entries: [NamedConditions.Entry] = []
    guard var list = try openList(bytes, "\"recordedHeaders\"") else { return entries }
    while try nextElement(bytes, &list) {
      let start = at
      guard let name = try readText(bytes, "\"recordedHeaders\"") else { continue }
      if name.withUTF8Span(CassetteFileGrammar.isToken) {
        entries.append(.init(name, .recorded))
      } else {
        try report(bytes, start, "a header field's name must be a token (RFC 9110 §5.6.2), such as \"Accept\"")
      }
    }
    return entries
  }

  private mutating func readMethods(_ bytes: Span<UInt8>) throws(CassetteError) -> MatchRules.Methods? {
    let start = at
    var names: [String] = []
    if isAt(UInt8(ascii: "{"), bytes) {
      at += 1
      var walk = ObjectWalk(Object.method)
      while try nextKey(bytes, &walk) != nil { names = try readMethodList(bytes) }
      return names.isEmpty ? nil : .except(names.map { HTTPMethod($0) })
    }
    if isAt(UInt8(ascii: "["), bytes) {
      names = try readMethodList(bytes)
    } else {
      names = try readMethod(bytes)
      if names == ["ANY"] { return .any }
    }
    if names.contains("ANY") {
      try report(bytes, start, "\"ANY\" stands alone")
      return nil
    }
    return names.isEmpty ? nil : .listed(names.map { HTTPMethod($0) })
  }

  private mutating func readMethodList(_ bytes: Span<UInt8>) throws(CassetteError) -> [String] {
    let start = at
    var names: [String] = []
    guard var list = try openList(bytes, "\"method\"") else { return [] }
    while try nextElement(bytes, &list) { names += try readMethod(bytes) }
    if names.isEmpty { try report(bytes, start, "\"method\" names none: write \"ANY\" for all") }
    return names
  }

  private mutating func readMethod(_ bytes: Span<UInt8>) throws(CassetteError) -> [String] {
    let start = at
    guard let name = try readText(bytes, "\"method\"") else { return [] }
    guard name.withUTF8Span(CassetteFileGrammar.isToken) else {
      try report(bytes, start, "\"method\" must be a method such as \"GET\", a list of them, or \"ANY\"")
      return []
    }
    return [name]
  }

  private mutating func readPath(_ bytes: Span<UInt8>) throws(CassetteError) -> MatchRules.Path? {
    guard isAt(UInt8(ascii: "\""), bytes) else { return try readCondition(bytes, "\"path\"").map { .condition($0) } }
    let start = at
    guard let text = try readText(bytes, "\"path\"") else { return nil }
    if text == "ignore" { return .condition(.ignore) }
    guard text.hasPrefix("/"), !text.contains("?"), text.withUTF8Span(CassetteFileGrammar.isTarget) else {
      try report(
        bytes, start, "\"path\" must be a path such as \"/users/{name}\", without a query, or an object of conditions")
      return nil
    }
    return MatchRules.path(text)
  }

  private mutating func readPriority(_ bytes: Span<UInt8>) throws(CassetteError) -> Int {
    let start = at
    guard let token = try readNumber(bytes, "\"priority\"", "a whole number") else { return 0 }
    guard let priority = Int32(token) else {
      try report(bytes, start, "\"priority\" must be a whole number: the greater comes first")
      return 0
    }
    return Int(priority)
  }

  // MARK: The body

  private mutating func readBodyRules(_ bytes: Span<UInt8>, _ rules: inout MatchRules) throws(CassetteError) {
    let start = at
    if isAt(UInt8(ascii: "\""), bytes) {
      guard let word = try readText(bytes, "\"body\"") else { return }
      if word == "ignore" {
        rules.ignoresBody = true
      } else {
        try report(bytes, start, "\"body\" must be \"ignore\" or an object", "write {\"equals\": \"…\"}")
      }
      return
    }
    if isAt(UInt8(ascii: "["), bytes) {
      at += 1
      var list = ListWalk()
      while try nextElement(bytes, &list) { rules.body += try readBodyRule(bytes, &rules.tolerance) }
    } else {
      rules.body = try readBodyRule(bytes, &rules.tolerance)
    }
    if !rules.body.isEmpty, rules.tolerance != JSONTolerance() {
      try report(
        bytes, start,
        "\"ignore\", \"extra\" and \"order\" without \"json\" compare with the recorded body, and stand alone")
    }
  }

  private mutating func readBodyRule(
    _ bytes: Span<UInt8>, _ tolerance: inout JSONTolerance
  ) throws(CassetteError) -> [BodyRule] {
    let start = at
    guard var walk = try open(bytes, "\"body\"", Object.matchBody) else { return [] }
    var terms: [Condition.Term] = []
    var json: [UInt8]?
    var ignored: [JSONQuery] = []
    var rules: [BodyRule] = []
    let found = problems.count + omitted
    walk.hint = "a body is looked at as text, JSON, a form, parts, GraphQL or JSON-RPC; there is no XPath"
    while let key = try nextKey(bytes, &walk) {
      switch key {
      case .json:
        let value = at
        try skipValue(bytes)
        var compact: [UInt8] = []
        JSONStyle.compact.render(bytes.extracting(value..<at), into: &compact)
        json = compact
      case .ignore: ignored = try readPlaces(bytes)
      case .extra: _ = try readIgnore(bytes, "\"extra\"")
      case .order: _ = try readIgnore(bytes, "\"order\"")
      case .base64:
        let value = at
        var text: [UInt8] = []
        try readText(bytes, "\"base64\"", into: &text)
        if let decoded = BodyBase64.decode(text) {
          rules.append(.base64(decoded))
        } else {
          try report(bytes, value, "\"base64\" is not base64 (RFC 4648 §4)")
        }
      case .values: rules.append(.values(try readValues(bytes)))
      case .form: rules.append(.form(try readConditions(bytes, "\"form\"")))
      case .schema: if let schema = try readSchema(bytes) { rules.append(.schema(schema)) }
      case .parts: rules.append(.parts(try readParts(bytes)))
      case .graphql: rules.append(.graphQL(try readGraphQL(bytes)))
      case .jsonrpc: rules.append(.jsonRPC(try readJSONRPC(bytes)))
      case .and: rules.append(.and(try readBodies(bytes, "\"and\"")))
      case .or: rules.append(.or(try readBodies(bytes, "\"or\"")))
      case .not: if let rule = try readNestedRule(bytes) { rules.append(.not(rule)) }
      default:
        let condition = Object.Condition(rawValue: key.rawValue)
        if let condition, let term = try readTerm(bytes, condition) { terms.append(term) }
      }
    }
    guard found == problems.count + omitted else { return [] }
    if walk.lacks(.json), walk.has(.ignore) || walk.has(.extra) || walk.has(.order) {
      tolerance.ignored += ignored
      tolerance.allowsExtra = tolerance.allowsExtra || walk.has(.extra)
      tolerance.allowsAnyOrder = tolerance.allowsAnyOrder || walk.has(.order)
      if terms.isEmpty, rules.isEmpty { return [] }
    }
    if let json {
      rules.insert(.json(json, ignoring: ignored, extra: walk.has(.extra), order: walk.has(.order)), at: 0)
    }
    if !terms.isEmpty {
      guard let condition = try checked(bytes, start, terms, "\"body\"") else { return [] }
      rules.insert(.text(condition), at: 0)
    }
    if rules.isEmpty { try report(bytes, start, "\"body\" has no condition: write \"ignore\" if it plays no part") }
    return rules
  }

  /// A rule, or a list of them that all have to be met, in another rule.
  mutating func readNestedBody(_ bytes: Span<UInt8>) throws(CassetteError) -> [BodyRule] {
    guard isAt(UInt8(ascii: "["), bytes) else { return try readNestedRule(bytes).map { [$0] } ?? [] }
    return try readBodies(bytes, "\"body\"")
  }

  private mutating func readBodies(_ bytes: Span<UInt8>, _ what: String) throws(CassetteError) -> [BodyRule] {
    let start = at
    var rules: [BodyRule] = []
    guard var list = try openList(bytes, what) else { return rules }
    while try nextElement(bytes, &list) {
      if let rule = try readNestedRule(bytes) { rules.append(rule) }
    }
    if rules.isEmpty { try report(bytes, start, "\(what) has no condition") }
    return rules
  }

  /// A rule in another one, where nothing was recorded to compare with.
  private mutating func readNestedRule(_ bytes: Span<UInt8>) throws(CassetteError) -> BodyRule? {
    guard try enter(bytes) else { return nil }
    defer { nesting -= 1 }
    let start = at
    var tolerance = JSONTolerance()
    let rules = try readBodyRule(bytes, &tolerance)
    if tolerance != JSONTolerance() {
      try report(bytes, start, "\"ignore\", \"extra\" and \"order\" need a \"json\" here")
    }
    return rules.count == 1 ? rules[0] : rules.isEmpty ? nil : .and(rules)
  }

  private mutating func readIgnore(_ bytes: Span<UInt8>, _ what: String) throws(CassetteError) -> Bool {
    let start = at
    guard let word = try readText(bytes, what) else { return false }
    if word == "ignore" { return true }
    try report(bytes, start, "\(what) must be \"ignore\", or left out")
    return false
  }

  private mutating func readPlaces(_ bytes: Span<UInt8>) throws(CassetteError) -> [JSONQuery] {
    var places: [JSONQuery] = []
    guard var list = try openList(bytes, "\"ignore\"") else { return places }
    while try nextElement(bytes, &list) {
      let start = at
      guard let text = try readText(bytes, "\"ignore\"") else { continue }
      if let place = try path(text, bytes, start) { places.append(place) }
    }
    return places
  }
}
