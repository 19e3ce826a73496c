package import CassetteHTTP
internal import CassetteJSON
package import CassettePatterns
internal import Cassettes

/// A request as rules read it: each view is made once, by the first rule that asks for it.
///
/// It is made for one request and used by one thread. All rules that look at the request share its budget.
package final class RequestReading {
  /// What was received.
  package let request: HTTPRequest
  /// The work that is left for rules.
  package var budget: MatchingBudget

  /// Creates a reading of a request, of which nothing is read yet.
  package init(_ request: HTTPRequest, budget: MatchingBudget = MatchingBudget()) {
    self.request = request
    self.budget = budget
  }

  /// Whether patterns wanted more steps than a request has: some of them were not decided.
  package var isOverBudget: Bool { budget.isSpent }

  /// Path and query.
  package private(set) lazy var target = Target(request.pathAndQuery)
  /// The body as text.
  private(set) lazy var text = ConditionText(request.body)
  /// The body's values; nil when it is no JSON.
  private(set) lazy var json = JSONTree(request.body)
  private lazy var form = Self.named(QueryItem.parse(request.body))
  private lazy var query = Self.named(QueryItem.parse(target.query))
  private lazy var cookies = Self.cookies(of: request)
  private var headers: [String: [ConditionText]] = [:]
  private var places: [JSONQuery: [ConditionText]] = [:]

  /// The values of a parameter, in their order.
  func parameter(_ name: String) -> [ConditionText] { query[name] ?? [] }

  /// The values of a form's field, in their order.
  func field(_ name: String) -> [ConditionText] { form[name] ?? [] }

  /// The values of a cookie, in their order.
  func cookie(_ name: String) -> [ConditionText] { cookies[name] ?? [] }

  /// The values of a header field, one for each line.
  func header(_ name: String) -> [ConditionText] {
    if let known = headers[name] { return known }
    let values = request.headers.values(of: name).map { ConditionText($0) }
    headers[name] = values
    return values
  }

  /// The values of the body that a path leads to: strings decoded, everything else as it is written.
  func values(at path: JSONQuery) -> [ConditionText] {
    if let known = places[path] { return known }
    guard let json, let nodes = path.places(in: json, &budget) else { return [] }
    let values = nodes.map { node in
      let token = json.bytes[node.range]
      return ConditionText(token.first == UInt8(ascii: "\"") ? JSONTree.text(ofString: token) : Array(token))
    }
    places[path] = values
    return values
  }

  private static func named(_ items: [QueryItem]) -> [String: [ConditionText]] {
    var named: [String: [ConditionText]] = [:]
    for item in items { named[item.name, default: []].append(ConditionText(item.value ?? "")) }
    return named
  }

  /// RFC 6265 §5.4: pairs with semicolons between them.
  private static func cookies(of request: HTTPRequest) -> [String: [ConditionText]] {
    var cookies: [String: [ConditionText]] = [:]
    for field in request.headers.values(of: "Cookie") {
      for pair in field.split(separator: ";") {
        let pair = pair.drop { $0 == " " }
        let name = pair.prefix { $0 != "=" }
        cookies[String(name), default: []].append(ConditionText(String(pair.dropFirst(name.count + 1))))
      }
    }
    return cookies
  }
}

extension RequestReading {
  /// A target as rules look at it.
  package struct Target {
    let whole: String
    let path: String
    let query: String

    package init(_ target: String) {
      whole = target
      path = String(target.prefix { $0 != "?" })
      query = String(target.dropFirst(path.count + 1))
    }

    /// The path in the one spelling under which equal paths are found.
    package var canonicalPath: String { CanonicalTarget.spelling(of: path) }
  }
}
