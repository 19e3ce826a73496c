internal import CassetteHTTP

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
