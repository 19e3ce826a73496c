import Foundation

/// Keeps a client's token and refreshes it, once however many requests are refused together.
public actor Tokens {
  /// A token and how many refreshes had ended when it was handed out.
  struct Ticket: Sendable {
    let token: Token
    let round: Int
    /// True if another token can be obtained.
    let isRefreshable: Bool
  }

  /// The token; nil when signed out.
  public private(set) var current: Token?
  private var round = 0
  private var failure: (any Error)?
  private var refreshing: Task<Void, Never>?
  private let refresh: (@Sendable (Token) async throws -> Token)?
  private let changed: @Sendable (Token?) -> Void
  /// A refresh may ask through the same client: its request goes out as it is instead of waiting for itself.
  @TaskLocal private static var isRefreshing = false

  /// Keeps a token, and tells of each other one to keep it, or of nil to forget it.
  ///
  /// A `refresh` that fails by a status of 400 or 401 means that the token cannot be refreshed any more: that signs out.
  public init(
    _ token: Token? = nil, refresh: @escaping @Sendable (Token) async throws -> Token,
    changed: @escaping @Sendable (Token?) -> Void = { _ in }
  ) {
    (current, self.refresh, self.changed) = (token, refresh, changed)
  }

  /// Keeps a token that cannot be refreshed: a 401 is thrown as it is.
  public init(_ token: Token) { (current, refresh, changed) = (token, nil, { _ in }) }

  /// Signs in with a token, or out with nil.
  public func use(_ token: Token?) {
    (current, failure) = (token, nil)
    round += 1
    changed(token)
  }

  /// The token to send: another one after the server has refused one, or when it is known to be of no use.
  func ticket(after refused: Ticket?) async throws -> Ticket? {
    if let refused { return try await renewed(refused) }
    guard !Self.isRefreshing, let token = current else { return nil }
    let ticket = Ticket(token: token, round: round, isRefreshable: refresh != nil)
    let isOld = token.expires.map { $0 <= Date() } ?? false
    return refresh != nil && (refreshing != nil || isOld) ? try await renewed(ticket) : ticket
  }

  private func renewed(_ refused: Ticket) async throws -> Ticket {
    if refused.round < round {
      // A refresh has ended since: what came of it is for all that were waiting.
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
      // Where somebody has signed in or out meanwhile, that counts.
      if current == token { use(new) }
    } catch {
      guard current == token else { return }
      let isExpired = [400, 401].contains((error as? APIError)?.status ?? 0)
      if isExpired { use(nil) } else { (failure, round) = (error, round + 1) }
    }
  }
}
