import Foundation

/// The credential that requests carry; it does not show itself when it is printed.
public enum Token: Codable, Hashable, Sendable {
  /// A name and a password with every request (RFC 7617).
  ///
  /// On Linux `URLSession` never ends a request that is answered by 401 and `WWW-Authenticate: Basic`, whatever its
  /// time-out: there a server that refuses has to offer another scheme, or none.
  case basic(user: String, password: String)
  /// The token that the server gave when the user signed in (RFC 6750).
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
  /// The bearer token of an `Authorization` field; nil for another scheme, and without one.
  init?(bearerIn authorization: String?) {
    let parts = authorization?.split(separator: " ", maxSplits: 1) ?? []
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    self = .bearer(String(parts[1]))
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

  /// An empty mirror, so that `dump` shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The address and password that a user signs in with.
public struct Credentials: Codable, Hashable, Sendable {
  /// The user's address.
  public var email: String
  /// The user's password.
  public var password: String

  /// Creates credentials of an address and a password.
  ///
  /// - Parameters:
  ///   - email: The user's address.
  ///   - password: The user's password.
  public init(email: String, password: String) {
    self.email = email
    self.password = password
  }
}

extension Credentials: CustomStringConvertible {
  /// The address, and nothing of the password.
  public var description: String { "\(email) …" }
}
