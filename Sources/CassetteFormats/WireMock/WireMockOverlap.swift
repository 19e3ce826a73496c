import CassetteHTTP
import CassetteJSON
import CassetteMatching
import CassettePatterns
import Cassettes

/// Determines whether two mappings may match the same request.
///
/// The result is conservative: true in case of doubt.
enum WireMockOverlap {
  static func mayMeet(_ one: Interaction, _ other: Interaction) -> Bool {
    let (first, second) = (one.match, other.match)
    return methods(one, other) && targets(one, other) && conditions(first.headers, second.headers)
      && conditions(first.cookies, second.cookies) && bodies(first.body, second.body)
      && states(one.replay.when, other.replay.when)
  }

  private static func methods(_ one: Interaction, _ other: Interaction) -> Bool {
    func names(_ interaction: Interaction) -> [HTTPMethod]? {
      switch interaction.match.methods {
      case .any, .except: nil
      case .listed(let methods): methods
      case nil: [interaction.method]
      }
    }
    guard let first = names(one), let second = names(other) else { return true }
    return first.contains { second.contains($0) }
  }

  private static func targets(_ one: Interaction, _ other: Interaction) -> Bool {
    let (first, second) = (beginning(one), beginning(other))
    guard first.hasPrefix(second) || second.hasPrefix(first) else { return false }
    if one.match.url != nil || other.match.url != nil {
      // A pattern for the whole URL is tested with the URL of the other mapping if that has no pattern.
      let (ruled, plain) = one.match.url != nil ? (one, other) : (other, one)
      guard case .all(let terms)? = ruled.match.url, plain.match.url == nil, plain.match.path == nil,
        plain.match.query.isEmpty
      else { return true }
      return Condition.all(terms).isMet(by: [plain.pathAndQuery])
    }
    return paths(one, other) && conditions(one.match.query, other.match.query) && queries(one, other)
  }

  /// Returns the common prefix of all paths that an interaction matches.
  private static func beginning(_ interaction: Interaction) -> String {
    if let url = interaction.match.url { return beginning(url) }
    return switch interaction.match.path {
    case nil: String(interaction.pathAndQuery.prefix { $0 != "?" })
    case .literal(let text): text
    case .template(let template): String(template.text.prefix { $0 != "{" })
    case .condition(let condition): beginning(condition)
    }
  }

  private static func beginning(_ condition: Condition) -> String {
    guard case .all(let terms) = condition, case .matches(let pattern)? = terms.first, !pattern.source.contains("|")
    else { return "" }
    var text = pattern.source.prefix { !"\\.[](){}*+?^$".contains($0) }
    // A quantifier may make the last character optional, so it is not part of the prefix.
    if let next = pattern.source.dropFirst(text.count).first, "*?{".contains(next) { text = text.dropLast() }
    return String(text)
  }

  private static func paths(_ one: Interaction, _ other: Interaction) -> Bool {
    func path(_ interaction: Interaction) -> String { String(interaction.pathAndQuery.prefix { $0 != "?" }) }
    switch (one.match.path, other.match.path) {
    case (nil, nil): return path(one) == path(other)
    case (let rule?, nil): return meets(path(other), rule)
    case (nil, let rule?): return meets(path(one), rule)
    case (_?, _?): return true
    }
  }

  private static func meets(_ path: String, _ rule: MatchRules.Path) -> Bool {
    switch rule {
    case .literal(let text): text == path
    case .template(let template): template.matches(path)
    case .condition(let condition): condition.isMet(by: [path])
    }
  }

  /// Returns true if the queries are equal, or if one of them has rules.
  private static func queries(_ one: Interaction, _ other: Interaction) -> Bool {
    guard one.match.query.isEmpty, other.match.query.isEmpty else { return true }
    func query(_ interaction: Interaction) -> [String] {
      interaction.pathAndQuery.drop { $0 != "?" }.dropFirst().split(separator: "&").map(String.init).sorted()
    }
    return query(one) == query(other)
  }

  /// Returns true unless two conditions on the same name exclude each other.
  private static func conditions(_ one: NamedConditions, _ other: NamedConditions) -> Bool {
    !one.entries.contains { entry in
      other.entries.contains {
        $0.name.lowercased() == entry.name.lowercased() && excludes(entry.condition, $0.condition)
      }
    }
  }

  private static func excludes(_ one: Condition, _ other: Condition) -> Bool {
    guard case .all(let first) = one, case .all(let second) = other else { return false }
    for term in first {
      for otherTerm in second {
        switch (term, otherTerm) {
        case (.equals(let one), .equals(let other)): if one != other { return true }
        case (.equals(let text), .matches(let pattern)), (.matches(let pattern), .equals(let text)):
          if !pattern.matches(text) { return true }
        case (.absent(true), .absent(true)): break
        // Nested conditions may be met by a missing value.
        case (.absent(true), let term), (let term, .absent(true)): if term.conditions == nil { return true }
        default: break
        }
      }
    }
    return false
  }

  private static func bodies(_ one: [BodyRule], _ other: [BodyRule]) -> Bool {
    for first in one {
      for second in other {
        switch (first, second) {
        case (.json(let one, _, false, false), .json(let other, _, false, false)):
          if !JSONDifference.equal(one, other) { return false }
        case (.text(let one), .text(let other)): if excludes(one, other) { return false }
        case (.base64(let one), .base64(let other)): if one != other { return false }
        default: break
        }
      }
    }
    return true
  }

  private static func states(_ one: [ReplayRules.State], _ other: [ReplayRules.State]) -> Bool {
    !one.contains { state in other.contains { $0.scenario == state.scenario && $0.state != state.state } }
  }
}
