package import CassetteHTTP
package import CassetteJSON

/// What narrows or widens the requests an interaction answers: `match` in a cassette.
///
/// What it does not speak of is as the recorded request says.
package struct MatchRules: Hashable, Sendable {
  /// Which methods.
  package enum Methods: Hashable, Sendable {
    case any
    case listed([HTTPMethod])
    case except([HTTPMethod])
  }

  /// Which paths.
  package enum Path: Hashable, Sendable {
    case literal(String)
    case template(PathTemplate)
    case condition(Condition)
  }

  /// Nil for the recorded one.
  package var methods: Methods?
  /// Path and query together, in place of both.
  package var url: Condition?
  /// Nil for the recorded one.
  package var path: Path?
  package var query = NamedConditions()
  package var headers = NamedConditions()
  package var cookies = NamedConditions()
  /// The credentials that are asked for.
  package var authorization: AuthorizationRule?
  /// All of which have to be met.
  package var body: [BodyRule] = []
  /// Whether the body plays no part at all.
  package var ignoresBody = false
  /// In what a body may differ from the recorded one, where that decides.
  package var tolerance = JSONTolerance()
  /// Whether a recording answers for any origin.
  package var ignoresOrigin = false
  /// The greater comes first.
  package var priority = 0

  package init() {}

  /// Whether there is nothing in it.
  package var isEmpty: Bool { self == MatchRules() }

  /// Whether requests of other methods or targets than the recorded one may be answered, or that one may not.
  package var concernsTarget: Bool { methods != nil || url != nil || path != nil || !query.isEmpty }

  /// Whether what it says of the body is all that counts, and the recorded one is not compared.
  package var decidesBody: Bool { ignoresBody || !body.isEmpty }

  /// These rules, and what others say where these say nothing.
  ///
  /// - Parameter common: What holds for all recordings of a cassette.
  /// - Returns: The rules of one of them.
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

  /// As recorded over rules.
  package var queryRank: Int {
    if url == nil, query.isEmpty { return .max }
    return query.entries.count { $0.condition != .ignore }
  }

  /// A path as a cassette has it: names in braces make a template.
  package static func path(_ text: String) -> Path {
    PathTemplate(text).map { .template($0) } ?? .literal(text)
  }
}

/// How an interaction plays, apart from `repeat`: `replay` in a cassette.
package struct ReplayRules: Hashable, Sendable {
  /// What goes wrong with the answer.
  package enum Fault: String, CaseIterable, Hashable, Sendable {
    /// The connection breaks before anything is answered.
    case reset
    /// The connection ends before anything is answered.
    case empty
    /// What comes is no HTTP.
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

  /// What decides when it plays, of several recordings of a request.
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

    /// What every scenario begins in.
    package static let start = "Started"
  }

  package var delay: Latency?
  /// Before each piece of a body that comes in pieces, in place of its gap.
  package var chunkDelay: Latency?
  package var bytesPerSecond: Int?
  package var fault: Fault?
  package var faultTerms = FaultTerms()
  /// Nil for the changes that were asked for, then the count.
  package var order: Order?
  /// In which states it answers; all of them.
  package var when: [State] = []
  /// The states after it has.
  package var then: [State] = []

  package init() {}

  /// Whether there is nothing in it.
  package var isEmpty: Bool { self == ReplayRules() }
}

/// What a person wrote about an interaction.
package struct InteractionRules: Sendable {
  package var match = MatchRules()
  package var replay = ReplayRules()

  /// Creates rules that say nothing.
  package init() {}
}
