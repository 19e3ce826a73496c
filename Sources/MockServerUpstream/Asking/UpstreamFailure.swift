package import CassetteHTTP
package import Cassettes

/// Why upstream gave no answer, as it is told to the client and to the person at the terminal.
package struct UpstreamFailure: Error {
  package let status: HTTPStatus
  package let message: String
  /// How an origin failed that was asked and gave no answer, for the recording; nil for what failed on the way.
  package var recorded: RecordedFailure?

  /// Whom nobody could ask, or who said what is no HTTP (RFC 9110 §15.6.3).
  package static func badGateway(_ message: String) -> UpstreamFailure {
    UpstreamFailure(status: 502, message: message)
  }

  /// Who was asked, and hung up or said what is no HTTP.
  package static func noAnswer(_ message: String, _ failure: RecordedFailure) -> UpstreamFailure {
    UpstreamFailure(status: 502, message: message, recorded: failure)
  }

  /// Who took too long (RFC 9110 §15.6.5).
  package static func timeout(_ message: String) -> UpstreamFailure { UpstreamFailure(status: 504, message: message) }
}
