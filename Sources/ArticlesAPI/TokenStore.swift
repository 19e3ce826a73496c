/// A store that keeps the token between requests, and possibly between launches of the app.
public protocol TokenStore: Sendable {
  /// Returns the saved token; nil if no token is saved.
  func token() async throws -> Token?
  /// Saves a token, replacing the previous one.
  func save(_ token: Token) async throws
  /// Removes the token.
  func clear() async throws
}

/// A store that keeps a token in memory.
public actor MemoryTokenStore: TokenStore {
  private var current: Token?

  /// Creates a store with a token; nil (the default) for an empty store.
  public init(_ token: Token? = nil) { current = token }

  /// Returns the saved token; nil if no token is saved.
  public func token() -> Token? { current }
  /// Saves a token, replacing the previous one.
  public func save(_ token: Token) { current = token }
  /// Removes the token.
  public func clear() { current = nil }
}
