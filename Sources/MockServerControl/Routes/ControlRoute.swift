package import CassetteHTTP
internal import Cassettes

/// A route of the control API with its parameters and its handler.
///
/// The dispatch of calls, the validation of parameters and the OpenAPI document use the same table of routes.
struct ControlRoute: Sendable {
  let method: HTTPMethod
  /// The path.
  ///
  /// A name in braces matches one segment; if it ends in an asterisk, it matches the rest of the path.
  let path: String
  let summary: String
  let query: [ControlField]
  let content: ControlContent
  /// The status of a successful response.
  let status: Int
  /// Further statuses, and the cases in which they are sent.
  let others: [(status: Int, summary: String)]
  /// The media type of the response.
  let answers: String
  /// The name of the response's schema in ``ControlDocument``; nil for a plain text response.
  let schema: String?
  /// Further media types of the response, which a query parameter selects.
  let also: [String]
  /// The method of the API that handles the call.
  let answer: @Sendable (ControlAPI) -> (ControlCall) throws(ControlRefusal) -> ControlAnswer

  init(
    _ method: HTTPMethod, _ path: String, _ summary: String, query: [ControlField] = [],
    content: ControlContent = .none, status: Int = 200, others: [(status: Int, summary: String)] = [],
    answers: String = "application/json", schema: String? = nil, also: [String] = [],
    _ answer: @escaping @Sendable (ControlAPI) -> (ControlCall) throws(ControlRefusal) -> ControlAnswer
  ) {
    (self.method, self.path, self.summary, self.query, self.content) = (method, path, summary, query, content)
    (self.status, self.others, self.answers, self.answer) = (status, others, answers, answer)
    (self.schema, self.also) = (schema, also)
  }

  /// Returns the values of the parameters in a path; nil if the path does not match.
  func parameters(of path: String) -> [String: String]? {
    let wanted = self.path.split(separator: "/", omittingEmptySubsequences: false)
    let asked = path.split(separator: "/", omittingEmptySubsequences: false)
    var values: [String: String] = [:]
    for (index, segment) in wanted.enumerated() {
      guard index < asked.count else { return nil }
      guard segment.hasPrefix("{") else {
        guard segment == asked[index] else { return nil }
        continue
      }
      let isRest = segment.hasSuffix("*}")
      let value = isRest ? asked[index...].joined(separator: "/") : String(asked[index])
      guard !value.isEmpty else { return nil }
      values[String(segment.dropFirst().dropLast(isRest ? 2 : 1))] = PercentEncoding.decodeText(
        value.utf8, plusIsSpace: false)
      if isRest { return values }
    }
    return wanted.count == asked.count ? values : nil
  }
}

extension ControlAPI {
  /// Responds to a request whose path starts with `/__mock/`.
  package func respond(to request: HTTPRequest) -> ControlAnswer {
    do throws(ControlRefusal) {
      try check(request)
      let answer = try call(request)
      guard case .response(let response) = answer else { return answer }
      return .response(hiding(response))
    } catch {
      return .response(hiding(error.response))
    }
  }

  private func call(_ request: HTTPRequest) throws(ControlRefusal) -> ControlAnswer {
    let path = request.target.path
    // HEAD is handled as GET, and the server omits the content (RFC 9110 §9.3.2).
    let method = request.method == .head ? .get : request.method
    let routes = ControlRoutes.all.compactMap { route in route.parameters(of: path).map { (route, $0) } }
    guard !routes.isEmpty else {
      let names = Set(ControlRoutes.all.map { $0.path }).sorted()
      let meant = nearest(to: path, among: names).map { "; did you mean \($0)?" } ?? "."
      throw ControlRefusal(404, "there is no path \(path)\(meant) GET /__mock/openapi.json describes all calls")
    }
    guard let (route, parameters) = routes.first(where: { $0.0.method == method }) else {
      let methods = routes.map(\.0.method.rawValue)
      let allowed = methods.flatMap { $0 == "GET" ? ["GET", "HEAD"] : [$0] }.joined(separator: ", ")
      throw ControlRefusal(405, "\(path) supports only \(methods.joined(separator: ", "))", [("Allow", allowed)])
    }
    let call = try ControlCall(request, parameters, query: route.query, route.content)
    return try route.answer(self)(call)
  }
}
