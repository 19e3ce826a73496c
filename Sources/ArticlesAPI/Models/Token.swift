import Foundation

/// The credentials sent with requests, which are hidden when the value is printed.
public enum Token: Codable, Hashable, Sendable {
  /// A user name and a password (RFC 7617).
  ///
  /// On Linux, `URLSession` never completes a request whose response has status 401 and `WWW-Authenticate: Basic`,
  /// regardless of the timeout. A server for Linux clients must offer another scheme or none.
  case basic(user: String, password: String)
  /// The token that the server issued when the user signed in (RFC 6750).
  case bearer(String)

  /// The value of the `Authorization` field.
  public var authorization: String {
    switch self {
    case .basic(let user, let password): "Basic \(Data("\(user):\(password)".utf8).base64EncodedString())"
    case .bearer(let token): "Bearer \(token)"
    }
  }
}

extension Token {
  /// Parses the bearer token in an `Authorization` value; nil for another scheme, or if there is no value.
  init?(bearerIn authorization: String?) {
    let parts = authorization?.split(separator: " ", maxSplits: 1) ?? []
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    self = .bearer(String(parts[1]))
  }
}

extension Token: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The kind of token, without the secret.
  public var description: String {
    switch self {
    case .basic: "Basic …"
    case .bearer: "Bearer …"
    }
  }

  /// The kind of token, without the secret.
  public var debugDescription: String { description }

  /// An empty mirror, so that `dump` shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The e-mail address and password of a user.
public struct Credentials: Codable, Hashable, Sendable {
  /// The e-mail address of the user.
  public var email: String
  /// The user's password.
  public var password: String

  /// Creates credentials.
  ///
  /// - Parameters:
  ///   - email: The e-mail address of the user.
  ///   - password: The user's password.
  public init(email: String, password: String) {
    self.email = email
    self.password = password
  }
}

extension Credentials: CustomStringConvertible {
  /// The e-mail address, without the password.
  public var description: String { "\(email) …" }
}
