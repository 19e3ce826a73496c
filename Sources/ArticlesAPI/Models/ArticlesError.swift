public import Foundation

/// Why there is no answer; what went wrong on the way is a `URLError`, and a cancelled request a `CancellationError`.
public enum ArticlesError: LocalizedError, Equatable {
  /// The route needs a token and there is none; nothing was sent.
  case signedOut
  /// The server did not take the token, or the password; the token is forgotten.
  case unauthorized(String?)
  /// There is no such article.
  case notFound(String?)
  /// The draft was refused: what is wrong, by member.
  case invalid(String?, fields: [String: [String]])
  /// Too many requests; the server says after how many seconds the next is welcome.
  case rateLimited(retryAfter: Int?)
  /// Another status, and what the server said.
  case status(Int, String?)
  /// The status was good, but the answer is not what it should be, and where.
  case undecodable(status: Int, String)

  /// What happened, and what to do.
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
