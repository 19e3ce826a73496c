internal import HTTP

/// Tells in what ways two requests differ.
enum Matcher {
  /// How well a recording suits a request that has its method, path and query: the greater, the better.
  struct Preference: Comparable, Sendable {
    let priority: Int
    /// Literal over template over pattern, and of two templates the one that says more.
    let path: Int
    /// As recorded over rules, and of two with rules the one that has more of them.
    let query: Int
    let sameOrigin: Bool
    let fields: Int
    let body: Int
    /// One that is for a state over one that is for any.
    let states: Int

    static func < (first: Preference, second: Preference) -> Bool {
      if first.priority != second.priority { return first.priority < second.priority }
      if first.path != second.path { return first.path < second.path }
      if first.query != second.query { return first.query < second.query }
      if first.sameOrigin != second.sameOrigin { return second.sameOrigin }
      if first.fields != second.fields { return first.fields < second.fields }
      if first.body != second.body { return first.body < second.body }
      return first.states < second.states
    }
  }

  /// Ranks one candidate.
  static func preference(of request: HTTPRequest, for interaction: Interaction, origin: String?) -> Preference {
    let named = request.namedOrigin
    let written = interaction.rules
    let (rules, states) = (written?.match ?? MatchRules(), written?.replay.when.count ?? 0)
    let ruled = rules.headers.entries
    // What a rule speaks of is met, or the recording were no candidate.
    let fields = interaction.requestHeaders.filter { field in
      !isIncidental(field.name) && !ruled.contains { field.isNamed($0.name) }
    }
    let differing = fields.contains { !fieldMatches(request, $0.name, $0.value) }
    let asked = fields.count + ruled.count { $0.condition != .ignore } + rules.cookies.entries.count
    return Preference(
      priority: rules.priority, path: rules.pathRank, query: rules.queryRank,
      sameOrigin: named == nil || origin == nil || named == origin,
      // One field that differs outweighs any number that do not; asking for more and getting it is better than not asking.
      fields: differing ? 0 : 1 + asked,
      body: rules.ignoresBody ? 1 : rules.body.isEmpty ? BodyComparison.rank(request, interaction) : 2,
      states: states)
  }

  /// Everything in which a request differs from a recorded one, the most telling first.
  static func mismatches(of request: HTTPRequest, from interaction: Interaction) -> [Mismatch] {
    if let rules = interaction.rules?.match, !rules.isEmpty {
      return mismatches(of: request, from: interaction, rules)
    }
    var found: [Mismatch] = []
    if request.method != interaction.method {
      found.append(
        Mismatch(part: "method", sent: request.method.rawValue, recorded: interaction.method.rawValue))
    }
    let (sentPath, sentQuery) = split(request.pathAndQuery)
    let (recordedPath, recordedQuery) = split(interaction.pathAndQuery)
    if CanonicalTarget.spelling(of: sentPath) != CanonicalTarget.spelling(of: recordedPath) {
      found.append(Mismatch(part: "path", sent: sentPath, recorded: recordedPath))
    }
    found += queryMismatches(sent: sentQuery, recorded: recordedQuery)
    // Fields prefer, they never exclude: beside what does, they would only distract.
    guard found.isEmpty else { return found + BodyComparison.mismatches(request, interaction) }
    for field in interaction.requestHeaders
    where !isIncidental(field.name) && !fieldMatches(request, field.name, field.value) {
      let sent = request.headers[field.name].map { SecretNames.masked(field: field.name, value: $0) }
      let recorded = SecretNames.masked(field: field.name, value: field.value)
      found.append(Mismatch(part: "header.\(field.name)", sent: sent, recorded: recorded))
    }
    found += BodyComparison.mismatches(request, interaction)
    return found
  }

  /// The same for a recording with rules: what they do not speak of is as recorded.
  private static func mismatches(
    of request: HTTPRequest, from interaction: Interaction, _ rules: MatchRules
  ) -> [Mismatch] {
    var found: [Mismatch] = []
    if !rules.accepts(method: request.method, recorded: interaction.method) {
      let wanted: String? =
        if case .listed(let methods) = rules.methods { methods.map(\.rawValue).joined(separator: " or ") } else { nil }
      found.append(
        Mismatch(
          part: "method", sent: request.method.rawValue,
          recorded: wanted == nil ? interaction.method.rawValue : nil, wanted: wanted))
    }
    found += rules.mismatches(of: RequestReading(request), from: interaction)
    if rules.body.isEmpty, !rules.ignoresBody { found += BodyComparison.mismatches(request, interaction) }
    return found
  }

  static func queryMismatches(sent: String, recorded: String, except listed: Set<String> = []) -> [Mismatch] {
    if sent == recorded { return [] }
    let sent = Dictionary(grouping: QueryItem.parse(sent), by: \.name)
    let recorded = Dictionary(grouping: QueryItem.parse(recorded), by: \.name)
    return Set(sent.keys).union(recorded.keys).subtracting(listed).sorted().compactMap { name in
      let (now, then) = (sent[name]?.map { $0.value ?? "" }, recorded[name]?.map { $0.value ?? "" })
      let isEqual =
        now == then
        || now?.count == then?.count
          && zip(now ?? [], then ?? []).allSatisfy { $0 == $1 || matches($0, placeholderIn: $1) }
      guard !isEqual else { return nil }
      let (sent, recorded) = (shown(now, of: name), shown(then, of: name))
      // Of two secrets neither is told, but that they differ is.
      return Mismatch(
        part: "query.\(name)", sent: sent, recorded: sent == recorded && sent != nil ? "{{another secret}}" : recorded)
    }
  }

  private static func shown(_ values: [String]?, of name: String) -> String? {
    values.map { SecretNames.isParameter(name) ? SecretNames.mask : $0.joined(separator: ", ") }
  }

  private static func split(_ target: String) -> (path: String, query: String) {
    guard let question = target.firstIndex(of: "?") else { return (target, "") }
    return (String(target[..<question]), String(target[target.index(after: question)...]))
  }

  /// Whether a field the recording asked for was sent with that value; a redacted value equals any that was sent.
  private static func fieldMatches(_ request: HTTPRequest, _ name: String, _ recorded: String) -> Bool {
    request.headers.values(of: name).contains { sent in
      sent == recorded || (matches(sent, placeholderIn: recorded))
    }
  }

  /// Whether `Bearer abc` is what `Bearer {{secret:1}}` was made of: matching compares redacted with redacted.
  static func matches(_ sent: some StringProtocol, placeholderIn recorded: some StringProtocol) -> Bool {
    var rest = Substring(sent)
    var pattern = Substring(recorded)
    var found = false
    // Each secret is at least a letter long and, of several, as short as the text after it allows.
    while let start = pattern.firstRange(of: "{{secret"),
      let end = pattern[start.upperBound...].firstRange(of: "}}")
    {
      let before = pattern[..<start.lowerBound]
      pattern = pattern[end.upperBound...]
      if found {
        guard !before.isEmpty, let next = rest.dropFirst().firstRange(of: before) else { return false }
        rest = rest[next.upperBound...]
      } else {
        guard rest.hasPrefix(before) else { return false }
        rest = rest.dropFirst(before.count)
      }
      found = true
    }
    return found && rest.count > pattern.count && rest.hasSuffix(pattern)
  }

  /// Fields that say who asks and how, not what is asked: they never decide.
  private static func isIncidental(_ name: String) -> Bool {
    switch name.lowercased() {
    case "host", "user-agent", "connection", "content-length", "transfer-encoding", "accept-encoding",
      "accept-language", "date", "traceparent", "tracestate", "x-request-id", "x-mock-session", "expect", "te":
      true
    default: false
    }
  }
}
