internal import CassetteHTTP
internal import CassetteMatching
internal import CassetteSystem
internal import Cassettes

/// An index of the recordings with rules for their target, which the index of plain targets does not contain.
struct RuleIndex: Sendable {
  private struct Ruled {
    let entry: Int
    let interaction: Interaction
    var match: MatchRules
  }

  private var all: [Ruled] = []
  /// The numbers of the recordings of one path, by its canonical spelling.
  private var byPath: [String: [Int]] = [:]
  private var templates = TemplateTree()
  private var conditions = ConditionIndex()
  private(set) var methods: Set<HTTPMethod> = []

  var isEmpty: Bool { all.isEmpty }

  /// True if a rule depends on the exact spelling of a target.
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

  /// Returns the recordings whose rules may match a target.
  private func candidates(for target: RequestReading.Target) -> some Sequence<Ruled> {
    let path = target.canonicalPath
    return ((byPath[path] ?? []) + templates.recordings(for: path) + conditions.recordings(for: target.whole)).lazy
      .map { all[$0] }
  }

  /// Returns the entries whose rules may match a request, in recorded order.
  func entries(for reading: RequestReading, method: HTTPMethod) -> [Int] {
    guard !isEmpty else { return [] }
    return candidates(for: reading.target)
      .filter { $0.match.accepts(method: method, recorded: $0.interaction.method) }.map(\.entry).sorted()
  }

  /// Returns the entries whose rules may accept a target, for any method.
  func entries(for target: String) -> [Int] {
    isEmpty ? [] : candidates(for: RequestReading.Target(target)).map(\.entry)
  }

  /// Returns true if any entry answers a method and a target, regardless of the rest of the request.
  func accepts(method: HTTPMethod, target: String, where mayAnswer: (Int) -> Bool) -> Bool {
    guard !isEmpty, let asked = HTTPTarget(target) else { return false }
    let reading = RequestReading(HTTPRequest(method: method, target: asked))
    return candidates(for: reading.target).contains { ruled in
      mayAnswer(ruled.entry) && ruled.match.accepts(method: method, recorded: ruled.interaction.method)
        && ruled.match.accepts(target: reading, of: ruled.interaction)
    }
  }

  /// Returns true if a rule may answer a method and a target in this spelling, in place of the recording for it.
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
      // Testing more patterns would slow down loading. The rule is assumed to answer, and is tested for each request.
      return tried > Self.mostPatterns || ruled.match.mayAccept(target: reading, of: ruled.interaction)
    }
  }

  private static let mostPatterns = 100
}

extension MatchRules {
  /// True if a recording without rules takes precedence over these rules, as ``Matcher/Preference`` orders them.
  fileprivate var isBehindRecorded: Bool {
    priority < 0 || priority == 0 && (pathRank < .max || queryRank < .max)
  }
}
