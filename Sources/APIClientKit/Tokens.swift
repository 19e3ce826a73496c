import Foundation

/// The store of a client's token, which refreshes the token only once if several requests fail at the same time.
public actor Tokens {
  /// A token, and the number of refreshes completed before it was issued.
  struct Ticket: Sendable {
    let token: Token
    let round: Int
    /// True if the token can be refreshed.
    let isRefreshable: Bool
  }

  /// The token; nil if the user is signed out.
  public private(set) var current: Token?
  private var round = 0
  private var failure: (any Error)?
  private var refreshing: Task<Void, Never>?
  private let refresh: (@Sendable (Token) async throws -> Token)?
  private let changed: @Sendable (Token?) -> Void
  /// True during a refresh.
  ///
  /// The refresh may use the same client, whose request is then sent without a token instead of waiting for itself.
  @TaskLocal private static var isRefreshing = false

  /// Creates a store of a refreshable token.
  ///
  /// A `refresh` that fails with status 400 or 401 means that the token can no longer be refreshed, and signs the user
  /// out.
  ///
  /// - Parameters:
  ///   - token: The initial token; nil (the default) if the user is signed out.
  ///   - refresh: The function that exchanges a token for a new one.
  ///   - changed: A function that saves each new token, and removes the saved token when it is called with nil.
  public init(
    _ token: Token? = nil, refresh: @escaping @Sendable (Token) async throws -> Token,
    changed: @escaping @Sendable (Token?) -> Void = { _ in }
  ) {
    (current, self.refresh, self.changed) = (token, refresh, changed)
  }

  /// Creates a store of a token that cannot be refreshed.
  ///
  /// A response with status 401 is then thrown as an error.
  public init(_ token: Token) { (current, refresh, changed) = (token, nil, { _ in }) }

  /// Signs in with a token, or signs out with nil.
  public func use(_ token: Token?) {
    (current, failure) = (token, nil)
    round += 1
    changed(token)
  }

  /// Returns the token to send, refreshed if the server has rejected the last one or it has expired.
  func ticket(after refused: Ticket?) async throws -> Ticket? {
    if let refused { return try await renewed(refused) }
    guard !Self.isRefreshing, let token = current else { return nil }
    let ticket = Ticket(token: token, round: round, isRefreshable: refresh != nil)
    let isOld = token.expires.map { $0 <= Date() } ?? false
    return refresh != nil && (refreshing != nil || isOld) ? try await renewed(ticket) : ticket
  }

  private func renewed(_ refused: Ticket) async throws -> Ticket {
    if refused.round < round {
      // A refresh has completed since the token was issued. Its result applies to all waiting requests.
      guard let current else { throw ClientFailure.signedOut }
      if current == refused.token, let failure { throw ClientFailure.refresh(failure) }
      return Ticket(token: current, round: round, isRefreshable: true)
    }
    let renewal = refreshing ?? Task { await renew(refused.token) }
    refreshing = renewal
    await renewal.value
    return try await renewed(refused)
  }

  private func renew(_ token: Token) async {
    defer { refreshing = nil }
    guard let refresh else { return }
    do {
      let new = try await Self.$isRefreshing.withValue(true) { try await refresh(token) }
      // If the user has signed in or out in the meantime, that change takes precedence.
      if current == token { use(new) }
    } catch {
      guard current == token else { return }
      let isExpired = [400, 401].contains((error as? APIError)?.status ?? 0)
      if isExpired { use(nil) } else { (failure, round) = (error, round + 1) }
    }
  }
}
