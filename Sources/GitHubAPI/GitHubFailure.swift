import APIClientKit
public import Foundation

/// The reason why a request to ``GitHub`` failed, which `localizedDescription` describes in a sentence.
public enum GitHubFailure: Error, Sendable {
  /// The path of the request and the base URL of the client do not form a valid URL.
  case invalidURL
  /// There was no response, or its content could not be decoded.
  case unexpected(any Error)
  /// GitHub rejected the request with this status; the error is nil if its content could not be decoded.
  case status(Int, GitHubError?)

  /// The status of an error response; nil if there was no response, or if its content could not be decoded.
  public var status: Int? {
    if case .status(let status, _) = self { status } else { nil }
  }

  /// GitHub's description of the error; nil if there is none.
  public var error: GitHubError? {
    if case .status(_, let error) = self { error } else { nil }
  }

  /// The time at which the rate limit is reset; nil if the failure has another cause.
  public var retryDate: Date? {
    guard let limit = error?.rateLimit, limit.remaining == 0, [403, 429].contains(status) else { return nil }
    return limit.reset
  }

  /// Calls a function, and converts its errors to failures.
  ///
  /// A cancellation is thrown as `CancellationError`.
  static func translating<Value>(_ ask: () async throws -> Value) async throws -> Value {
    do { return try await ask() } catch {
      if case URLError.cancelled = error { throw CancellationError() }
      throw error is CancellationError ? error : GitHubFailure(error)
    }
  }

  /// Creates the failure for an error of the underlying client.
  init(_ error: any Error) {
    switch error {
    case URLError.badURL: self = .invalidURL
    case let error as APIError:
      var said = error.body(as: GitHubError.self)
      said?.rateLimit = RateLimit(error.header)
      self = .status(error.status, said)
    default: self = .unexpected(error)
    }
  }
}

extension GitHubFailure: LocalizedError {
  /// A description of the failure in a sentence.
  public var errorDescription: String? {
    switch self {
    case .invalidURL: "The path of the request and the client's base URL do not form a valid URL."
    case .unexpected(let error): Self.sentence(error)
    case .status(let status, nil): "GitHub answered with status \(status) and no explanation."
    case .status(let status, let error?): "GitHub answered with status \(status): \(error.sentence)"
    }
  }

  /// A suggestion for the user; nil if there is none.
  public var recoverySuggestion: String? {
    if let retryDate {
      return "Send the next request after \(retryDate.formatted(.iso8601)), or sign in: the limit is higher then."
    }
    return switch status {
    case 401: "Sign in with a valid token."
    case 403: "Sign in with a token that has the required scope."
    case 404: "Check the spelling; private resources require a token with access to them."
    default: nil
    }
  }

  /// Returns a description of an underlying error in a sentence.
  private static func sentence(_ error: any Error) -> String {
    switch error {
    case is URLError: "There was no response: \(text(of: error))"
    case is DecodingError:
      "The response\(Exchange(of: error)?.status.map { " with status \($0)" } ?? "") could not be decoded: "
        + text(of: error)
    case is EncodingError: "The request's content could not be encoded: \(text(of: error))"
    case ClientFailure.refresh(let error): "The token could not be refreshed: \(text(of: error))"
    case ClientFailure.signedOut: "You are signed out."
    case ClientFailure.notCached: "The cache has no response, and the cache policy forbids network access."
    case is CancellationError: "The request was cancelled."
    default: text(of: error)
    }
  }

  private static func text(of error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, let context): "\(place(context.codingPath + [key])) is missing."
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.dataCorrupted(let context):
      "\(place(context.codingPath)): \(context.debugDescription)"
    case let error as URLError: error.localizedDescription
    case let error as any LocalizedError: error.errorDescription ?? "\(error)"
    default: "\(error)"
    }
  }

  /// Returns a path in JSON, such as `$.items[3].owner`.
  private static func place(_ path: [any CodingKey]) -> String {
    path.reduce("$") { $0 + ($1.intValue.map { "[\($0)]" } ?? ".\($1.stringValue)") }
  }
}

extension GitHubError: LocalizedError {
  /// GitHub's message and the errors in fields.
  public var errorDescription: String? { sentence }

  fileprivate var sentence: String {
    let fields = (errors ?? []).map(\.words).filter { !$0.isEmpty }
    let end = message.hasSuffix(".") || message.hasSuffix(")") ? "" : "."
    return fields.isEmpty ? message + end : "\(message): \(fields.joined(separator: ", "))."
  }
}

extension GitHubError.Field {
  /// A short description of the error, such as `title is missing`.
  fileprivate var words: String {
    if let message { return message }
    let name = field ?? resource ?? ""
    let what =
      switch code {
      case "missing_field": "is missing"
      case "already_exists": "already exists"
      case "invalid", "unprocessable": "is not valid"
      case "missing": "does not exist"
      default: code ?? ""
      }
    return [name, what].filter { !$0.isEmpty }.joined(separator: " ")
  }
}
