public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension URLSessionConfiguration {
  /// Returns a configuration without cache, credentials or shared cookies, whose sessions are answered by a player.
  ///
  /// - Parameter player: Who answers.
  /// - Returns: A configuration to be changed at will, but for `protocolClasses`.
  public static func cassette(_ player: CassettePlayer) -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.play(player)
    return configuration
  }

  /// Lets a player answer every session made from this configuration: nothing reaches the network any more.
  ///
  /// Cache and credentials are turned off, and the cookies every session shares are replaced by a jar of its own.
  ///
  /// - Parameter player: Who answers.
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
  /// Creates a session that this player answers.
  ///
  /// - Parameters:
  ///   - configuration: What else is wanted of it; it is copied.
  ///   - delegate: Who hears of its tasks.
  ///   - queue: Where the delegate is called.
  /// - Returns: A session of its own.
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
