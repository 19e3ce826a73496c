import Foundation

/// What says who asks; it does not show itself when it is printed.
public enum Token: Codable, Hashable, Sendable {
  /// A name and a password with every request (RFC 7617).
  ///
  /// On Linux `URLSession` never ends a request that is answered by 401 and `WWW-Authenticate: Basic`, whatever its
  /// time-out: there a server that refuses has to offer another scheme, or none.
  case basic(user: String, password: String)
  /// What the server gave when the user signed in (RFC 6750).
  case bearer(String)

  /// The value of the `Authorization` field.
  public var authorization: String {
    switch self {
    case .basic(let user, let password): "Basic \(Data("\(user):\(password)".utf8).base64EncodedString())"
    case .bearer(let token): "Bearer \(token)"
    }
  }
}

extension Token: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The kind of token, and nothing of the secret.
  public var description: String {
    switch self {
    case .basic: "Basic …"
    case .bearer: "Bearer …"
    }
  }

  /// The kind of token, and nothing of the secret.
  public var debugDescription: String { description }

  /// Nothing, so that `dump` shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Keeps the token between requests, and between launches if it can.
public protocol TokenStore: Sendable {
  /// The token that was saved, nil without one.
  func token() async throws -> Token?
  /// Keeps a token in place of the one before.
  func save(_ token: Token) async throws
  /// Forgets the token.
  func clear() async throws
}

/// Keeps a token until the process ends.
public actor MemoryTokenStore: TokenStore {
  private var current: Token?

  /// A store.
  ///
  /// - Parameter token: What is in it.
  public init(_ token: Token? = nil) { current = token }

  /// The token that was saved.
  public func token() -> Token? { current }
  /// Keeps a token in place of the one before.
  public func save(_ token: Token) { current = token }
  /// Forgets the token.
  public func clear() { current = nil }
}
