import CassetteEngines
import CassetteJSON
import CassettePatterns
internal import CassetteSystem
import Cassettes

/// Translates WireMock's operators on a value to conditions of a cassette.
enum WireMockCondition {
  /// Translates an object of operators.
  ///
  /// Throws an error for an operator without an equivalent, because the mapping would match too many requests without
  /// it.
  static func condition(_ pattern: SourceValue, _ what: String) throws(Unusable) -> Condition {
    .all(try terms(pattern, what))
  }

  private static func terms(_ pattern: SourceValue, _ what: String) throws(Unusable) -> [Condition.Term] {
    var terms: [Condition.Term] = []
    let ignoresCase = pattern["caseInsensitive"]?.isTrue ?? false
    for member in pattern.members where !member.value.isNull {
      switch member.name {
      case "equalTo":
        let text = member.value.scalar ?? ""
        terms.append(ignoresCase ? .equalsIgnoringCase(text) : .equals(text))
      case "contains": terms.append(.contains(member.value.scalar ?? ""))
      case "doesNotContain": terms.append(.doesNotContain(member.value.scalar ?? ""))
      case "matches": terms.append(.matches(try regex(member.value.scalar ?? "", what)))
      case "doesNotMatch": terms.append(.doesNotMatch(try regex(member.value.scalar ?? "", what)))
      case "absent": terms.append(.absent(member.value.isTrue))
      case "and": for part in member.value.elements { terms += try self.terms(part, what) }
      case "or": terms.append(.or(try conditions(member.value, what)))
      case "not":
        terms.append(.not(try condition(member.value, what)))
        // In WireMock, a missing value matches no operator but `absent`.
        if member.value["absent"] == nil { terms.append(.absent(false)) }
      case "includes": terms.append(.includes(try conditions(member.value, what)))
      case "hasExactly": terms.append(.hasExactly(try conditions(member.value, what)))
      case "before", "after": terms.append(try time(member, pattern, what))
      case "equalToNumber", "greaterThanNumber", "greaterThanEqualNumber", "lessThanNumber", "lessThanEqualNumber":
        terms += try number(member, what)
      case "anything":
        member.value.use()
        terms.append(.or([.all([.absent(true)]), .all([.absent(false)])]))
      // These modify other operators, and are read with them.
      case "caseInsensitive", "expression": break
      default: throw Unusable("\(what): \(member.name.prefix(40)) is not supported")
      }
    }
    guard !terms.isEmpty else { throw Unusable("\(what) has no condition") }
    return terms
  }

  private static func number(
    _ member: (name: String, value: SourceValue), _ what: String
  ) throws(Unusable) -> [Condition.Term] {
    let relations: [String: [NumberBound.Side]] = [
      "equalToNumber": [.atLeast, .atMost], "greaterThanNumber": [.above], "greaterThanEqualNumber": [.atLeast],
      "lessThanNumber": [.below], "lessThanEqualNumber": [.atMost],
    ]
    let bounds = (relations[member.name] ?? []).compactMap { NumberBound($0, member.value.scalar ?? "") }
    guard !bounds.isEmpty else { throw Unusable("\(what): \(member.name.prefix(40)) is not a number") }
    return bounds.map { .number($0) }
  }

  private static func conditions(_ list: SourceValue, _ what: String) throws(Unusable) -> [Condition] {
    var conditions: [Condition] = []
    for part in list.elements { conditions.append(try condition(part, what)) }
    return conditions
  }

  /// Compiles a Java pattern.
  ///
  /// As in WireMock, a dot matches line breaks, except in request targets.
  static func regex(_ text: String, _ what: String, ofTarget isTarget: Bool = false) throws(Unusable) -> TextPattern {
    do throws(TextPattern.Problem) {
      if isTarget || !text.contains(".") || text.hasPrefix("(?s)") { return try TextPattern(text) }
      return try TextPattern("(?s)\(text)")
    } catch {
      throw Unusable("\(what): error in the pattern \(text.prefix(80)) at character \(error.column): \(error.message)")
    }
  }

  /// Translates a fixed time; times relative to the current time are not supported.
  private static func time(
    _ member: (name: String, value: SourceValue), _ pattern: SourceValue, _ what: String
  ) throws(Unusable) -> Condition.Term {
    let isPlain = ["truncateExpected", "truncateActual", "actualFormat", "expectedOffset"].allSatisfy {
      pattern[$0] == nil
    }
    guard isPlain, let text = member.value.string,
      let bound = TimeBound(member.name == "before" ? .before : .after, text)
    else {
      throw Unusable("\(what): \(member.name) \(member.value.scalar?.prefix(40) ?? "") is not supported")
    }
    return .time(bound)
  }

  static func body(_ pattern: SourceValue) throws(Unusable) -> BodyRule {
    if let json = pattern["equalToJson"] {
      let text = json.isString ? json.stringBytes : json.compact
      guard let value = JSONValue(text) else { throw Unusable("bodyPatterns: equalToJson is not JSON") }
      let ignoresOrder = pattern["ignoreArrayOrder"]?.isTrue ?? false
      var placeholders = JSONUnitPlaceholders()
      var placed: JSONSchema?
      do throws(JSONSchema.Problem) {
        let schema = try placeholders.schema(of: value)
        if placeholders.asksMore { placed = try JSONSchema(schema) }
      } catch {
        throw Unusable("bodyPatterns: equalToJson with ${json-unit…}: \(error.message)")
      }
      if !placeholders.paths.isEmpty, ignoresOrder, placeholders.isInArray {
        throw Unusable("bodyPatterns: equalToJson with ${json-unit…} in an array with ignored order is not supported")
      }
      let rule = BodyRule.json(
        value.compact, ignoring: placeholders.paths, extra: pattern["ignoreExtraElements"]?.isTrue ?? false,
        order: ignoresOrder)
      return placed.map { .and([rule, .schema(BodySchema($0))]) } ?? rule
    }
    if let base64 = pattern["binaryEqualTo"] {
      guard let bytes = BodyBase64.decode(lines: base64.stringBytes) else {
        throw Unusable("bodyPatterns: the base64 of binaryEqualTo is invalid")
      }
      return .base64(bytes)
    }
    if let path = pattern["matchesJsonPath"] {
      let expression = path.isObject ? path["expression"]?.string : path.string
      guard let expression, let query = WireMockPath.query(expression) else {
        throw Unusable("bodyPatterns: matchesJsonPath \(expression?.prefix(80) ?? "") is not supported")
      }
      guard path.isObject else { return .values([.init(query, .all([.absent(false)]))]) }
      return .values([.init(query, try condition(path, "bodyPatterns: matchesJsonPath"))])
    }
    if let schema = pattern["matchesJsonSchema"] { return try self.schema(schema, pattern) }
    for name in ["and", "or"] {
      guard let list = pattern[name] else { continue }
      var rules: [BodyRule] = []
      for part in list.elements { rules.append(try body(part)) }
      return name == "and" ? .and(rules) : .or(rules)
    }
    if let inner = pattern["not"] { return .not(try body(inner)) }
    return .text(try condition(pattern, "bodyPatterns"))
  }

  private static func schema(_ value: SourceValue, _ pattern: SourceValue) throws(Unusable) -> BodyRule {
    let version = pattern["schemaVersion"]?.string ?? "V202012"
    guard let draft = ["V202012": JSONSchema.Draft.draft2020, "V7": .draft7][version] else {
      throw Unusable(
        "bodyPatterns: matchesJsonSchema of \(version.prefix(20)) is not supported; use draft 2020-12 or draft-07")
    }
    do throws(JSONSchema.Problem) {
      let text = value.isString ? value.stringBytes : value.compact
      let schema = try JSONSchema(text, draft: draft)
      // A schema in a cassette names its draft unless it is the default one.
      return .schema(BodySchema(draft == .draft2020 ? schema : try JSONSchema(Self.saying(draft, text), draft: draft)))
    } catch {
      throw Unusable("bodyPatterns: matchesJsonSchema at \(error.pointer): \(error.message)")
    }
  }

  /// Adds `$schema` to a schema.
  private static func saying(_ draft: JSONSchema.Draft, _ text: [UInt8]) -> [UInt8] {
    guard let value = JSONValue(text), value.isObject, value["$schema"] == nil else { return text }
    let members = value.compact.dropFirst()
    let comma = members.first == UInt8(ascii: "}") ? "" : ","
    return Array("{\"$schema\":\"\(draft.rawValue)#\"\(comma)".utf8) + members
  }
}

/// Translates `host` and `port` of a stub mapping to a condition on the `Host` field.
enum WireMockHost {
  /// Returns the condition, or nil if the mapping has neither `host` nor `port`.
  static func condition(host: SourceValue?, port: String?, scheme: String?) throws(Unusable) -> Condition? {
    var terms: [Condition.Term] = []
    if let host, case .all(let asked) = try WireMockCondition.condition(host, "request.host") {
      for term in asked { terms.append(try self.term(term)) }
    }
    if let port {
      // Clients omit the default port of a scheme.
      let mayBeMissing = port == (scheme == "https" ? "443" : "80")
      let end = mayBeMissing ? "(?::\(TextPattern.escaped(port)))?" : ":\(TextPattern.escaped(port))"
      terms.append(.matches(try pattern("(?:\\[.*\\]|[^:]*)", end)))
    }
    return terms.isEmpty ? nil : .all(terms)
  }

  private static func term(_ term: Condition.Term) throws(Unusable) -> Condition.Term {
    switch term {
    case .equals(let name), .equalsIgnoringCase(let name): .matches(try pattern("(?i)\(TextPattern.escaped(name))"))
    case .contains(let text): .matches(try pattern("(?i)[^:]*\(TextPattern.escaped(text))[^:]*"))
    case .doesNotContain(let text): .doesNotMatch(try pattern("(?i)[^:]*\(TextPattern.escaped(text))[^:]*"))
    case .matches(let name): .matches(try pattern("(?:\(name.source))"))
    case .doesNotMatch(let name): .doesNotMatch(try pattern("(?:\(name.source))"))
    case .not(let condition): .not(try all(condition))
    case .or(let conditions):
      .or(try conditions.map { (condition) throws(Unusable) in try all(condition) })
    case .absent: term
    case .oneOf, .number, .time, .and, .includes, .hasExactly:
      throw Unusable("request.host: \(Condition.all([term]).words.prefix(60)) is not supported")
    }
  }

  private static func all(_ condition: Condition) throws(Unusable) -> Condition {
    guard case .all(let terms) = condition else { return condition }
    return .all(try terms.map { (term) throws(Unusable) in try self.term(term) })
  }

  private static func pattern(_ name: String, _ port: String = "(?::[0-9]+)?") throws(Unusable) -> TextPattern {
    try WireMockCondition.regex("\(name)\(port)", "request.host", ofTarget: true)
  }
}

/// Translates WireMock's JSON paths, in the dialect of Jayway, to RFC 9535.
enum WireMockPath {
  /// Returns the equivalent path, or nil if no path is equivalent.
  static func query(_ text: String) -> JSONQuery? {
    let text = withNamesInBrackets(text)
    if let whole = withObjectsFiltered(text), let query = try? JSONQuery(whole) { return query }
    return try? JSONQuery(text)
  }

  /// Returns true if Jayway may find more values.
  ///
  /// Jayway also applies a filter to the object itself, which the translation supports only at the end of a path.
  static func isApproximate(_ text: String, isCompared: Bool) -> Bool {
    guard text.contains("[?") else { return false }
    return isCompared || withObjectsFiltered(withNamesInBrackets(text)) == nil
  }

  /// Returns true if a path leads to at most one value: it has only names, and names or indices in brackets.
  private static func isSingular(_ path: Substring) -> Bool {
    guard !path.contains("*"), !path.contains("..") else { return false }
    return path.split(separator: "[").dropFirst().allSatisfy { rest in
      guard let first = rest.first else { return false }
      return first == "'" || first == "\"" || rest.prefix { $0 != "]" }.allSatisfy(\.isNumber)
    }
  }

  /// Puts names with hyphens in brackets, because Jayway takes `$.x-id` for `$['x-id']`.
  private static func withNamesInBrackets(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    var quote: Character?
    while let character = rest.popFirst() {
      if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
      }
      let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
      guard quote == nil, character == ".", name.contains("-"), name.first?.isNumber == false else {
        result.append(character)
        continue
      }
      // After two dots, the brackets must follow both.
      result += (result.hasSuffix(".") ? "." : "") + "['\(name)']"
      rest = rest.dropFirst(name.count)
    }
    return result
  }

  /// Extends a filter at the end of a path to the object itself.
  ///
  /// Jayway applies a filter to an object, RFC 9535 to its members; the returned path does both.
  private static func withObjectsFiltered(_ text: String) -> String? {
    guard let start = text.firstRange(of: "[?"), text.hasSuffix("]") else { return nil }
    let (path, filter) = (text[..<start.lowerBound], text[start.upperBound...].dropLast())
    guard isSingular(path), !filter.contains("$"), !filter.contains("[?") else { return nil }
    var quote: Character?
    var onObject = ""
    for character in filter {
      if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
      }
      if quote == nil, character == "@" { onObject += path } else { onObject.append(character) }
    }
    return "\(path)[?(\(filter)) || (\(onObject))]"
  }
}
