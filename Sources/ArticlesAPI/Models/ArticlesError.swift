public import Foundation

/// An error in a response.
///
/// Connections fail with `URLError`, and cancelled requests with `CancellationError`.
public enum ArticlesError: LocalizedError, Equatable {
  /// The route requires a token, and no token is saved.
  ///
  /// No request was sent.
  case signedOut
  /// The server rejected the token or the password.
  ///
  /// The token was removed.
  case unauthorized(String?)
  /// The article does not exist.
  case notFound(String?)
  /// The server rejected the draft, with the errors in each member.
  case invalid(String?, fields: [String: [String]])
  /// There were too many requests, with the number of seconds after which the server accepts the next.
  case rateLimited(retryAfter: Int?)
  /// The response has another error status, with the server's message.
  case status(Int, String?)
  /// The response is a success, but its content could not be decoded, with the location of the error.
  case undecodable(status: Int, String)

  /// A description of the error and its remedy.
  public var errorDescription: String? {
    switch self {
    case .signedOut: "a token is required: sign in first"
    case .unauthorized(let message): "the server does not accept the token; sign in again\(Self.quoted(message))"
    case .notFound(let message): "the article does not exist\(Self.quoted(message))"
    case .invalid(let message, let fields):
      "the article was refused\(Self.quoted(message))"
        + fields.sorted { $0.key < $1.key }.map { "; \($0.key) \($0.value.joined(separator: ", "))" }.joined()
    case .rateLimited(nil): "too many requests; try again later"
    case .rateLimited(.some(let seconds)): "too many requests; try again in \(seconds) s"
    case .status(let status, let message): "the server answered \(status)\(Self.quoted(message))"
    case .undecodable(let status, let problem): "the response (\(status)) cannot be decoded: \(problem)"
    }
  }

  private static func quoted(_ message: String?) -> String { message.map { " (\"\($0)\")" } ?? "" }
}
