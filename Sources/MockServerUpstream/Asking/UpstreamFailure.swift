package import CassetteHTTP
package import Cassettes

/// The reason why upstream gave no answer, as it is told to the client and to the person at the terminal.
package struct UpstreamFailure: Error {
  package let status: HTTPStatus
  package let message: String
  /// The failure of an origin that was asked and gave no answer, for the recording; nil for a failure on the way.
  package var recorded: RecordedFailure?

  /// Returns the failure of an origin that could not be asked, or that sent what is no HTTP (RFC 9110 §15.6.3).
  package static func badGateway(_ message: String) -> UpstreamFailure {
    UpstreamFailure(status: 502, message: message)
  }

  /// Returns the failure of an origin that was asked, and closed the connection or sent what is no HTTP.
  package static func noAnswer(_ message: String, _ failure: RecordedFailure) -> UpstreamFailure {
    UpstreamFailure(status: 502, message: message, recorded: failure)
  }

  /// Returns the failure of an origin that took too long (RFC 9110 §15.6.5).
  package static func timeout(_ message: String) -> UpstreamFailure { UpstreamFailure(status: 504, message: message) }
}
