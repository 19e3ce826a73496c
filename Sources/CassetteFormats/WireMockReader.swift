import Cassettes
import HTTP

/// WireMock's stub mappings, with bodies in `__files`.
enum WireMockReader {
  /// The folder that holds `mappings` and `__files`, of a file below `mappings`.
  static func root(of path: String) -> String? {
    var folder = Folder.resolvedKind(of: path) == .folder ? path : Folder.parent(of: path)
    if Folder.resolvedKind(of: Folder.join(folder, "mappings")) == .folder { return folder }
    while folder.contains("/") || folder == "mappings" {
      let parent = Folder.parent(of: folder)
      if folder == "mappings" || folder.hasSuffix("/mappings") { return parent }
      if parent == folder { return nil }
      folder = parent
    }
    return nil
  }

  /// The mappings' files below a folder, or below `mappings` in it.
  static func mappings(in folder: String) -> [String] {
    var trimmed = folder
    while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
    let inner = Folder.join(trimmed, "mappings")
    let isInner = Folder.resolvedKind(of: inner) == .folder
    guard isInner || trimmed == "mappings" || trimmed.hasSuffix("/mappings") else { return [] }
    let start = isInner ? inner : trimmed
    return Folder.files(in: start).files.filter { $0.hasSuffix(".json") }.map { Folder.join(start, $0) }
  }

  /// One mapping, before it is known which of several of one request answers.
  struct Stub {
    var mapping: JSONValue
    var place: SourcePlace
    var item: String
    var order: Int?
  }

  /// Reads all mappings, and brings them in the order in which they answer.
  static func each(
    _ source: ImportSource, _ result: inout ImportSource.Result,
    _ use: (Interaction, SourcePlace) throws(CassetteError) -> Void
  ) throws(CassetteError) {
    var stubs: [Stub] = []
    for path in source.paths {
      let feed = try JSONFeed(path: path)
      guard let whole = try feed.value() else { continue }
      try feed.finish()
      let list = whole["mappings"]?.elements ?? [whole]
      for (index, mapping) in list.enumerated() {
        let name = mapping["name"]?.string.map { " \"\($0.prefix(60))\"" } ?? ""
        stubs.append(
          Stub(
            mapping: mapping, place: SourcePlace(file: path, line: 1, column: 1), item: "mapping \(index)\(name)",
            order: mapping["insertionIndex"]?.integer))
      }
    }
    result.count += stubs.count
    var made: [(stub: Stub, interaction: Interaction)] = []
    for stub in WireMockOrder.sorted(stubs) {
      do {
        made.append((stub, try WireMockMapping(stub).interaction(&result.notes)))
      } catch {
        if error.refusesFile {
          throw CassetteError(
            file: stub.place.file, line: 1, column: 1, message: "\(stub.item): \(error.reason)")
        }
        result.skipped.append(.init(line: 1, item: stub.item, reason: error.reason))
      }
    }
    let hidden = WireMockOrder.hidden(made)
    for (index, (stub, interaction)) in made.enumerated() {
      if let winner = hidden[index] {
        result.skipped.append(.init(line: 1, item: stub.item, reason: "it never answers: \(winner) comes first"))
      } else {
        try use(interaction, stub.place)
      }
    }
  }
}

/// Which of several mappings answers, and when.
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
  static func hidden(_ made: [(stub: WireMockReader.Stub, interaction: Interaction)]) -> [Int: String] {
    var winners: [String: Int] = [:]
    var hidden: [Int: String] = [:]
    for (index, (stub, interaction)) in made.enumerated() where stub.mapping["scenarioName"] == nil {
      let fields = interaction.requestHeaders.description
      let body = (try? interaction.requestBody?.bytes()).map { String(decoding: $0, as: UTF8.self) } ?? ""
      let key = "\(interaction.method) \(interaction.url)\n\(fields)\n\n\(body)"
      guard let other = winners[key] else {
        winners[key] = index
        continue
      }
      // The lower number comes first, and of two equal ones the mapping added last.
      let (mine, theirs) = (priority(stub), priority(made[other].stub))
      let (loser, winner) = mine <= theirs ? (other, index) : (index, other)
      winners[key] = winner
      hidden[loser] = made[winner].stub.item
    }
    return hidden
  }

  private static func priority(_ stub: WireMockReader.Stub) -> Int { stub.mapping["priority"]?.integer ?? 5 }
}
