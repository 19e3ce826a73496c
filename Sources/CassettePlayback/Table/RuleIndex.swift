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

  /// Those of one path, under its canonical spelling.
  private var byPath: [String: [Ruled]] = [:]
  private var others: [Ruled] = []
  private(set) var methods: Set<HTTPMethod> = []
  /// What it takes to try those of one path, and all others.
  private var costs: [String: RuleCost] = [:]
  private var cost = RuleCost()

  var isEmpty: Bool { byPath.isEmpty && others.isEmpty }

  mutating func append(entry: Int, _ interaction: Interaction, _ match: MatchRules) {
    let ruled = Ruled(entry: entry, interaction: interaction, match: match)
    switch match.methods {
    case .any: methods.insert(interaction.method)
    case .listed(let methods): self.methods.formUnion(methods)
    case nil: methods.insert(interaction.method)
    }
    var path: String?
    if match.url == nil {
      switch match.path {
      case nil: path = String(interaction.pathAndQuery.prefix { $0 != "?" })
      case .literal(let text): path = text
      case .template, .condition: break
      }
    }
    if let path {
      byPath[CanonicalTarget.spelling(of: path), default: []].append(ruled)
      costs[CanonicalTarget.spelling(of: path), default: RuleCost()].add(ruled.match)
    } else {
      others.append(ruled)
      cost.add(ruled.match)
    }
  }

  /// The entries whose rules may be for a request, in recorded order.
  func entries(for reading: RequestReading, method: HTTPMethod) -> [Int] {
    guard !isEmpty else { return [] }
    let literal = byPath[reading.target.canonicalPath] ?? []
    return (literal + others).filter { $0.match.accepts(method: method, recorded: $0.interaction.method) }
      .map(\.entry).sorted()
  }

  /// The most that it takes to try the rules that may be for a target.
  func steps(target: String, bodyLength length: Int) -> Int {
    guard !isEmpty else { return 0 }
    let path = RequestReading.Target(target).canonicalPath
    let size = target.utf8.count
    return cost.steps(target: size, body: length) + (costs[path]?.steps(target: size, body: length) ?? 0)
  }

  /// Tells whether something answers a method and a target, whatever else is asked.
  func accepts(method: HTTPMethod, target: String, where mayAnswer: (Int) -> Bool) -> Bool {
    guard !isEmpty, let asked = HTTPTarget(target) else { return false }
    let reading = RequestReading(HTTPRequest(method: method, target: asked))
    return ((byPath[reading.target.canonicalPath] ?? []) + others).contains { ruled in
      mayAnswer(ruled.entry) && ruled.match.accepts(method: method, recorded: ruled.interaction.method)
        && ruled.match.accepts(target: reading, of: ruled.interaction)
    }
  }

  /// Tells whether some rule may be for what stands under a key of the index: `GET /a?b=1`.
  func mayAnswer(_ key: ArraySlice<UInt8>) -> Bool {
    let text = String(decoding: key, as: UTF8.self)
    let method = HTTPMethod(String(text.prefix { $0 != " " }))
    let path = text.dropFirst(method.rawValue.utf8.count + 1).prefix { $0 != "?" }
    // Many patterns for many recordings are not worth the time: their answers are looked for each time.
    if others.count > Self.mostPatterns { return true }
    return ((byPath[String(path)] ?? []) + others).contains { ruled in
      ruled.match.accepts(method: method, recorded: ruled.interaction.method)
        && ruled.match.mayAccept(path: String(path))
    }
  }

  private static let mostPatterns = 100
}

extension MatchRules {
  /// Tells whether a path could be one it answers; only a pattern of the whole URL cannot be told from it.
  fileprivate func mayAccept(path text: String) -> Bool {
    if url != nil { return true }
    return switch path {
    case nil, .literal: true
    case .template(let template): template.canonical.matches(text)
    case .condition(let condition): condition.mayBeMet(by: text)
    }
  }
}
