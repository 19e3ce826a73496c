public import Foundation

/// A refusal or a wrong answer; a failure on the way is a `URLError`, a cancelled request a `CancellationError`.
public enum ArticlesError: LocalizedError, Equatable {
  /// The route needs a token and there is none; nothing was sent.
  case signedOut
  /// The server did not take the token, or the password; the token is forgotten.
  case unauthorized(String?)
  /// There is no such article.
  case notFound(String?)
  /// The draft was refused, with the problems of each member.
  case invalid(String?, fields: [String: [String]])
  /// Too many requests; the server says after how many seconds the next is welcome.
  case rateLimited(retryAfter: Int?)
  /// Another status, with the server's message.
  case status(Int, String?)
  /// The status was good, but the content could not be decoded, with the place.
  case undecodable(status: Int, String)

  /// A description of the error, and of what to do.
  public var errorDescription: String? {
    switch self {
    case .signedOut: "this needs a token: sign in first"
    case .unauthorized(let message): "the server does not know you; sign in again\(Self.quoted(message))"
    case .notFound(let message): "there is no such article\(Self.quoted(message))"
    case .invalid(let message, let fields):
      "the article was refused\(Self.quoted(message))"
        + fields.sorted { $0.key < $1.key }.map { "; \($0.key) \($0.value.joined(separator: ", "))" }.joined()
    case .rateLimited(nil): "too many requests; try again later"
    case .rateLimited(.some(let seconds)): "too many requests; try again in \(seconds) s"
    case .status(let status, let message): "the server answered \(status)\(Self.quoted(message))"
    case .undecodable(let status, let problem): "the answer (\(status)) is not understood: \(problem)"
    }
  }

  private static func quoted(_ message: String?) -> String { message.map { " (\"\($0)\")" } ?? "" }
}
