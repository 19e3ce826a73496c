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
  private var conditions = ConditionIndex()
  private(set) var methods: Set<HTTPMethod> = []

  var isEmpty: Bool { all.isEmpty }

  /// True if some rule looks at a target as it is spelled.
  var concernsSpelling: Bool { !conditions.isEmpty || hasURLs }
  private var hasURLs = false

  mutating func append(entry: Int, _ interaction: Interaction, _ match: MatchRules) {
    let number = all.count
    all.append(Ruled(entry: entry, interaction: interaction, match: match))
    switch match.methods {
    case .any, .except, nil: methods.insert(interaction.method)
    case .listed(let methods): self.methods.formUnion(methods)
    }
    if case .all(let terms)? = match.url, terms.count == 1, case .equals(let text) = terms[0] {
      hasURLs = true
      return append(number, at: String(text.prefix { $0 != "?" }))
    }
    guard match.url == nil else { return conditions.insert(match.url, recording: number) }
    switch match.path {
    case nil: append(number, at: String(interaction.pathAndQuery.prefix { $0 != "?" }))
    case .literal(let text): append(number, at: text)
    case .template(let template): templates.insert(template, recording: number)
    case .condition(let condition): conditions.insert(condition, recording: number)
    }
  }

  private mutating func append(_ number: Int, at path: String) {
    byPath[CanonicalTarget.spelling(of: path), default: []].append(number)
  }

  /// Returns the recordings that may be for a target.
  private func candidates(for target: RequestReading.Target) -> some Sequence<Ruled> {
    let path = target.canonicalPath
    return ((byPath[path] ?? []) + templates.recordings(for: path) + conditions.recordings(for: target.whole)).lazy
      .map { all[$0] }
  }

  /// The entries whose rules may be for a request, in recorded order.
  func entries(for reading: RequestReading, method: HTTPMethod) -> [Int] {
    guard !isEmpty else { return [] }
    return candidates(for: reading.target)
      .filter { $0.match.accepts(method: method, recorded: $0.interaction.method) }.map(\.entry).sorted()
  }

  /// Returns the entries whose rules may accept a target, for any method.
  func entries(for target: String) -> [Int] {
    isEmpty ? [] : candidates(for: RequestReading.Target(target)).map(\.entry)
  }

  /// Tells whether something answers a method and a target, whatever else is asked.
  func accepts(method: HTTPMethod, target: String, where mayAnswer: (Int) -> Bool) -> Bool {
    guard !isEmpty, let asked = HTTPTarget(target) else { return false }
    let reading = RequestReading(HTTPRequest(method: method, target: asked))
    return candidates(for: reading.target).contains { ruled in
      mayAnswer(ruled.entry) && ruled.match.accepts(method: method, recorded: ruled.interaction.method)
        && ruled.match.accepts(target: reading, of: ruled.interaction)
    }
  }

  /// Tells whether some rule may answer a method and a target as it is spelled, in place of what was recorded for it.
  func mayAnswer(method: HTTPMethod, target: String) -> Bool {
    guard let asked = HTTPTarget(target) else { return true }
    let candidates = candidates(for: RequestReading.Target(target))
    var tried = 0
    let reading = RequestReading(HTTPRequest(method: method, target: asked))
    return candidates.contains { ruled in
      tried += 1
      guard !ruled.match.isBehindRecorded,
        ruled.match.accepts(method: method, recorded: ruled.interaction.method)
      else { return false }
      // Many patterns for many recordings are not worth the time: their answers are looked for each time.
      return tried > Self.mostPatterns || ruled.match.mayAccept(target: reading, of: ruled.interaction)
    }
  }

  private static let mostPatterns = 100
}

extension MatchRules {
  /// True if a recording without rules comes first wherever both may answer, as ``Matcher/Preference`` compares them.
  fileprivate var isBehindRecorded: Bool {
    priority < 0 || priority == 0 && (pathRank < .max || queryRank < .max)
  }
}
