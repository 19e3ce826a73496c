public import Foundation

/// What tells an API who asks.
public struct Token: Hashable, Codable, Sendable {
  /// What goes along with requests.
  public var access: String
  /// What a new token is got with.
  public var refresh: String?
  /// When it is of no use any more, if that is known.
  public var expires: Date?

  /// A token.
  public init(access: String, refresh: String? = nil, expires: Date? = nil) {
    (self.access, self.refresh, self.expires) = (access, refresh, expires)
  }
}
