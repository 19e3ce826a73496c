import CassetteJSON
import CassettePatterns
internal import CassetteSystem
import Cassettes

/// WireMock's operators on one value, as a cassette's conditions.
enum WireMockCondition {
  /// The condition an object of operators stands for.
  ///
  /// - Parameters:
  ///   - pattern: `{"equalTo": "a", "caseInsensitive": true}` or another.
  ///   - what: What it is about, for the message.
  /// - Returns: The condition.
  /// - Throws: The operator that no cassette can hold: the mapping would answer too much without it.
  static func condition(_ pattern: JSONValue, _ what: String) throws(Unusable) -> Condition {
    .all(try terms(pattern, what))
  }

  private static func terms(_ pattern: JSONValue, _ what: String) throws(Unusable) -> [Condition.Term] {
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
      case "or": terms.append(.matches(try alternatives(member.value.elements, what)))
      case "not": terms.append(try negated(try self.terms(member.value, what), what))
      // Said beside another, and read with it.
      case "caseInsensitive", "expression": break
      default: throw Unusable("\(what): \(member.name.prefix(40)) is none a cassette can hold")
      }
    }
    guard !terms.isEmpty else { throw Unusable("\(what) has no condition") }
    return terms
  }

  /// A pattern, or why there is none.
  static func regex(_ text: String, _ what: String) throws(Unusable) -> TextPattern {
    do throws(TextPattern.Problem) {
      return try TextPattern(text)
    } catch {
      throw Unusable("\(what): the pattern \(text.prefix(80)) at its character \(error.column): \(error.message)")
    }
  }

  private static func alternatives(_ parts: [JSONValue], _ what: String) throws(Unusable) -> TextPattern {
    var sources: [String] = []
    for part in parts {
      let terms = try terms(part, what)
      guard terms.count == 1 else { throw Unusable("\(what): or of several is none a cassette can hold") }
      switch terms[0] {
      case .equals(let text): sources.append(TextPattern.escaped(text))
      case .equalsIgnoringCase(let text): sources.append("(?i:\(TextPattern.escaped(text)))")
      case .contains(let text): sources.append("(?s:.*)\(TextPattern.escaped(text))(?s:.*)")
      case .matches(let pattern): sources.append("(?:\(pattern.source))")
      case .doesNotContain, .doesNotMatch, .absent:
        throw Unusable("\(what): or with \(terms[0].key) is none a cassette can hold")
      }
    }
    return try regex(sources.joined(separator: "|"), what)
  }

  private static func negated(_ terms: [Condition.Term], _ what: String) throws(Unusable) -> Condition.Term {
    guard terms.count == 1 else { throw Unusable("\(what): not of several is none a cassette can hold") }
    switch terms[0] {
    case .equals(let text): return .doesNotMatch(try regex(TextPattern.escaped(text), what))
    case .equalsIgnoringCase(let text): return .doesNotMatch(try regex("(?i)\(TextPattern.escaped(text))", what))
    case .contains(let text): return .doesNotContain(text)
    case .doesNotContain(let text): return .contains(text)
    case .matches(let pattern): return .doesNotMatch(pattern)
    case .doesNotMatch(let pattern): return .matches(pattern)
    case .absent(let isAbsent): return .absent(!isAbsent)
    }
  }

  /// What is asked of a body.
  static func body(_ pattern: JSONValue) throws(Unusable) -> BodyRule {
    if let json = pattern["equalToJson"] {
      let text = json.isString ? json.stringBytes : json.compact
      guard let value = JSONValue(text) else { throw Unusable("bodyPatterns: equalToJson is not JSON") }
      // JSON-unit's placeholders are a language of their own.
      guard !String(decoding: text, as: UTF8.self).contains("${json-unit.") else {
        throw Unusable("bodyPatterns: equalToJson with ${json-unit…} is none a cassette can hold")
      }
      return .json(
        value.compact, ignoring: [], extra: pattern["ignoreExtraElements"]?.isTrue ?? false,
        order: pattern["ignoreArrayOrder"]?.isTrue ?? false)
    }
    if let base64 = pattern["binaryEqualTo"] {
      guard let bytes = BodyBase64.decode(lines: base64.stringBytes) else {
        throw Unusable("bodyPatterns: the base64 of binaryEqualTo is broken")
      }
      return .base64(bytes)
    }
    if let path = pattern["matchesJsonPath"] {
      let expression = path.isObject ? path["expression"]?.string : path.string
      guard let expression, let query = try? JSONQuery(expression) else {
        throw Unusable("bodyPatterns: matchesJsonPath \(expression?.prefix(80) ?? "") is none a cassette can hold")
      }
      guard path.isObject else { return .values([.init(query, .all([.absent(false)]))]) }
      return .values([.init(query, try condition(path, "bodyPatterns: matchesJsonPath"))])
    }
    return .text(try condition(pattern, "bodyPatterns"))
  }
}
