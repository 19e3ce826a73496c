package import CassetteHTTP
package import CassetteJSON

/// An answer of the control API: at once, or once something has happened.
package enum ControlAnswer {
  case response(HTTPResponse)
  case pending(ControlPending)

  /// An object with the members that `body` writes.
  static func json(_ body: (inout JSONWriter) -> Void) -> ControlAnswer { .response(ControlResponse.json(body)) }
}

/// An answer that waits for something, or that never ends; it belongs to the loop of its client.
package final class ControlPending {
  /// A step of an answer that comes later.
  package enum Step {
    /// Nothing has happened.
    case waits
    /// The next part of the content.
    case part([UInt8])
    /// The whole answer.
    case response(HTTPResponse)
    /// The content ends.
    case ends
  }

  /// The interval between questions for the answer, in seconds.
  package let interval: Double

  /// The response to send at once, its content in parts to come; nil when the answer comes as a whole.
  package let head: HTTPResponse?
  private let proceed: (_ now: UInt64) -> Step

  init(head: HTTPResponse? = nil, every interval: Double, _ proceed: @escaping (_ now: UInt64) -> Step) {
    self.head = head
    self.interval = interval
    self.proceed = proceed
  }

  /// Looks at what has happened by a time of the monotonic clock, and returns how the answer goes on.
  package func next(at now: UInt64) -> Step { proceed(now) }
}

/// The reason why a call of the control API is refused.
struct ControlRefusal: Error {
  let status: HTTPStatus
  let detail: String
  var headers: [(String, String)] = []

  init(_ status: HTTPStatus, _ detail: String, _ headers: [(String, String)] = []) {
    (self.status, self.detail, self.headers) = (status, detail, headers)
  }

  var response: HTTPResponse { ControlResponse.problem(status, detail, headers) }
}

/// Answers in JSON.
package enum ControlResponse {
  /// An object with the members that `body` writes.
  package static func json(status: HTTPStatus = 200, _ body: (inout JSONWriter) -> Void) -> HTTPResponse {
    bytes(JSONWriter.object(body) + [10], type: "application/json", status: status)
  }

  /// Returns the response that explains why something is not done (RFC 9457), with members that `more` writes.
  package static func problem(
    _ status: HTTPStatus, _ detail: String, _ headers: [(String, String)] = [],
    more: (inout JSONWriter) -> Void = { _ in }
  ) -> HTTPResponse {
    var response = json(status: status) { json in
      json.member("title", status.standardPhrase ?? "")
      json.member("status", status.code)
      json.member("detail", detail)
      more(&json)
    }
    response.headers.set("Content-Type", "application/problem+json")
    for (name, value) in headers { response.headers.append(name, value) }
    return response
  }

  static func bytes(_ body: [UInt8], type: String, status: HTTPStatus = 200) -> HTTPResponse {
    let headers: HTTPHeaders = [
      ("Content-Type", type), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
    ]
    return HTTPResponse(status: status, headers: headers, body: body)
  }
}
