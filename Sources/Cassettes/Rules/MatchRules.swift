package import CassetteHTTP
package import CassetteJSON

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

  /// A text for people, which nothing interprets.
  package var note: String?
  /// The methods; nil for the recorded one.
  package var methods: Methods?
  /// Path and query together, in place of both.
  package var url: Condition?
  /// The path; nil for the recorded one.
  package var path: Path?
  package var query = NamedConditions()
  package var headers = NamedConditions()
  package var cookies = NamedConditions()
  /// The credentials that are asked for.
  package var authorization: AuthorizationRule?
  /// All of which have to be met.
  package var body: [BodyRule] = []
  /// True if the body plays no part at all.
  package var ignoresBody = false
  /// The differences that a body may have from the recorded one, where that one is compared.
  package var tolerance = JSONTolerance()
  /// True if a recording answers for any origin.
  package var ignoresOrigin = false
  /// The greater comes first.
  package var priority = 0

  package init() {}

  /// True if there are no rules.
  package var isEmpty: Bool { self == MatchRules() }

  /// True if requests of other methods or targets than the recorded one may be answered, or that one may not.
  package var concernsTarget: Bool { methods != nil || url != nil || path != nil || !query.isEmpty }

  /// True if only the rules for the body count, and the recorded one is not compared.
  package var decidesBody: Bool { ignoresBody || !body.isEmpty }

  /// Returns these rules, with those of all recordings of the cassette where these say nothing.
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

  /// Literal over template over pattern.
  package var pathRank: Int {
    if url != nil { return 0 }
    return switch path {
    case nil, .literal: .max
    case .template(let template): 1 + template.literals
    case .condition: 0
    }
  }

  /// The rank of the query among rules: as recorded comes first.
  package var queryRank: Int {
    if url == nil, query.isEmpty { return .max }
    return query.entries.count { $0.condition != .ignore }
  }

  /// Reads a path as a cassette has it: names in braces make a template.
  package static func path(_ text: String) -> Path {
    PathTemplate(text).map { .template($0) } ?? .literal(text)
  }
}

/// The rules for an interaction's replay, apart from `repeat`: `replay` in a cassette.
package struct ReplayRules: Hashable, Sendable {
  /// A fault that replaces or spoils the answer.
  package enum Fault: String, CaseIterable, Hashable, Sendable {
    /// The connection breaks before anything is answered.
    case reset
    /// The connection ends before anything is answered.
    case empty
    /// Bytes come that are no HTTP.
    case malformed
    /// Nothing comes.
    case timeout
    /// The body breaks off in its middle.
    case truncate
    /// The body stops in its middle, and the connection stays open.
    case stall
    /// Chunks whose size is none follow the middle of the body.
    case badChunk
    /// Bytes come that are no HTTP at all.
    case garbage
    /// Nothing comes, as with `timeout`.
    case never
  }

  /// The rule that chooses which of a request's several recordings plays.
  package enum Order: String, CaseIterable, Hashable, Sendable {
    /// Only how often was asked, and not which changes were.
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

    /// The state that every scenario begins in.
    package static let start = "Started"
  }

  package var delay: Latency?
  /// The delay before each piece of a body that comes in pieces, in place of its gap.
  package var chunkDelay: Latency?
  package var bytesPerSecond: Int?
  package var fault: Fault?
  package var faultTerms = FaultTerms()
  /// The order; nil for the changes that were asked for, then the count.
  package var order: Order?
  /// The states in which it answers; all of them have to be entered.
  package var when: [State] = []
  /// The states after it has.
  package var then: [State] = []

  package init() {}

  /// True if there are no rules.
  package var isEmpty: Bool { self == ReplayRules() }
}

/// The rules that a person wrote for an interaction.
package struct InteractionRules: Sendable {
  package var match = MatchRules()
  package var replay = ReplayRules()

  /// Creates rules that say nothing.
  package init() {}
}
