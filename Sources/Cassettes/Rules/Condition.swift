internal import CassetteJSON
package import CassettePatterns
internal import CassetteSystem

/// A condition on a value of a request.
package enum Condition: Hashable, Sendable {
  /// The value is ignored.
  case ignore
  /// The value equals the recorded one, or is missing if it was not recorded.
  case recorded
  /// At least one of the values meets all of these terms.
  case all([Term])

  /// A single condition on a value.
  package indirect enum Term: Hashable, Sendable {
    case equals(String)
    case equalsIgnoringCase(String)
    case contains(String)
    case doesNotContain(String)
    case matches(TextPattern)
    case doesNotMatch(TextPattern)
    /// The value is missing if true, and present if false.
    case absent(Bool)
    /// The value is one of these strings.
    case oneOf([String])
    /// The value is a number that satisfies a bound.
    case number(NumberBound)
    /// The value is a time before or after another time.
    case time(TimeBound)
    case not(Condition)
    case and([Condition])
    case or([Condition])
    /// Each condition is met by at least one of the values.
    case includes([Condition])
    /// There are as many values as conditions, and each condition is met by one value.
    case hasExactly([Condition])
  }

  /// A description of the condition for a miss: `matches "\d+"`.
  package var words: String {
    guard case .all(let terms) = self else { return self == .recorded ? "as recorded" : "anything" }
    return terms.map(\.words).joined(separator: " and ")
  }
}

extension Condition.Term {
  /// The key of the term in a cassette.
  package var key: String {
    switch self {
    case .equals: "equals"
    case .equalsIgnoringCase: "equalsIgnoringCase"
    case .contains: "contains"
    case .doesNotContain: "doesNotContain"
    case .matches: "matches"
    case .doesNotMatch: "doesNotMatch"
    case .absent: "absent"
    case .oneOf: "oneOf"
    case .number(let bound): bound.side.rawValue
    case .time(let bound): bound.side.rawValue
    case .not: "not"
    case .and: "and"
    case .or: "or"
    case .includes: "includes"
    case .hasExactly: "hasExactly"
    }
  }

  /// The nested conditions; nil for terms without nested conditions.
  package var conditions: [Condition]? {
    switch self {
    case .not(let condition): [condition]
    case .and(let conditions), .or(let conditions), .includes(let conditions), .hasExactly(let conditions): conditions
    default: nil
    }
  }

  /// The strings of a `oneOf` term; nil for other terms.
  var texts: [String]? { if case .oneOf(let texts) = self { texts } else { nil } }

  /// True if the term concerns all values of a name together.
  package var concernsAll: Bool {
    switch self {
    case .includes, .hasExactly: true
    default: false
    }
  }

  /// The value of the key if it is a string; nil otherwise.
  package var text: String? {
    switch self {
    case .equals(let text), .equalsIgnoringCase(let text), .contains(let text), .doesNotContain(let text): text
    case .matches(let pattern), .doesNotMatch(let pattern): pattern.source
    case .time(let bound): bound.text
    case .absent, .oneOf, .number, .not, .and, .or, .includes, .hasExactly: nil
    }
  }

  fileprivate var words: String {
    switch self {
    case .equals(let text): "\"\(text)\""
    case .equalsIgnoringCase(let text): "\"\(text)\" in any case"
    case .contains(let text): "contains \"\(text)\""
    case .doesNotContain(let text): "does not contain \"\(text)\""
    case .matches(let pattern): "matches \"\(pattern.source)\""
    case .doesNotMatch(let pattern): "does not match \"\(pattern.source)\""
    case .absent(let isAbsent): isAbsent ? "none" : "any"
    case .oneOf(let texts): "one of \(texts.map { "\"\($0)\"" }.joined(separator: ", "))"
    case .number(let bound): "a number \(bound.side.words) \(bound.text)"
    case .time(let bound): "a time \(bound.side.rawValue) \(bound.text)"
    case .not(let condition): "not (\(condition.words))"
    case .and(let conditions): Self.words(conditions, " and ")
    case .or(let conditions): Self.words(conditions, " or ")
    case .includes(let conditions): "among others \(Self.words(conditions, " and "))"
    case .hasExactly(let conditions): "\(conditions.count) values: \(Self.words(conditions, " and "))"
    }
  }

  private static func words(_ conditions: [Condition], _ separator: String) -> String {
    conditions.map { "(\($0.words))" }.joined(separator: separator)
  }
}

/// A bound for exact comparison with numbers.
package struct NumberBound: Hashable, Sendable {
  /// The side of the bound on which a number must be.
  package enum Side: String, CaseIterable, Sendable {
    case atLeast, above, atMost, below

    var words: String {
      switch self {
      case .atLeast: "of at least"
      case .above: "above"
      case .atMost: "of at most"
      case .below: "below"
      }
    }
  }

  let side: Side
  /// The number as text.
  let text: String
  private let number: JSONNumber

  /// Creates a bound; returns nil if the text is not a JSON number.
  package init?(_ side: Side, _ text: String) {
    guard let number = Self.number(Array(text.utf8)) else { return nil }
    (self.side, self.text, self.number) = (side, text, number)
  }

  /// Returns true if a text is a number that satisfies the bound.
  package func holds(_ text: [UInt8]) -> Bool {
    guard let other = Self.number(text) else { return false }
    return switch side {
    case .atLeast: other >= number
    case .above: other > number
    case .atMost: other <= number
    case .below: other < number
    }
  }

  private static func number(_ text: [UInt8]) -> JSONNumber? {
    var end = 0
    do { try JSONScanner.skipValue(in: text.span, at: &end) } catch { return nil }
    return end == text.count ? JSONNumber(text[...]) : nil
  }
}

/// Names with a condition for each, in the order in which they are written.
package struct NamedConditions: Hashable, Sendable {
  /// A name and its condition.
  package struct Entry: Hashable, Sendable {
    package var name: String
    package var condition: Condition

    package init(_ name: String, _ condition: Condition) {
      self.name = name
      self.condition = condition
    }
  }

  package var entries: [Entry]

  package init(_ entries: [Entry] = []) { self.entries = entries }

  package var isEmpty: Bool { entries.isEmpty }

  /// Returns these conditions, and the common conditions for names that these do not contain.
  func over(_ common: NamedConditions, ignoringCase: Bool = false) -> NamedConditions {
    let known = Set(entries.map { ignoringCase ? $0.name.lowercased() : $0.name })
    return NamedConditions(
      entries + common.entries.filter { !known.contains(ignoringCase ? $0.name.lowercased() : $0.name) })
  }
}
