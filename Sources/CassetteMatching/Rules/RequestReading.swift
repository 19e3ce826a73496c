package import CassetteHTTP
internal import CassetteJSON
package import CassettePatterns
internal import Cassettes

/// A request as rules read it: each view is made once, by the first rule that asks for it.
///
/// It is made for one request and used by one thread. All rules that look at the request share its budget.
package final class RequestReading {
  /// The request as it was received.
  package let request: HTTPRequest
  /// The work that is left for rules.
  package var budget: MatchingBudget

  /// Creates a reading of a request, of which nothing is read yet.
  package init(_ request: HTTPRequest, budget: MatchingBudget = MatchingBudget()) {
    self.request = request
    self.budget = budget
  }

  /// True if patterns wanted more steps than a request has: some of them were not decided.
  package var isOverBudget: Bool { budget.isSpent }

  /// Path and query.
  package private(set) lazy var target = Target(request.pathAndQuery)
  /// The body as text.
  private(set) lazy var text = ConditionText(request.body)
  /// The body's values; nil when it is no JSON.
  private(set) lazy var json = JSONTree(request.body)
  /// The parts of a multipart body, each as a request of its own.
  private(set) lazy var parts = MultipartBody.parts(of: request.body, type: request.headers.mediaType).map { part in
    let request = HTTPRequest(method: .post, target: request.target, headers: part.headers, body: part.content)
    return (part: part, reading: RequestReading(request))
  }
  /// The parsed GraphQL call; nil when the request is none.
  private(set) lazy var graphQL = GraphQLCall(self)
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
    // RFC 9112 §3.2.2: a target with an authority says where it goes, and not the field.
    let authority = name.lowercased() == "host" ? request.target.authority : nil
    let values = (authority.map { [$0] } ?? request.headers.values(of: name)).map { ConditionText($0) }
    headers[name] = values
    return values
  }

  /// The values of the body that a path leads to: strings decoded, everything else as it is written.
  func values(at path: JSONQuery) -> [ConditionText] {
    if let known = places[path] { return known }
    guard let json else { return [] }
    let before = budget.undecided
    let values = Self.values(at: path, in: json, &budget)
    if budget.undecided == before { places[path] = values }
    return values
  }

  /// The values of a text that a path leads to; none where that takes too long.
  static func values(at path: JSONQuery, in json: JSONTree, _ budget: inout MatchingBudget) -> [ConditionText] {
    (path.places(in: json, &budget) ?? []).map { node in
      let token = json.bytes[node.range]
      return ConditionText(token.first == UInt8(ascii: "\"") ? JSONTree.text(ofString: token) : Array(token))
    }
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
        // As it was sent, or decoded: a condition may say either.
        let value = String(pair.dropFirst(name.count + 1))
        let decoded = PercentEncoding.decodeText(Array(value.utf8), plusIsSpace: false)
        cookies[String(name), default: []].append(ConditionText(value))
        if decoded != value { cookies[String(name), default: []].append(ConditionText(decoded)) }
      }
    }
    return cookies
  }
}

extension RequestReading {
  /// A target as rules look at it.
  package struct Target {
    /// Path and query as they were sent.
    package let whole: String
    let path: String
    let query: String
    /// The path in the one spelling under which equal paths are found.
    package let canonicalPath: String

    package init(_ target: String) {
      whole = target
      path = String(target.prefix { $0 != "?" })
      query = String(target.dropFirst(path.count + 1))
      canonicalPath = CanonicalTarget.spelling(of: path)
    }
  }
}
