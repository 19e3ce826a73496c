package import CassetteHTTP
package import CassetteJSON
internal import CassetteSystem

/// The rules that narrow or widen the requests an interaction answers: `match` in a cassette.
///
/// Parts of a request without a rule are compared with the recorded ones.
package struct MatchRules: Hashable, Sendable {
  /// The methods of the requests that are answered.
  package enum Methods: Hashable, Sendable {
    case any
    case listed([HTTPMethod])
    case except([HTTPMethod])
  }

  /// The paths of the requests that are answered.
  package enum Path: Hashable, Sendable {
    case literal(String)
    case template(PathTemplate)
    case condition(Condition)
  }

  /// A comment for people.
  package var note: String?
  /// The methods; nil for the recorded method.
  package var methods: Methods?
  /// The condition on path and query together, instead of separate rules.
  package var url: Condition?
  /// The path; nil for the recorded path.
  package var path: Path?
  package var query = NamedConditions()
  package var headers = NamedConditions()
  package var cookies = NamedConditions()
  /// The required credentials.
  package var authorization: AuthorizationRule?
  /// The rules for the body, all of which must be met.
  package var body: [BodyRule] = []
  /// True if the body is ignored.
  package var ignoresBody = false
  /// The allowed differences from the recorded body, if that is compared.
  package var tolerance = JSONTolerance()
  /// True if a recording answers requests to any origin.
  package var ignoresOrigin = false
  /// The priority; recordings with a greater priority are preferred.
  package var priority = 0

  package init() {}

  /// True if there are no rules.
  package var isEmpty: Bool { self == MatchRules() }

  /// True if the rules change the methods or targets that the recording answers.
  package var concernsTarget: Bool { methods != nil || url != nil || path != nil || !query.isEmpty }

  /// True if the rules for the body replace the comparison with the recorded body.
  package var decidesBody: Bool { ignoresBody || !body.isEmpty }

  /// Returns these rules, with the cassette's common rules for parts without a rule.
  package func over(_ common: MatchRules) -> MatchRules {
    if common.isEmpty { return self }
    if isEmpty { return common }
    var both = self
    both.methods = methods ?? common.methods
    if url == nil, path == nil, query.isEmpty { both.url = common.url }
    if both.url == nil {
      both.path = path ?? common.path
      both.query = query.over(common.query)
    }
    both.headers = headers.over(common.headers, ignoringCase: true)
    both.cookies = cookies.over(common.cookies)
    both.authorization = authorization ?? common.authorization
    if body.isEmpty { both.body = common.body }
    both.ignoresBody = ignoresBody || body.isEmpty && common.ignoresBody
    both.tolerance.ignored += common.tolerance.ignored.filter { !tolerance.ignored.contains($0) }
    both.tolerance.allowsExtra = tolerance.allowsExtra || common.tolerance.allowsExtra
    both.tolerance.allowsAnyOrder = tolerance.allowsAnyOrder || common.tolerance.allowsAnyOrder
    both.ignoresOrigin = ignoresOrigin || common.ignoresOrigin
    if priority == 0 { both.priority = common.priority }
    return both
  }

  /// The rank of the path: a literal path, then a template, then a condition, and last a path that is ignored.
  package var pathRank: Int {
    if let url { return url == .ignore ? 0 : 1 }
    return switch path {
    case nil, .literal: .max
    case .template(let template): 2 + template.literals
    case .condition(let condition): condition == .ignore ? 0 : 1
    }
  }

  /// The rank of the query: the recorded query is preferred to conditions.
  package var queryRank: Int {
    if url == nil, query.isEmpty { return .max }
    return query.entries.count { $0.condition != .ignore }
  }

  /// Parses a path in a cassette: a path with names in braces is a template.
  package static func path(_ text: String) -> Path {
    PathTemplate(text).map { .template($0) } ?? .literal(text)
  }
}

/// The rules for the replay of an interaction, apart from `repeat`: `replay` in a cassette.
package struct ReplayRules: Hashable, Sendable {
  /// The rule that selects one of several recordings of a request.
  package enum Order: String, CaseIterable, Hashable, Sendable {
    /// By the number of requests only, not by the changes that were requested.
    case count
  }

  /// A scenario and its state.
  package struct State: Hashable, Sendable {
    package var scenario: String
    package var state: String

    package init(_ scenario: String, _ state: String) {
      self.scenario = scenario
      self.state = state
    }

    /// The initial state of every scenario.
    package static let start = "Started"
  }

  package var delay: Latency?
  /// The delay before each chunk of a streamed body; replaces the recorded delay.
  package var chunkDelay: Latency?
  package var bytesPerSecond: Int?
  package var fault: CassetteFault.Kind?
  package var faultTerms = FaultTerms()
  /// The order; nil to select by the requested changes first, and then by the number of requests.
  package var order: Order?
  /// The required states of scenarios; the recording answers only if all of them are current.
  package var when: [State] = []
  /// The states of scenarios after the recording has answered.
  package var then: [State] = []

  package init() {}

  /// True if there are no rules.
  package var isEmpty: Bool { self == ReplayRules() }
}

/// The rules written for an interaction.
package struct InteractionRules: Sendable {
  package var match = MatchRules()
  package var replay = ReplayRules()

  /// Creates empty rules.
  init() {}
}
