import CassetteHTTP
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
      let (mine, theirs) = (stub.priority, made[other].stub.priority)
      let (loser, winner) = mine <= theirs ? (other, index) : (index, other)
      winners[key] = winner
      hidden[loser] = made[winner].stub
    }
    return hidden
  }

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

  // MARK: Priorities

  typealias Made = (stub: WireMockReader.Stub, interaction: Interaction)

  /// Assigns priorities in the order in which WireMock selects mappings.
  ///
  /// The lowest number comes first; of two mappings for the same request, the one added last comes first.
  static func ranked(_ made: [Made]) -> [Made] {
    var made = made
    var levels = [Int](repeating: 0, count: made.count)
    for index in made.indices {
      for other in made.indices[..<index]
      where made[other].stub.priority == made[index].stub.priority
        && mayMeet(made[other].interaction, made[index].interaction)
      {
        levels[index] = max(levels[index], levels[other] + 1)
      }
    }
    let step = (levels.max() ?? 0) + 1
    let ranks = ranks(of: made)
    for index in made.indices {
      let above = ranks[made[index].stub.priority] ?? 0
      let rank = above * step + levels[index]
      if rank != 0 { made[index].interaction.match.priority = rank }
    }
    return made
  }

  /// Returns the rank of each WireMock priority relative to the default priority 5.
  ///
  /// Very large numbers are compressed to their order.
  private static func ranks(of made: [Made]) -> [Int: Int] {
    let numbers = Set(made.map(\.stub.priority)).union([5]).sorted()
    let middle = numbers.firstIndex(of: 5) ?? 0
    let areNear = numbers.allSatisfy { (-1_000...1_000).contains($0) }
    return Dictionary(uniqueKeysWithValues: numbers.enumerated().map { ($1, areNear ? 5 - $1 : middle - $0) })
  }

  /// Returns false if two mappings never match the same request: their methods, literal paths or states differ.
  private static func mayMeet(_ one: Interaction, _ other: Interaction) -> Bool {
    if let first = methods(one), let second = methods(other), !first.contains(where: second.contains) { return false }
    if let first = path(one), let second = path(other), first != second { return false }
    return !one.replay.when.contains { state in
      other.replay.when.contains { $0.scenario == state.scenario && $0.state != state.state }
    }
  }

  /// Returns the methods that a mapping matches, or nil for any.
  private static func methods(_ interaction: Interaction) -> [HTTPMethod]? {
    switch interaction.match.methods {
    case .any, .except: nil
    case .listed(let methods): methods
    case nil: [interaction.method]
    }
  }

  /// Returns the path that a mapping matches, or nil if it is a pattern.
  private static func path(_ interaction: Interaction) -> Substring? {
    if let url = interaction.match.url {
      guard case .all(let terms) = url, case .equals(let text)? = terms.first else { return nil }
      return text.prefix { $0 != "?" }
    }
    return interaction.match.path == nil ? interaction.pathAndQuery.prefix { $0 != "?" } : nil
  }
}
