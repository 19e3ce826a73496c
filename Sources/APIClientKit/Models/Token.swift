public import Foundation

/// The token that identifies the user to an API.
public struct Token: Hashable, Codable, Sendable {
  /// The access token, which is sent with requests.
  public var access: String
  /// The refresh token, which is exchanged for a new token; nil if there is none.
  public var refresh: String?
  /// The time at which the token expires; nil if unknown.
  public var expires: Date?

  /// Creates a token.
  public init(access: String, refresh: String? = nil, expires: Date? = nil) {
    (self.access, self.refresh, self.expires) = (access, refresh, expires)
  }
}
