package import CassetteHTTP
package import Cassettes

/// The reason why upstream sent no response, as reported to the client and on the terminal.
package struct UpstreamFailure: Error {
  package let status: HTTPStatus
  package let message: String
  /// The failure for the recording; nil if the recorder or a proxy caused the failure.
  package var recorded: RecordedFailure?
  /// True if the request did not reach the origin or the origin timed out, which is recorded only if all failures are
  /// kept.
  package var isOnTheWay = false

  /// Returns the failure of an origin that could not be reached, or that sent invalid HTTP (RFC 9110 §15.6.3).
  ///
  /// - Parameters:
  ///   - message: The description for the client and the terminal.
  ///   - code: The code of the `URLError` to record; nil if the recorder or a proxy caused the failure.
  /// - Returns: The failure, with status 502.
  package static func badGateway(_ message: String, code: Int? = nil) -> UpstreamFailure {
    UpstreamFailure(status: 502, message: message, recorded: code.map { RecordedFailure(code: $0) }, isOnTheWay: true)
  }

  /// Returns the failure of an origin that received the request, then closed the connection or sent invalid HTTP.
  package static func noAnswer(_ message: String, _ failure: RecordedFailure) -> UpstreamFailure {
    UpstreamFailure(status: 502, message: message, recorded: failure)
  }

  /// Returns the failure of an origin that timed out (RFC 9110 §15.6.5).
  package static func timeout(_ message: String, isRecorded: Bool) -> UpstreamFailure {
    UpstreamFailure(
      status: 504, message: message, recorded: isRecorded ? RecordedFailure(code: -1001) : nil, isOnTheWay: true)
  }
}
