internal import CassetteHTTP
internal import CassettePatterns
internal import CassettePlayback
internal import Cassettes

/// An estimate of the steps, of a few nanoseconds each, that finding an answer to a request takes at most.
///
/// The server estimates them before it matches on a loop: 200 patterns on a body of 200 KB take 13 ms of processor time,
/// in which the loop answers 1,800 other requests.
struct MatchingCost {
  /// The steps for each request, however long it is.
  private var fixed = 0
  /// The steps for each byte of the target.
  private var target = 0
  /// The steps for each byte of the body.
  private var body = 0
  private var needsJSON = false

  /// The number of steps to parse a byte of JSON.
  private static let parsing = 4
  /// The steps to look how like a request a recording is.
  private static let likeness = 40
  /// More need not be known: it is too much in any case.
  private static let enough = 1 << 24

  /// Returns the most steps to find an answer to a request, or to explain why there is none.
  ///
  /// - Parameters:
  ///   - request: The request; its content may still be coded.
  ///   - length: How long its content may be once it is decoded.
  ///   - tables: The tables that answer it.
  /// - Returns: An estimate that is rather too high.
  static func steps(for request: HTTPRequest, bodyLength length: Int, in tables: [RecordingTable]) -> Int {
    tables.reduce(0) { $0 + steps(for: request, length, in: $1) }
  }

  private static func steps(for request: HTTPRequest, _ length: Int, in table: RecordingTable) -> Int {
    let (recorded, ruled) = table.tried(for: request)
    let target = request.pathAndQuery.utf8.count
    var cost = MatchingCost()
    for entry in ruled {
      if let rules = table.rules(of: entry) { cost.add(rules) }
      if cost.steps(target: target, body: length) > enough { break }
    }
    var steps = cost.steps(target: target, body: length)
    if length > 0 {
      // Recorded bodies are compared with it, and with those of the nearest recordings if none is equal.
      let compared = (recorded?.count ?? 0) + min(RecordingTable.shortlist, table.entries.count)
      steps += compared * parsing * min(length, .max >> 24)
    }
    // A miss looks at every recording, to name the nearest.
    if length > 0 || recorded == nil { steps += table.entries.count * likeness }
    return steps
  }

  private func steps(target length: Int, body count: Int) -> Int {
    let (all, overflows) = (body + (needsJSON ? Self.parsing : 0)).multipliedReportingOverflow(by: count)
    return overflows ? .max >> 1 : fixed + target * length + min(all, .max >> 2)
  }

  /// Adds a recording's rules.
  private mutating func add(_ rules: MatchRules) {
    fixed += 10
    if let url = rules.url { target += url.size }
    if case .condition(let condition) = rules.path { target += condition.size }
    for entry in rules.query.entries { target += entry.condition.size }
    // A field is rarely longer.
    for entry in rules.headers.entries + rules.cookies.entries { fixed += 64 * entry.condition.size }
    if rules.authorization != nil { fixed += 100 }
    for rule in rules.body { add(rule) }
  }

  private mutating func add(_ rule: BodyRule) {
    switch rule {
    case .text(let condition): body += condition.size
    case .base64: fixed += 1
    case .json(let value, _, _, let order):
      needsJSON = true
      fixed += Self.parsing * value.count
      // Each element is compared with each.
      body += 1 + (order ? value.count / 8 : 0)
    case .values(let conditions):
      needsJSON = true
      // A path is a walk over what was parsed.
      for entry in conditions { body += 1 + entry.condition.size }
    case .form(let conditions):
      body += Self.parsing
      for entry in conditions.entries { body += entry.condition.size }
    case .schema:
      needsJSON = true
      // Each keyword looks at the value once, as a rule; the budget holds back the others.
      body += 16
    case .parts(let rules):
      body += Self.parsing
      for rule in rules.flatMap(\.body) { add(rule) }
      fixed +=
        64
        * rules.reduce(0) { sum, rule in
          let conditions = [rule.name, rule.filename].compactMap(\.self) + rule.headers.entries.map(\.condition)
          return conditions.reduce(sum) { $0 + $1.size }
        }
    case .graphQL(let rule):
      needsJSON = true
      body += rule.variables.reduce(Self.parsing) { $0 + 1 + $1.condition.size }
    case .jsonRPC(let rule):
      needsJSON = true
      body += rule.params.reduce(1) { $0 + 1 + $1.condition.size }
    case .and(let rules), .or(let rules): for rule in rules { add(rule) }
    case .not(let rule): add(rule)
    }
  }
}

extension Condition {
  /// The most steps that a byte of a value may take.
  fileprivate var size: Int {
    guard case .all(let terms) = self else { return 0 }
    return terms.reduce(0) { size, term in
      switch term {
      case .matches(let pattern), .doesNotMatch(let pattern): size + pattern.size
      case .equals, .equalsIgnoringCase, .contains, .doesNotContain, .absent, .number, .time: size + 1
      case .oneOf(let texts): size + texts.count
      case .not(let condition): size + condition.size
      case .and(let all), .or(let all), .includes(let all), .hasExactly(let all):
        all.reduce(size) { $0 + $1.size }
      }
    }
  }
}
