package import HTTP
package import JSONText

/// What narrows or widens the requests an interaction answers: `match` in a cassette.
///
/// What it does not speak of is as the recorded request says.
package struct MatchRules: Hashable, Sendable {
  /// Which methods.
  package enum Methods: Hashable, Sendable {
    case any
    case listed([HTTPMethod])
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
  /// All of which have to be met.
  package var body: [BodyRule] = []
  /// Whether the body plays no part at all.
  package var ignoresBody = false
  /// The greater comes first.
  package var priority = 0

  package init() {}

  /// Whether there is nothing in it.
  package var isEmpty: Bool { self == MatchRules() }

  /// Literal over template over pattern.
  var pathRank: Int {
    if url != nil { return 0 }
    return switch path {
    case nil, .literal: .max
    case .template(let template): 1 + template.literals
    case .condition: 0
    }
  }

  /// As recorded over rules.
  var queryRank: Int {
    if url == nil, query.isEmpty { return .max }
    return query.entries.count { $0.condition != .ignore }
  }

  /// A path as a cassette has it: names in braces make a template.
  package static func path(_ text: String) -> Path {
    PathTemplate(text).map { .template($0) } ?? .literal(text)
  }
}

/// What a request's body must be.
package enum BodyRule: Hashable, Sendable {
  /// The text meets a condition.
  case text(Condition)
  /// These bytes, no text.
  case base64([UInt8])
  /// A JSON value, compact, and what may differ from it.
  case json([UInt8], ignoring: [JSONPlace], extra: Bool, order: Bool)
  /// Scalars at places of a JSON text.
  case values(NamedConditions)
  /// Fields of a form.
  case form(NamedConditions)
}

/// How an interaction plays, apart from `repeat`: `replay` in a cassette.
package struct ReplayRules: Hashable, Sendable {
  /// How long the answer takes.
  package enum Delay: Hashable, Sendable {
    /// As long as it was recorded to take.
    case recorded
    case seconds(Double)
  }

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

  package var delay: Delay?
  package var fault: Fault?
  /// In which states it answers; all of them.
  package var when: [State] = []
  /// The states after it has.
  package var then: [State] = []

  package init() {}

  /// Whether there is nothing in it.
  package var isEmpty: Bool { self == ReplayRules() }
}

/// What a person wrote about an interaction.
struct InteractionRules: Sendable {
  var match = MatchRules()
  var replay = ReplayRules()
}
