public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension URLSessionConfiguration {
  /// Returns a configuration without cache, credentials or shared cookies, whose sessions are answered by a player.
  ///
  /// - Parameter player: The player that answers.
  /// - Returns: The configuration. All properties except `protocolClasses` can be changed.
  public static func cassette(_ player: CassettePlayer) -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.play(player)
    return configuration
  }

  /// Makes a player answer every session created from this configuration, so that no request reaches the network.
  ///
  /// Disables the cache and the credential storage, and replaces the shared cookie storage with a private one.
  ///
  /// - Parameter player: The player that answers.
  public func play(_ player: CassettePlayer) {
    let type = player.takeProtocolClass()
    play(on: type)
    SessionProtocolClasses.shared.give(type, to: self)
  }

  func play(on type: CassetteURLProtocol.Type) {
    protocolClasses = [type]
    urlCache = nil
    urlCredentialStorage = nil
    if httpCookieStorage === HTTPCookieStorage.shared {
      httpCookieStorage = URLSessionConfiguration.ephemeral.httpCookieStorage
    }
  }
}

extension CassettePlayer {
  /// Creates a session that is answered by this player.
  ///
  /// - Parameters:
  ///   - configuration: The configuration to copy. Ephemeral by default.
  ///   - delegate: The delegate of the session. None by default.
  ///   - queue: The queue on which the delegate is called. By default, a queue created by the session.
  /// - Returns: The new session.
  public func session(
    configuration: URLSessionConfiguration = .ephemeral, delegate: (any URLSessionDelegate)? = nil,
    delegateQueue queue: OperationQueue? = nil
  ) -> URLSession {
    let copy = configuration.copy() as? URLSessionConfiguration ?? .ephemeral
    let type = takeProtocolClass()
    copy.play(on: type)
    let session = URLSession(configuration: copy, delegate: delegate, delegateQueue: queue)
    SessionProtocolClasses.shared.lend(type, to: session)
    return session
  }
}
