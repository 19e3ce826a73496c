#if canImport(FoundationNetworking)
  public import FoundationNetworking
#else
  public import Foundation
#endif

extension URLSession {
  /// The requests received by the player that answers this session, from any of the player's sessions.
  ///
  /// The requests are in order, including each request of a redirect; only the first thousand are kept. Empty for a
  /// session that no player answers.
  public var requests: [CassetteSentRequest] {
    guard let type = configuration.protocolClasses?.first else { return [] }
    if type == SharedURLProtocol.self { return SharedSession.use().0?.player.requests ?? [] }
    return SessionProtocolClasses.shared.player(of: type)?.requests ?? []
  }
}
