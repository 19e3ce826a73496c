internal import CassetteHTTP
internal import CassetteMatching
internal import CassettePatterns
internal import Cassettes

/// Compares requests with recordings, and ranks the candidates for a request.
enum Matcher {
  /// The rank of a recording for a request; the greater rank is preferred.
  struct Preference: Comparable, Sendable {
    let priority: Int
    /// The rank of stubs added during playback: the newest first.
    var turn = 0
    /// The rank of the path: a literal before a template before a pattern, and the more specific of two templates
    /// first.
    let path: Int
    /// The rank of the query: the recorded query before rules, and more rules before fewer.
    let query: Int
    /// The rank by marks: no mark first, a mark of the body last; equal for all at the level `loose`.
    let closeness: Int
    let sameOrigin: Bool
    var fields: Int
    let body: Int
    /// The rank by states: a recording for a state before a recording for any state.
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

  /// The permitted kinds of differences between a request and the recording that answers it; the answer is marked with
  /// them.
  struct Marks: OptionSet, Sendable {
    let rawValue: UInt8
    static let origin = Marks(rawValue: 1)
    static let credentials = Marks(rawValue: 2)
    static let body = Marks(rawValue: 4)
    static let fields = Marks(rawValue: 8)
  }

  /// A recording that answers a request.
  struct Candidate: Sendable {
    let entry: Int
    var preference: Preference
    var marks: Marks
    /// True if the recording is known to answer; false if the comparison ran out of budget.
    var isDecided = true
    /// The places with changing values that were ignored in order to match.
    var changing = BodyPlaces()
    /// The fields with a value that no recording of the request has, although the recordings differ in them.
    var unknownFields: [String] = []
    /// The change that preceded the recording, if other recordings answer the same request.
    var cause = RecordedChanges.Cause.start
  }

  /// The circumstances of a comparison, apart from the request and the recording.
  struct Context {
    let table: RecordingTable
    /// True if requests name the origin they are sent to.
    let knowsOrigins: Bool
    /// The places whose values differ between recordings.
    var changing: BodyPlaces = BodyPlaces()
    /// The fields with a value that no recording of the request has.
    var unknownFields: [String] = []
  }

  /// Returns a candidate for a recording whose rules could not be evaluated, with the best possible rank.
  static func undecided(_ entry: Int, in context: Context) -> Candidate {
    let rules = context.table.rules(of: entry)
    let preference = Preference(
      priority: rules?.priority ?? 0, turn: context.table.entries[entry].turn, path: rules?.pathRank ?? .max,
      query: rules?.queryRank ?? .max, closeness: .max, sameOrigin: true, fields: .max, body: .max, states: .max)
    return Candidate(entry: entry, preference: preference, marks: [], isDecided: false)
  }

  /// Compares a request with a recording of its method, path and query, or whose rules accept them.
  ///
  /// - Returns: The rank and the marks of the recording; nil if it does not answer.
  static func candidate(_ entry: Int, for request: RequestReading, in context: Context) -> Candidate? {
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
      case (.unknown, _), (.generated, .careful), (.generated, .loose), (.different, .loose): marks.insert(.body)
      case (.generated, .exact), (.different, _): return nil
      }
    }
    let recorded = interaction.requestHeaders
    if level != .loose, Credentials.mismatch(of: request.request, from: recorded) != nil {
      if level == .exact { return nil }
      marks.insert(.credentials)
    }
    let operation = FieldComparison.operationMismatches(request.request, recorded, rules)
    if !operation.isEmpty {
      if level == .exact || level == .careful && operation.contains(where: \.isOther) { return nil }
      marks.insert(.fields)
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

  /// Returns the differences that the marks of an answer represent; empty if there are no marks.
  static func mismatches(behind marks: Marks, of request: RequestReading, from entry: Int, in context: Context)
    -> [Mismatch]
  {
    let recording = context.table.entries[entry]
    var found: [Mismatch] = []
    if marks.contains(.origin), let origin = originMismatch(of: request.request, recording, nil) {
      found.append(origin)
    }
    if marks.contains(.credentials) {
      let recorded = recording.interaction.requestHeaders
      found.append(
        Credentials.mismatch(of: request.request, from: recorded) ?? Credentials.ambiguity(in: request.request))
    }
    if marks.contains(.fields) {
      let fields = recording.interaction.requestHeaders
      found += FieldComparison.operationMismatches(request.request, fields, context.table.rules(of: entry)).map(
        \.mismatch)
      found += FieldComparison.mismatches(of: context.unknownFields, request.request, fields)
    }
    if marks.contains(.body) {
      found += context.table.bodies.mismatches(of: request, from: entry, in: context.table, changing: context.changing)
    }
    return found
  }

  /// Returns all differences that prevent a recording from answering, the most relevant first, then those that only
  /// affect preference.
  static func mismatches(of request: RequestReading, from entry: Int, in context: Context) -> [Mismatch] {
    let recording = context.table.entries[entry]
    let interaction = recording.interaction
    let rules = context.table.rules(of: entry)
    var found: [Mismatch] = []
    if let mismatch = methodMismatch(of: request.request, interaction, rules) { found.append(mismatch) }
    if context.knowsOrigins, let origin = originMismatch(of: request.request, recording, rules) { found.append(origin) }
    if let rules {
      found += rules.mismatches(of: request, from: interaction)
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
    let operation = FieldComparison.operationMismatches(request.request, interaction.requestHeaders, rules)
    found += operation.filter { $0.isOther || recording.level == .exact }.map(\.mismatch)
    if recording.level == .exact {
      if let mismatch = Credentials.mismatch(of: request.request, from: interaction.requestHeaders) {
        found.append(mismatch)
      }
      found += FieldComparison.mismatches(request.request, interaction.requestHeaders, rules, level: .exact)
    } else if found.isEmpty {
      // Fields affect only the preference: next to differences that exclude the recording they would distract.
      found += FieldComparison.mismatches(request.request, interaction.requestHeaders, rules, level: recording.level)
    }
    if found.isEmpty, let words = request.budget.words {
      // The recording might answer, but the evaluation of patterns ran out of budget.
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

  /// Returns true if a recording is from the origin of a request, or the origin is not compared.
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
