package import CassettePatterns

/// What a value of a request must be.
package enum Condition: Hashable, Sendable {
  /// It plays no part.
  case ignore
  /// It is as it was recorded, there or not.
  case recorded
  /// One of the values there are has to meet all of these.
  case all([Term])

  /// One thing to be asked of a value.
  package enum Term: Hashable, Sendable {
    case equals(String)
    case equalsIgnoringCase(String)
    case contains(String)
    case doesNotContain(String)
    case matches(TextPattern)
    case doesNotMatch(TextPattern)
    /// Whether the value must not be there at all; false asks only that it is.
    case absent(Bool)
  }

  /// In words, as a miss says it: `matches "\d+"`.
  package var words: String {
    guard case .all(let terms) = self else { return self == .recorded ? "as recorded" : "anything" }
    return terms.map(\.words).joined(separator: " and ")
  }
}

extension Condition.Term {
  /// The key it has in a cassette.
  package var key: String {
    switch self {
    case .equals: "equals"
    case .equalsIgnoringCase: "equalsIgnoringCase"
    case .contains: "contains"
    case .doesNotContain: "doesNotContain"
    case .matches: "matches"
    case .doesNotMatch: "doesNotMatch"
    case .absent: "absent"
    }
  }

  /// What is written behind the key; nil where that is no text.
  package var text: String? {
    switch self {
    case .equals(let text), .equalsIgnoringCase(let text), .contains(let text), .doesNotContain(let text): text
    case .matches(let pattern), .doesNotMatch(let pattern): pattern.source
    case .absent: nil
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
    }
  }
}

/// A condition for each of several names, in the order they are written.
package struct NamedConditions: Hashable, Sendable {
  /// One name and its condition.
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

  /// These, and others for names that these do not speak of.
  func over(_ common: NamedConditions, ignoringCase: Bool = false) -> NamedConditions {
    let known = Set(entries.map { ignoringCase ? $0.name.lowercased() : $0.name })
    return NamedConditions(
      entries + common.entries.filter { !known.contains(ignoringCase ? $0.name.lowercased() : $0.name) })
  }
}
