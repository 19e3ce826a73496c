internal import CassetteHTTP
internal import CassetteMatching
internal import Cassettes

/// The recordings that answer by rules, beside the index that finds all others by their bytes.
struct RuleIndex: Sendable {
  private struct Ruled {
    let entry: Int
    let interaction: Interaction
    let match: MatchRules
  }

  private var all: [Ruled] = []
  /// The numbers of those of one path, under its canonical spelling.
  private var byPath: [String: [Int]] = [:]
  private var templates = TemplateTree()
  /// The recordings that have to be tried on every path.
  private var others: [Int] = []
  private(set) var methods: Set<HTTPMethod> = []
  /// The cost of trying the recordings of one path, and of all others.
  private var costs: [String: RuleCost] = [:]
  private var cost = RuleCost()

  var isEmpty: Bool { all.isEmpty }

  mutating func append(entry: Int, _ interaction: Interaction, _ match: MatchRules) {
    let number = all.count
    all.append(Ruled(entry: entry, interaction: interaction, match: match))
    switch match.methods {
    case .any, .except, nil: methods.insert(interaction.method)
    case .listed(let methods): self.methods.formUnion(methods)
    }
    if case .all(let terms)? = match.url, terms.count == 1, case .equals(let text) = terms[0] {
      return append(number, at: String(text.prefix { $0 != "?" }))
    }
    guard match.url == nil else { return appendToOthers(number) }
    switch match.path {
    case nil: append(number, at: String(interaction.pathAndQuery.prefix { $0 != "?" }))
    case .literal(let text): append(number, at: text)
    case .template(let template): templates.insert(template, recording: number, match)
    case .condition: appendToOthers(number)
    }
  }

  private mutating func append(_ number: Int, at path: String) {
    let path = CanonicalTarget.spelling(of: path)
    byPath[path, default: []].append(number)
    costs[path, default: RuleCost()].add(all[number].match)
  }

  private mutating func appendToOthers(_ number: Int) {
    others.append(number)
    cost.add(all[number].match)
  }

  /// Returns the recordings that may be for a path in its canonical spelling.
  private func candidates(for path: String) -> some Sequence<Ruled> {
    ((byPath[path] ?? []) + templates.recordings(for: path) + others).lazy.map { all[$0] }
  }

  /// The entries whose rules may be for a request, in recorded order.
  func entries(for reading: RequestReading, method: HTTPMethod) -> [Int] {
    guard !isEmpty else { return [] }
    return candidates(for: reading.target.canonicalPath)
      .filter { $0.match.accepts(method: method, recorded: $0.interaction.method) }.map(\.entry).sorted()
  }

  /// The most that it takes to try the rules that may be for a target.
  func steps(target: String, bodyLength length: Int) -> Int {
    guard !isEmpty else { return 0 }
    let path = RequestReading.Target(target).canonicalPath
    let size = target.utf8.count
    return cost.steps(target: size, body: length) + (costs[path]?.steps(target: size, body: length) ?? 0)
      + templates.steps(for: path, target: size, body: length)
  }

  /// Tells whether something answers a method and a target, whatever else is asked.
  func accepts(method: HTTPMethod, target: String, where mayAnswer: (Int) -> Bool) -> Bool {
    guard !isEmpty, let asked = HTTPTarget(target) else { return false }
    let reading = RequestReading(HTTPRequest(method: method, target: asked))
    return candidates(for: reading.target.canonicalPath).contains { ruled in
      mayAnswer(ruled.entry) && ruled.match.accepts(method: method, recorded: ruled.interaction.method)
        && ruled.match.accepts(target: reading, of: ruled.interaction)
    }
  }

  /// Tells whether some rule may be for what stands under a key of the index: `GET /a?b=1`.
  func mayAnswer(_ key: ArraySlice<UInt8>) -> Bool {
    let text = String(decoding: key, as: UTF8.self)
    let method = HTTPMethod(String(text.prefix { $0 != " " }))
    let path = String(text.dropFirst(method.rawValue.utf8.count + 1).prefix { $0 != "?" })
    // Many patterns for many recordings are not worth the time: their answers are looked for each time.
    if others.count > Self.mostPatterns { return true }
    return candidates(for: path).contains { ruled in
      ruled.match.accepts(method: method, recorded: ruled.interaction.method) && ruled.match.mayAccept(path: path)
    }
  }

  private static let mostPatterns = 100
}

extension MatchRules {
  /// Tells whether a path could be one it answers; only a pattern of the whole URL cannot be told from it.
  fileprivate func mayAccept(path text: String) -> Bool {
    guard url == nil, case .condition(let condition) = path else { return true }
    return condition.mayBeMet(by: text)
  }
}
