import CassetteHTTP
internal import CassetteJSON
import Cassettes

/// The order of mappings: which of several answers, and when.
enum WireMockOrder {
  /// As they were added, and those of a scenario as its states follow one another.
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

  /// From the state `Started` on.
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

  /// Of those with one request and no scenario, the ones that never answer, and what does in their place.
  static func hidden(_ made: [(stub: WireMockReader.Stub, interaction: Interaction)]) -> [Int: WireMockReader.Stub] {
    var winners: [Request: Int] = [:]
    var hidden: [Int: WireMockReader.Stub] = [:]
    for (index, (stub, interaction)) in made.enumerated() where stub.mapping["scenarioName"] == nil {
      let key = Request(interaction)
      guard let other = winners[key] else {
        winners[key] = index
        continue
      }
      // The lower number comes first, and of two equal ones the mapping added last.
      let (mine, theirs) = (priority(stub), priority(made[other].stub))
      let (loser, winner) = mine <= theirs ? (other, index) : (index, other)
      winners[key] = winner
      hidden[loser] = made[winner].stub
    }
    return hidden
  }

  private static func priority(_ stub: WireMockReader.Stub) -> Int { stub.mapping["priority"]?.integer ?? 5 }

  /// The request of a mapping; its example counts only where no rule replaces it.
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

  /// The mappings with the priorities that WireMock gives them.
  ///
  /// The lower number comes first, and of two equal ones that answer the same request the mapping added last. A scenario
  /// that is nothing but one request's answers, one after the other, needs no states: that is what recordings are.
  static func ranked(_ made: [Made]) -> [Made] {
    var made = made
    let chains = chains(made)
    for index in chains.keys {
      made[index].interaction.replay.when = []
      made[index].interaction.replay.then = []
    }
    var levels = [Int](repeating: 0, count: made.count)
    // All of a chain are as high as the highest.
    var levelOfChain: [Int: Int] = [:]
    var ends: [Int: Int] = [:]
    for (index, chain) in chains { ends[chain] = max(ends[chain] ?? 0, index) }
    for index in made.indices {
      var level = 0
      for other in made.indices where (chains[other].flatMap { ends[$0] } ?? other) < index {
        guard chains[other] == nil || chains[other] != chains[index],
          priority(made[other].stub) == priority(made[index].stub),
          WireMockOverlap.mayMeet(made[other].interaction, made[index].interaction)
        else { continue }
        level = max(level, (chains[other].flatMap { levelOfChain[$0] } ?? levels[other]) + 1)
      }
      levels[index] = level
      if let chain = chains[index] { levelOfChain[chain] = max(levelOfChain[chain] ?? 0, level) }
    }
    for (index, chain) in chains { levels[index] = levelOfChain[chain] ?? 0 }
    let step = (levels.max() ?? 0) + 1
    let ranks = ranks(of: made)
    for index in made.indices {
      let above = ranks[priority(made[index].stub)] ?? 0
      let rank = above * step + levels[index]
      if rank != 0 { made[index].interaction.match.priority = rank }
    }
    return made
  }

  /// Ranks each number above a mapping without one; of far numbers only their order counts.
  private static func ranks(of made: [Made]) -> [Int: Int] {
    let numbers = Set(made.map { priority($0.stub) }).union([5]).sorted()
    let middle = numbers.firstIndex(of: 5) ?? 0
    let areNear = numbers.allSatisfy { (-1_000...1_000).contains($0) }
    return Dictionary(uniqueKeysWithValues: numbers.enumerated().map { ($1, areNear ? 5 - $1 : middle - $0) })
  }

  /// For each mapping of a scenario that is one request's answers in a row, the number of its scenario.
  private static func chains(_ made: [Made]) -> [Int: Int] {
    var scenarios: [String: [Int]] = [:]
    for index in made.indices {
      if let name = made[index].stub.mapping["scenarioName"]?.string { scenarios[name, default: []].append(index) }
    }
    var chains: [Int: Int] = [:]
    for (number, members) in scenarios.values.enumerated() {
      let requests = Set(members.map { Request(made[$0].interaction) })
      guard requests.count == 1, Set(members.map { priority(made[$0].stub) }).count == 1 else { continue }
      var state: String? = ReplayRules.State.start
      var isChain = true
      for (turn, member) in members.enumerated() {
        let mapping = made[member].stub.mapping
        let next = mapping["newScenarioState"]?.string
        let isLast = turn == members.count - 1
        isChain = isChain && mapping["requiredScenarioState"]?.string == state && (isLast ? next == nil : next != nil)
        state = next
      }
      if isChain { for member in members { chains[member] = number } }
    }
    return chains
  }
}
