internal import CassetteHTTP
internal import CassetteMatching
internal import Cassettes

/// The recordings of one table that may answer one spelling of a request, regardless of earlier plays.
///
/// The candidates depend only on the request and the recordings: they are found without a lock, and chosen from under a
/// lock.
struct Candidates {
  /// The result of choosing a candidate for a session.
  enum Choice: Sendable {
    case play(Matcher.Candidate, Derivation?)
    case generated(HTTPResponse)
    /// A resource answers, outside of the deck's lock.
    case operate(TableResource)
    case miss(consumed: [Miss.Consumed], PlaybackCursor)

    /// The number of the recording that answers.
    var recording: Int? { if case .play(let candidate, _) = self { candidate.entry } else { nil } }

    /// The number of the recording or the resource that answers.
    var entry: Int? {
      switch self {
      case .play(let candidate, _): candidate.entry
      case .operate(let resource): resource.entry
      case .generated, .miss: nil
      }
    }
  }

  let compared: RequestReading
  let context: Matcher.Context
  /// The contexts of all tables of the layer.
  private let layer: [Matcher.Context]
  private var fixture: Matcher.Candidate?
  private var recorded: [Matcher.Candidate] = []
  /// The fixture for `GET`, if the request is a `HEAD`.
  private var headFixture: Matcher.Candidate?
  private var headRecorded: [Matcher.Candidate] = []
  /// The resource that answers if no recording does.
  private let resource: TableResource?
  private var template: Matcher.Candidate?
  private var headTemplate: Matcher.Candidate?

  /// Finds the candidates of one table.
  ///
  /// - Parameters:
  ///   - compared: The request.
  ///   - context: The context of the table.
  ///   - layer: The contexts of all tables that are ranked together; nil if there is only this one.
  init(_ compared: RequestReading, in context: Matcher.Context, of layer: [Matcher.Context]? = nil) {
    self.compared = compared
    self.context = context
    self.layer = layer ?? [context]
    let (request, table) = (compared.request, context.table)
    let target = request.pathAndQuery
    let isHead = request.method == .head
    let isAsked = request.method != .options
    resource = isAsked ? table.resource(for: request, knowsOrigins: context.knowsOrigins) : nil
    fixture = Self.fixture(table.fixture(method: request.method, pathAndQuery: target))
    if fixture == nil { recorded = Self.inOrder(request.method, compared, context) }
    if isHead {
      headFixture = Self.fixture(table.fixture(method: .get, pathAndQuery: target))
      headRecorded = Self.inOrder(.get, compared, context)
      headTemplate = Self.fixture(table.template(method: .get, pathAndQuery: target))
    }
    template = Self.fixture(table.template(method: request.method, pathAndQuery: target))
  }

  private static func fixture(_ entry: Int?) -> Matcher.Candidate? {
    entry.map {
      Matcher.Candidate(
        entry: $0,
        preference: Matcher.Preference(
          priority: 0, path: 0, query: 0, closeness: 0, sameOrigin: true, fields: 0, body: 0, states: 0),
        marks: [])
    }
  }

  /// Returns the recordings that answer, each with the change that must precede its answer.
  private static func inOrder(
    _ method: HTTPMethod, _ compared: RequestReading, _ context: Matcher.Context
  ) -> [Matcher.Candidate] {
    var candidates = candidates(method, compared, context)
    context.table.fields.compare(&candidates, with: compared.request, in: context.table)
    let twins = candidates.filter(\.isDecided).map(\.entry)
    let causes = context.table.changes.causes(of: twins, in: context.table)
    for (index, cause) in causes.enumerated() { candidates[index].cause = cause }
    return candidates
  }

  /// Returns the recordings that answer; if there are none, compares again and ignores values that change in every
  /// recording.
  private static func candidates(
    _ method: HTTPMethod, _ compared: RequestReading, _ context: Matcher.Context
  ) -> [Matcher.Candidate] {
    // A body equal to the recorded one excludes the other bodies of a target, unless the rest of the request differs.
    let narrowed = context.table.candidates(for: compared, method: method, narrowed: true)
    if narrowed.isNarrowed {
      let found = narrowed.entries.compactMap { Matcher.candidate($0, for: compared, in: context) }
      if !found.isEmpty { return found + narrowed.undecided.map { Matcher.undecided($0, in: context) } }
    }
    let (entries, undecided, _) =
      narrowed.isNarrowed ? context.table.candidates(for: compared, method: method) : narrowed
    let unknown = undecided.map { Matcher.undecided($0, in: context) }
    let found = entries.compactMap { Matcher.candidate($0, for: compared, in: context) }
    // For stubs, no changing values are ignored: each stub states exactly which bodies it accepts.
    guard found.isEmpty, entries.count > 1, !context.table.entries[entries[0]].isAdded else { return found + unknown }
    var context = context
    context.changing = context.table.bodies.changing(among: entries, in: context.table)
    guard !context.changing.isEmpty else { return unknown }
    return entries.compactMap { Matcher.candidate($0, for: compared, in: context) } + unknown
  }

  /// Chooses in this order: a fixture of the literal path, recordings, derived answers, resources, templates.
  ///
  /// - `number`: The number of the request.
  func choose(_ cursor: inout PlaybackCursor, _ number: UInt64) -> Choice {
    if let fixture { return .play(fixture, nil) }
    if let choice = pick(from: recorded, &cursor, number) { return choice }
    if let headFixture { return .play(headFixture, .head) }
    // A HEAD request does not consume a recorded GET: the copy of the cursor is discarded.
    var (copy, consumed) = (cursor, [Miss.Consumed]())
    switch pick(from: headRecorded, &copy, number) {
    case .play(let candidate, _)?: return .play(candidate, .head)
    case .miss(let used, _)? where used.isEmpty: return .miss(consumed: [], cursor)
    case .miss(let used, _)?: consumed = used
    case .generated?, .operate?, nil: break
    }
    if let resource { return .operate(resource) }
    if let template { return .play(template, nil) }
    if let headTemplate { return .play(headTemplate, .head) }
    let request = compared.request
    if request.method == .options, request.body.isEmpty, let response = Derivation.options(request, in: layer) {
      return .generated(response)
    }
    return .miss(consumed: consumed, cursor)
  }

  var table: RecordingTable { context.table }

  /// Returns the best rank of the stubs for a request; a `HEAD` is answered by a stub for `GET` if no stub for `HEAD` is ready.
  func rank(_ cursor: PlaybackCursor) -> Rank? {
    let preference = ready(recorded, cursor).map(\.preference).max()
    return (preference ?? ready(headRecorded, cursor).map(\.preference).max()).map {
      Rank(isHead: preference == nil, preference: $0)
    }
  }

  /// The rank of the best candidate of a table.
  struct Rank: Comparable {
    /// True if the answer is that for `GET` without its body.
    let isHead: Bool
    let preference: Matcher.Preference

    static func < (first: Rank, second: Rank) -> Bool {
      first.isHead == second.isHead ? first.preference < second.preference : first.isHead
    }
  }

  /// Returns the candidates whose scenarios are in the required state.
  private func ready(_ candidates: [Matcher.Candidate], _ cursor: PlaybackCursor) -> [Matcher.Candidate] {
    candidates.filter { table.replay(of: $0.entry).map { cursor.isIn($0.when) } ?? true }
  }

  /// The best matching recordings in recorded order, regardless of the states of scenarios.
  var turns: [Int] {
    let found = recorded.filter(\.isDecided).map { candidate in
      var preference = candidate.preference
      preference.states = 0
      return (entry: candidate.entry, preference)
    }
    let best = found.map(\.1).max()
    return found.filter { $0.1 == best }.map(\.entry)
  }

  /// Chooses a recording; nil if there are no candidates.
  ///
  /// A miss without consumed recordings means that a preferred recording might answer, but the comparison ran out of
  /// budget.
  private func pick(from candidates: [Matcher.Candidate], _ cursor: inout PlaybackCursor, _ number: UInt64) -> Choice? {
    let ready = ready(candidates, cursor)
    guard let best = ready.map(\.preference).max() else { return nil }
    let equals = ready.filter { $0.preference == best }
    guard equals.allSatisfy(\.isDecided) else { return .miss(consumed: [], cursor) }
    let numbers = cursor.current(equals, in: table).map(\.entry)
    let positions = numbers.map { table.entries[$0].position }
    switch cursor.next(of: positions, policy: policy(of: numbers), for: number) {
    case .play(let position):
      guard let chosen = equals.first(where: { table.entries[$0.entry].position == position }) else { return nil }
      if let then = table.replay(of: chosen.entry)?.then { cursor.enter(then) }
      return .play(chosen, nil)
    case .consumed(let requests):
      return .miss(consumed: zip(numbers, requests).map { Miss.Consumed(entry: $0, request: $1) }, cursor)
    }
  }

  /// Returns the policy that applies after all recordings have played; at the level `exact` recordings do not repeat.
  private func policy(of numbers: [Int]) -> RepeatPolicy {
    guard let last = numbers.last.map({ table.entries[$0] }) else { return .last }
    let policy = last.interaction.repeatPolicy
    return policy == .last && last.level == .exact && !last.isStub ? .once : policy
  }
}
