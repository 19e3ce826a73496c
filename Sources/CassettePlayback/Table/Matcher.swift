internal import CassetteHTTP
internal import CassetteMatching
internal import CassettePatterns
internal import Cassettes

/// Tells in what ways two requests differ, and which of a request's candidates suits it best.
enum Matcher {
  /// The rank of a recording for a request with its method, path and query: the greater, the better.
  struct Preference: Comparable, Sendable {
    let priority: Int
    /// The order of stubs added while a player plays: the newest first.
    var turn = 0
    /// Literal over template over pattern, and of two templates the one that says more.
    let path: Int
    /// The rank of the query: as recorded over rules, and of two with rules the one that has more of them.
    let query: Int
    /// The rank by marks: none before one, one of the body last; the same for all at the level that compares neither.
    let closeness: Int
    let sameOrigin: Bool
    let fields: Int
    let body: Int
    /// The rank by states: one that is for a state over one that is for any.
    var states: Int

    static func < (first: Preference, second: Preference) -> Bool {
      let (one, other) = (first.decisive, second.decisive)
      if one != other { return one < other }
      return (first.fields, first.body, first.states) < (second.fields, second.body, second.states)
    }

    private var decisive: (Int, Int, Int, Int, Int, Int) {
      (priority, turn, path, query, closeness, sameOrigin ? 1 : 0)
    }
  }

  /// The differences of a recording that plays, for which the answer is marked.
  struct Marks: OptionSet, Sendable {
    let rawValue: UInt8
    static let origin = Marks(rawValue: 1)
    static let credentials = Marks(rawValue: 2)
    static let body = Marks(rawValue: 4)
  }

  /// A recording that answers a request.
  struct Candidate: Sendable {
    let entry: Int
    let preference: Preference
    let marks: Marks
    /// True if it is known that it answers.
    var isDecided = true
    /// The places that were seen to change, if that is why it answers.
    var changing = BodyPlaces()
    /// The change that was recorded before its answer, if others answer the same request.
    var cause = RecordedChanges.Cause.start
  }

  /// The circumstances of a comparison, beside the request and the recording.
  struct Context {
    let table: RecordingTable
    /// True if the origin a request names is that of the server it is for.
    let knowsOrigins: Bool
    /// Places that were seen to change between recordings.
    var changing: BodyPlaces = BodyPlaces()
  }

  /// A recording of which it is not known whether its rules are met, as good as it could be if they were.
  static func undecided(_ entry: Int, in context: Context) -> Candidate {
    let rules = context.table.rules(of: entry)
    let preference = Preference(
      priority: rules?.priority ?? 0, turn: context.table.entries[entry].turn, path: rules?.pathRank ?? .max,
      query: rules?.queryRank ?? .max, closeness: .max, sameOrigin: true, fields: .max, body: .max, states: .max)
    return Candidate(entry: entry, preference: preference, marks: [], isDecided: false)
  }

  /// Judges a recording that has the request's method, path and query, or whose rules say that these will do.
  ///
  /// - Returns: How well it suits, and in what it differs; nil when it does not answer.
  static func candidate(_ entry: Int, for request: ComparedRequest, in context: Context) -> Candidate? {
    let recording = context.table.entries[entry]
    let interaction = recording.interaction
    let rules = context.table.rules(of: entry)
    let level = recording.level
    var marks: Marks = []
    let isOther = originMismatch(of: request.request, recording, rules) != nil
    if isOther, context.knowsOrigins {
      guard level == .loose else { return nil }
      marks.insert(.origin)
    }
    var relation = BodyRelation.unsaid
    if rules?.decidesBody != true {
      relation = context.table.bodies.relation(of: request, to: entry, in: context.table, changing: context.changing)
      switch (relation, level) {
      case (.unsaid, _), (.equal, _), (.same, _): break
      case (.generated, .careful), (.generated, .loose), (.different, .loose): marks.insert(.body)
      case (.generated, .exact), (.different, _): return nil
      }
    }
    let recorded = interaction.requestHeaders
    if level != .loose, Credentials.mismatch(of: request.request, from: recorded) != nil {
      if level == .exact { return nil }
      marks.insert(.credentials)
    }
    let fields = FieldComparison.rank(request.request, recorded, rules)
    guard FieldComparison.suits(request.request, interaction, rules, level: level) else { return nil }
    let preference = Preference(
      priority: rules?.priority ?? 0, turn: recording.turn, path: rules?.pathRank ?? .max,
      query: rules?.queryRank ?? .max,
      closeness: level == .loose ? 0 : marks.contains(.body) ? 0 : marks.isEmpty ? 2 : 1,
      sameOrigin: !isOther, fields: fields,
      body: rules?.decidesBody == true ? (rules?.ignoresBody == true ? 1 : 2) : relation.rank(request),
      states: context.table.replay(of: entry)?.when.count ?? 0)
    return Candidate(entry: entry, preference: preference, marks: marks, changing: context.changing)
  }

  /// Describes what makes the answer an approximation; nothing when there are no marks.
  static func mismatches(behind marks: Marks, of request: ComparedRequest, from entry: Int, in context: Context)
    -> [Mismatch]
  {
    let recording = context.table.entries[entry]
    var found: [Mismatch] = []
    if marks.contains(.origin), let origin = originMismatch(of: request.request, recording, nil) {
      found.append(origin)
    }
    if marks.contains(.credentials),
      let credentials = Credentials.mismatch(of: request.request, from: recording.interaction.requestHeaders)
    {
      found.append(credentials)
    }
    if marks.contains(.body) {
      found += context.table.bodies.mismatches(of: request, from: entry, in: context.table, changing: context.changing)
    }
    return found
  }

  /// Everything that keeps a recording from answering a request, the most telling first, then what only prefers.
  static func mismatches(of request: ComparedRequest, from entry: Int, in context: Context) -> [Mismatch] {
    let recording = context.table.entries[entry]
    let interaction = recording.interaction
    let rules = context.table.rules(of: entry)
    var found: [Mismatch] = []
    if let mismatch = methodMismatch(of: request.request, interaction, rules) { found.append(mismatch) }
    if context.knowsOrigins, let origin = originMismatch(of: request.request, recording, rules) { found.append(origin) }
    if let rules {
      found += rules.mismatches(of: request.reading, from: interaction)
    } else {
      let (sentPath, sentQuery) = split(request.request.pathAndQuery)
      let (recordedPath, recordedQuery) = split(interaction.pathAndQuery)
      if CanonicalTarget.spelling(of: sentPath) != CanonicalTarget.spelling(of: recordedPath) {
        found.append(Mismatch(part: "path", sent: sentPath, recorded: recordedPath))
      }
      found += ParameterComparison.mismatches(sent: sentQuery, recorded: recordedQuery)
    }
    if rules?.decidesBody != true {
      found += context.table.bodies.mismatches(of: request, from: entry, in: context.table, changing: context.changing)
    }
    if recording.level == .exact {
      if let mismatch = Credentials.mismatch(of: request.request, from: interaction.requestHeaders) {
        found.append(mismatch)
      }
      found += FieldComparison.mismatches(request.request, interaction.requestHeaders, rules, level: .exact)
    } else if found.isEmpty {
      // Fields prefer, they never exclude: beside what does, they would only distract.
      found += FieldComparison.mismatches(request.request, interaction.requestHeaders, rules, level: recording.level)
    }
    if found.isEmpty, let words = request.reading.budget.words {
      // It would answer, if it were known that no other does.
      found.append(Mismatch(part: Mismatch.patterns, sent: nil, wanted: words))
    }
    return found
  }

  private static func methodMismatch(
    of request: HTTPRequest, _ interaction: Interaction, _ rules: MatchRules?
  ) -> Mismatch? {
    let isMet = rules?.accepts(method: request.method, recorded: interaction.method)
    guard !(isMet ?? (request.method == interaction.method)) else { return nil }
    var wanted: String?
    if case .listed(let methods)? = rules?.methods { wanted = methods.map(\.rawValue).joined(separator: " or ") }
    if case .except(let methods)? = rules?.methods {
      wanted = "none of " + methods.map(\.rawValue).joined(separator: ", ")
    }
    return Mismatch(
      part: "method", sent: request.method.rawValue, recorded: wanted == nil ? interaction.method.rawValue : nil,
      wanted: wanted)
  }

  static func originMismatch(of request: HTTPRequest, _ recording: RecordingTable.Entry, _ rules: MatchRules?)
    -> Mismatch?
  {
    guard let recorded = recording.origin, !request.names(origin: recorded), let named = request.namedOrigin,
      named != recorded, rules?.ignoresOrigin != true
    else { return nil }
    return Mismatch(part: "origin", sent: named, recorded: recorded)
  }

  /// Tells whether a recording is of the origin a request is for, as far as that counts.
  static func mayComeFrom(_ request: HTTPRequest, _ entry: Int, in context: Context) -> Bool {
    let recording = context.table.entries[entry]
    return !context.knowsOrigins || recording.level == .loose
      || originMismatch(of: request, recording, context.table.rules(of: entry)) == nil
  }

  private static func split(_ target: String) -> (path: String, query: String) {
    guard let question = target.firstIndex(of: "?") else { return (target, "") }
    return (String(target[..<question]), String(target[target.index(after: question)...]))
  }
}
