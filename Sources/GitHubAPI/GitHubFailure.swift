import APIClientKit
public import Foundation

/// The reason why a request of ``GitHub`` failed; `localizedDescription` is a sentence about it.
public enum GitHubFailure: Error, Sendable {
  /// The request makes no URL under the client's base URL.
  case invalidURL
  /// No answer of GitHub's: no connection, or content that could not be decoded.
  case unexpected(any Error)
  /// GitHub refused, and said why, if it did.
  case status(Int, GitHubError?)

  /// The status of the answer; nil when none came, or when its content was the problem.
  public var status: Int? {
    if case .status(let status, _) = self { status } else { nil }
  }

  /// GitHub's own account of the refusal.
  public var error: GitHubError? {
    if case .status(_, let error) = self { error } else { nil }
  }

  /// The time from which requests are answered again; nil unless too many were sent.
  public var retryDate: Date? {
    guard let limit = error?.rateLimit, limit.remaining == 0, [403, 429].contains(status) else { return nil }
    return limit.reset
  }

  /// Runs requests of the client below, and throws their errors as failures; a cancellation stays one.
  static func translating<Value>(_ ask: () async throws -> Value) async throws -> Value {
    do { return try await ask() } catch {
      if case URLError.cancelled = error { throw CancellationError() }
      throw error is CancellationError ? error : GitHubFailure(error)
    }
  }

  /// Creates the failure that an error of the client below means.
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
  /// A sentence for people.
  public var errorDescription: String? {
    switch self {
    case .invalidURL: "The request makes no URL under the client's base URL."
    case .unexpected(let error): Self.sentence(error)
    case .status(let status, nil): "GitHub answered with status \(status) and did not say why."
    case .status(let status, let error?): "GitHub answered with status \(status): \(error.sentence)"
    }
  }

  /// A suggestion of what to do.
  public var recoverySuggestion: String? {
    if let retryDate {
      return "Send the next request after \(retryDate.formatted(.iso8601)), or sign in: the limit is higher then."
    }
    return switch status {
    case 401: "Sign in with a token that is valid."
    case 403: "Sign in with a token that has the scope for it."
    case 404: "Look for a typing error; what is private is found only with a token that may see it."
    default: nil
    }
  }

  /// An error of the client below in a sentence.
  private static func sentence(_ error: any Error) -> String {
    switch error {
    case is URLError: "No answer came: \(text(of: error))"
    case is DecodingError:
      "The answer\(Exchange(of: error)?.status.map { " with status \($0)" } ?? "") is not what was expected: "
        + text(of: error)
    case is EncodingError: "The request's content could not be encoded: \(text(of: error))"
    case ClientFailure.refresh(let error): "The token could not be refreshed: \(text(of: error))"
    case ClientFailure.signedOut: "Nobody is signed in any more."
    case ClientFailure.notCached: "No answer is kept, and asking GitHub was not allowed."
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

  /// A place in JSON: `$.items[3].owner`.
  private static func place(_ path: [any CodingKey]) -> String {
    path.reduce("$") { $0 + ($1.intValue.map { "[\($0)]" } ?? ".\($1.stringValue)") }
  }
}

extension GitHubError: LocalizedError {
  /// GitHub's own words, with the fields they are about.
  public var errorDescription: String? { sentence }

  fileprivate var sentence: String {
    let fields = (errors ?? []).map(\.words).filter { !$0.isEmpty }
    let end = message.hasSuffix(".") || message.hasSuffix(")") ? "" : "."
    return fields.isEmpty ? message + end : "\(message): \(fields.joined(separator: ", "))."
  }
}

extension GitHubError.Field {
  /// The error in a few words: `title is missing`.
  fileprivate var words: String {
    if let message { return message }
    let name = field ?? resource ?? ""
    let what =
      switch code {
      case "missing_field": "is missing"
      case "already_exists": "is there already"
      case "invalid", "unprocessable": "is not valid"
      case "missing": "does not exist"
      default: code ?? ""
      }
    return [name, what].filter { !$0.isEmpty }.joined(separator: " ")
  }
}
