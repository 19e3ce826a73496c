package import CassetteHTTP
package import Cassettes

/// The reason why upstream gave no answer, as it is told to the client and to the person at the terminal.
package struct UpstreamFailure: Error {
  package let status: HTTPStatus
  package let message: String
  /// The failure for the recording; nil if the recorder or a proxy caused the failure.
  package var recorded: RecordedFailure?
  /// True if the request did not reach the origin, or the origin was silent: recorded only if all failures are kept.
  package var isOnTheWay = false

  /// Returns the failure of an origin that could not be reached, or that sent invalid HTTP (RFC 9110 §15.6.3).
  ///
  /// `code` is a code of `URLError`; nil if the recorder or a proxy caused the failure.
  package static func badGateway(_ message: String, code: Int? = nil) -> UpstreamFailure {
    UpstreamFailure(status: 502, message: message, recorded: code.map { RecordedFailure(code: $0) }, isOnTheWay: true)
  }

  /// Returns the failure of an origin that was asked, and closed the connection or sent what is no HTTP.
  package static func noAnswer(_ message: String, _ failure: RecordedFailure) -> UpstreamFailure {
    UpstreamFailure(status: 502, message: message, recorded: failure)
  }

  /// Returns the failure of an origin that took too long (RFC 9110 §15.6.5).
  package static func timeout(_ message: String, isRecorded: Bool) -> UpstreamFailure {
    UpstreamFailure(
      status: 504, message: message, recorded: isRecorded ? RecordedFailure(code: -1001) : nil, isOnTheWay: true)
  }
}
