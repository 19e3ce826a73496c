internal import CassettePatterns
package import Cassettes

/// The most that it takes to try some rules on a request, in steps of a few nanoseconds.
package struct RuleCost: Sendable {
  /// The steps for each request, however long it is.
  private var fixed = 0
  /// The steps for each byte of the target.
  private var target = 0
  /// The steps for each byte of the body.
  private var body = 0
  private var needsJSON = false

  /// The number of steps to parse a byte of JSON.
  package static let parsing = 4

  /// Creates an empty one.
  package init() {}

  /// Returns the steps for a request of this size.
  package func steps(target length: Int, body count: Int) -> Int {
    let (all, overflows) = (body + (needsJSON ? Self.parsing : 0)).multipliedReportingOverflow(by: count)
    return overflows ? .max >> 1 : fixed + target * length + min(all, .max >> 2)
  }

  /// Adds a recording's rules.
  package mutating func add(_ rules: MatchRules) {
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
