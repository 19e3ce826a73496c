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

  /// Creates a store with a token in it, or an empty one.
  public init(_ token: Token? = nil) { current = token }

  /// Returns the token that was saved.
  public func token() -> Token? { current }
  /// Keeps a token in place of the one before.
  public func save(_ token: Token) { current = token }
  /// Forgets the token.
  public func clear() { current = nil }
}
