import CassetteHTTP
internal import CassetteJSON
import CassetteMatching
import CassettePatterns
import Cassettes

/// Determines the order of mappings, and which mappings are never used.
enum WireMockOrder {
  /// Sorts mappings by their insertion index, and those of a scenario by their states.
  static func sorted(_ stubs: [WireMockReader.Stub]) -> [WireMockReader.Stub] {
    var sorted = stubs.enumerated().sorted { first, second in
      let (one, other) = (first.element.order ?? .max, second.element.order ?? .max)
      return one == other ? first.offset < second.offset : one < other
    }.map(\.element)
    var scenarios: [String: [Int]] = [:]
    for (index, stub) in sorted.enumerated() {
      if let name = stub.mapping["scenarioName"]?.string { scenarios[name, default: []].append(index) }
    }
    for places in scenarios.values {
      let ordered = chain(places.map { sorted[$0] })
      for (place, stub) in zip(places, ordered) { sorted[place] = stub }
    }
    return sorted
  }

  /// Sorts the mappings of a scenario by following its states from `Started`.
  private static func chain(_ stubs: [WireMockReader.Stub]) -> [WireMockReader.Stub] {
    var rest = stubs
    var ordered: [WireMockReader.Stub] = []
    var states = ["Started"]
    var at = 0
    while at < states.count {
      let (now, later) = (
        rest.filter { $0.mapping["requiredScenarioState"]?.string == states[at] },
        rest.filter { $0.mapping["requiredScenarioState"]?.string != states[at] }
      )
      ordered += now
      for case let next? in now.map({ $0.mapping["newScenarioState"]?.string }) where !states.contains(next) {
        states.append(next)
      }
      rest = later
      at += 1
    }
    return ordered + rest
  }

  /// Returns the mappings that are never used because another mapping has the same request, with the mapping that is
  /// used.
  ///
  /// Mappings of scenarios are not considered.
  static func hidden(_ made: [(stub: WireMockReader.Stub, interaction: Interaction)]) -> [Int: WireMockReader.Stub] {
    var winners: [Request: Int] = [:]
    var hidden: [Int: WireMockReader.Stub] = [:]
    for (index, (stub, interaction)) in made.enumerated() where stub.mapping["scenarioName"] == nil {
      let key = Request(interaction)
      guard let other = winners[key] else {
        winners[key] = index
        continue
      }
      // The lower number has the higher priority; of two equal priorities, the mapping added last is used.
      let (mine, theirs) = (priority(stub), priority(made[other].stub))
      let (loser, winner) = mine <= theirs ? (other, index) : (index, other)
      winners[key] = winner
      hidden[loser] = made[winner].stub
    }
    return hidden
  }

  private static func priority(_ stub: WireMockReader.Stub) -> Int { stub.mapping["priority"]?.integer ?? 5 }

  /// The request of a mapping.
  ///
  /// The example URL counts only if no rule replaces it.
  private struct Request: Hashable {
    let method: HTTPMethod
    let url: String
    let match: MatchRules

    init(_ interaction: Interaction) {
      (method, match) = (interaction.method, interaction.match)
      let isRuled = match.url != nil || match.path != nil
      url = isRuled ? "" : interaction.url
    }
  }

  // MARK: Which one comes first

  typealias Made = (stub: WireMockReader.Stub, interaction: Interaction)

  /// Assigns priorities in the order in which WireMock selects mappings.
  ///
  /// The lowest number comes first; of two mappings for the same request, the one added last comes first.
  static func ranked(_ made: [Made]) -> [Made] {
    var made = made
    var levels = [Int](repeating: 0, count: made.count)
    for index in made.indices {
      for other in made.indices[..<index]
      where priority(made[other].stub) == priority(made[index].stub)
        && WireMockOverlap.mayMeet(made[other].interaction, made[index].interaction)
      {
        levels[index] = max(levels[index], levels[other] + 1)
      }
    }
    let step = (levels.max() ?? 0) + 1
    let ranks = ranks(of: made)
    for index in made.indices {
      let above = ranks[priority(made[index].stub)] ?? 0
      let rank = above * step + levels[index]
      if rank != 0 { made[index].interaction.match.priority = rank }
    }
    return made
  }

  /// Returns the rank of each WireMock priority relative to the default priority 5.
  ///
  /// Very large numbers are compressed to their order.
  private static func ranks(of made: [Made]) -> [Int: Int] {
    let numbers = Set(made.map { priority($0.stub) }).union([5]).sorted()
    let middle = numbers.firstIndex(of: 5) ?? 0
    let areNear = numbers.allSatisfy { (-1_000...1_000).contains($0) }
    return Dictionary(uniqueKeysWithValues: numbers.enumerated().map { ($1, areNear ? 5 - $1 : middle - $0) })
  }
}

/// Determines whether two mappings may match the same request.
///
/// The result is conservative: true in case of doubt.
enum WireMockOverlap {
  static func mayMeet(_ one: Interaction, _ other: Interaction) -> Bool {
    methods(one, other) && targets(one, other) && states(one.replay.when, other.replay.when)
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
    return paths(one, other)
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

  private static func states(_ one: [ReplayRules.State], _ other: [ReplayRules.State]) -> Bool {
    !one.contains { state in other.contains { $0.scenario == state.scenario && $0.state != state.state } }
  }
}
