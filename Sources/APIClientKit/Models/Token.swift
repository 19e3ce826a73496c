public import Foundation

/// The token that tells an API which user asks.
public struct Token: Hashable, Codable, Sendable {
  /// The access token, which goes along with requests.
  public var access: String
  /// The refresh token, which a new token is asked for with.
  public var refresh: String?
  /// The time of its end, if that is known.
  public var expires: Date?

  /// Creates a token.
  public init(access: String, refresh: String? = nil, expires: Date? = nil) {
    (self.access, self.refresh, self.expires) = (access, refresh, expires)
  }
}
