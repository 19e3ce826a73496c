internal import CassetteHTTP

/// One thing that the control API does: what it is asked with, and what does it.
///
/// Asking, refusing what is unknown and the OpenAPI document all read the same table of these.
struct ControlRoute: Sendable {
  let method: HTTPMethod
  /// With names in braces that stand for one segment each; one that ends in an asterisk stands for the rest.
  let path: String
  let summary: String
  let query: [ControlField]
  let content: ControlContent
  /// The status of an answer that is no refusal.
  let status: Int
  /// Further statuses, and when they come.
  let others: [(status: Int, summary: String)]
  /// The media type of the answer.
  let answers: String
  /// The name of the answer's schema in ``ControlDocument``; nil for an answer that is plain text.
  let schema: String?
  /// Further media types of the answer, which a query parameter selects.
  let also: [String]
  /// The method of the API that answers.
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

  /// The values of the names in the path; nil when it is another path.
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
