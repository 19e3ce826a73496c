/// The differences between Apple's URL loading system and that of swift-corelibs-foundation that affect a protocol.
struct LoadingSystem: Sendable {
  /// True if a task reveals its session, and a session always returns the same configuration object.
  ///
  /// Apple's `URLSession.configuration` returns a copy, and no public API leads from a task to its session.
  let revealsSessions: Bool
  /// True if a protocol receives requests with the cookies that the session's storage had when the task was created.
  let addsCookies: Bool
  /// True if the client of a protocol collects the pieces of a body for a completion handler.
  let collectsPieces: Bool
  /// True if the client of a protocol asks the delegate about a redirect and loads the next request.
  let followsRedirects: Bool

  static let apple = LoadingSystem(
    revealsSessions: false, addsCookies: false, collectsPieces: true, followsRedirects: true)
  static let corelibs = LoadingSystem(
    revealsSessions: true, addsCookies: true, collectsPieces: false, followsRedirects: false)

  #if canImport(FoundationNetworking)
    static let current = corelibs
  #else
    static let current = apple
  #endif
}
