package import CassetteHTTP
package import CassetteJSON
package import CassettePatterns
internal import Cassettes

/// A request during comparison: each view is computed once, when a rule or a recorded body first needs it.
///
/// It is created for one request and used by one thread. All rules for the request share its budget.
package final class RequestReading {
  /// The request as it was received.
  package let request: HTTPRequest
  /// The remaining budget for rules.
  package var budget: MatchingBudget

  /// Creates a reading of a request, without parsing the request.
  ///
  /// - `mostElements`: The number of elements of a body beyond which it is compared only as bytes.
  package init(_ request: HTTPRequest, budget: MatchingBudget = MatchingBudget(), mostElements: Int = .max) {
    self.request = request
    self.budget = budget
    self.mostElements = mostElements
    if BodyElements.exceed(mostElements, in: request.body) { self.budget.mostElements = mostElements }
  }

  private let mostElements: Int
  /// The body for rules about its values; empty if it has too many, which leaves the rules undecided.
  private var values: [UInt8] {
    if budget.mostElements == nil { return request.body }
    budget.leaveUndecided()
    return []
  }

  /// True if patterns exceeded the budget, so that some rules are undecided.
  var isOverBudget: Bool { budget.isSpent }

  /// The path and query.
  package private(set) lazy var target = Target(request.pathAndQuery)
  /// The body as text.
  private(set) lazy var text = ConditionText(request.body)
  /// The values of the body; nil if it is not JSON.
  private(set) lazy var json = JSONTree(values)
  /// The parts of a multipart body, each as a separate request.
  private(set) lazy var parts = MultipartBody.parts(of: values, type: request.headers.mediaType).map { part in
    let request = HTTPRequest(method: .post, target: request.target, headers: part.headers, body: part.content)
    return (part: part, reading: RequestReading(request))
  }
  /// The parsed GraphQL call; nil if the request is not a GraphQL call.
  private(set) lazy var graphQL = GraphQLCall(self)
  private lazy var form = Self.named(QueryItem.parse(values))
  private lazy var query = Self.named(QueryItem.parse(target.query))
  private lazy var cookies = Self.cookies(of: request)
  private var headers: [String: [ConditionText]] = [:]
  private var places: [JSONQuery: [ConditionText]] = [:]
  private var bodies: [(tolerance: JSONTolerance, body: NormalBody)] = []

  /// Returns the body in normal form, for the tolerance of a recording.
  package func body(_ tolerance: JSONTolerance) -> NormalBody {
    if let found = bodies.first(where: { $0.tolerance == tolerance }) { return found.body }
    let body = NormalBody(
      request.body, contentType: request.headers["Content-Type"], tolerance: tolerance,
      mostElements: mostElements)
    bodies.append((tolerance, body))
    return body
  }

  /// Returns the values of a parameter, in their order.
  func parameter(_ name: String) -> [ConditionText] { query[name] ?? [] }

  /// Returns the values of a form's field, in their order.
  func field(_ name: String) -> [ConditionText] { form[name] ?? [] }

  /// Returns the values of a cookie, in their order.
  func cookie(_ name: String) -> [ConditionText] { cookies[name] ?? [] }

  /// Returns the values of a header field, one for each line.
  func header(_ name: String) -> [ConditionText] {
    if let known = headers[name] { return known }
    // The authority of an absolute target takes precedence over the Host field (RFC 9112 §3.2.2).
    let authority = name.lowercased() == "host" ? request.target.authority : nil
    let values = (authority.map { [$0] } ?? request.headers.values(of: name)).map { ConditionText($0) }
    headers[name] = values
    return values
  }

  /// Returns the values of the body that a path selects: strings decoded, other values as written.
  func values(at path: JSONQuery) -> [ConditionText] {
    if let known = places[path] { return known }
    guard let json else { return [] }
    let before = budget.undecided
    let values = Self.values(at: path, in: json, &budget)
    if budget.undecided == before { places[path] = values }
    return values
  }

  /// Returns the JSON values that a path selects; empty if the budget is exceeded.
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

  /// Parses cookies: pairs separated by semicolons (RFC 6265 §5.4).
  private static func cookies(of request: HTTPRequest) -> [String: [ConditionText]] {
    var cookies: [String: [ConditionText]] = [:]
    for field in request.headers.values(of: "Cookie") {
      for pair in field.split(separator: ";") {
        let pair = pair.drop { $0 == " " }
        let name = pair.prefix { $0 != "=" }
        // A condition may use the raw or the decoded value.
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
  /// A target in the form that rules use.
  package struct Target {
    /// The path and query as sent.
    package let whole: String
    let path: String
    let query: String
    /// The path in its canonical spelling, in which equivalent paths are equal.
    package let canonicalPath: String

    package init(_ target: String) {
      whole = target
      path = String(target.prefix { $0 != "?" })
      query = String(target.dropFirst(path.count + 1))
      canonicalPath = CanonicalTarget.spelling(of: path)
    }
  }
}
