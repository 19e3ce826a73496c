package import CassetteHTTP
package import CassetteJSON

/// An answer of the control API, which is available immediately or later.
package enum ControlAnswer {
  case response(HTTPResponse)
  case pending(ControlPending)

  /// Returns an answer with a JSON object that `body` writes.
  static func json(_ body: (inout JSONWriter) -> Void) -> ControlAnswer { .response(ControlResponse.json(body)) }
}

/// An answer that is not complete yet, or that never ends.
///
/// It may be used only on the loop of its client.
package final class ControlPending {
  /// A step of a pending answer.
  package enum Step {
    /// No data is available yet.
    case waits
    /// The next part of the content.
    case part([UInt8])
    /// The complete response.
    case response(HTTPResponse)
    /// The end of the content.
    case ends
  }

  /// The time between two calls of ``next(at:)`` in seconds.
  package let interval: Double

  /// The head of a response whose content follows in parts; nil if the response is sent as a whole.
  package let head: HTTPResponse?
  private let proceed: (_ now: UInt64) -> Step

  init(head: HTTPResponse? = nil, every interval: Double, _ proceed: @escaping (_ now: UInt64) -> Step) {
    self.head = head
    self.interval = interval
    self.proceed = proceed
  }

  /// Returns the next step.
  ///
  /// - Parameter now: The time of the monotonic clock in nanoseconds; `.max` when the server stops.
  /// - Returns: The step.
  package func next(at now: UInt64) -> Step { proceed(now) }
}

/// An error response of the control API.
struct ControlRefusal: Error {
  let status: HTTPStatus
  let detail: String
  var headers: [(String, String)] = []

  init(_ status: HTTPStatus, _ detail: String, _ headers: [(String, String)] = []) {
    (self.status, self.detail, self.headers) = (status, detail, headers)
  }

  var response: HTTPResponse { ControlResponse.problem(status, detail, headers) }
}

/// Functions that create JSON responses.
package enum ControlResponse {
  /// Returns a response with a JSON object that `body` writes.
  package static func json(status: HTTPStatus = 200, _ body: (inout JSONWriter) -> Void) -> HTTPResponse {
    bytes(JSONWriter.object(body) + [10], type: "application/json", status: status)
  }

  /// Returns an error response (RFC 9457) with additional members that `more` writes.
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
