#if canImport(FoundationNetworking)
  public import FoundationNetworking
#else
  public import Foundation
#endif

extension URLSession {
  /// The requests that came to the cassettes and stubs of this session, whichever of their sessions sent them.
  ///
  /// They are in the order they came; each hop of a redirect is one. The first thousand are kept. A session that neither
  /// cassettes nor stubs answer has none.
  public var requests: [CassetteSentRequest] {
    guard let type = configuration.protocolClasses?.first else { return [] }
    if type == SharedURLProtocol.self { return SharedSession.use().0?.player.requests ?? [] }
    return SessionProtocolClasses.shared.player(of: type)?.requests ?? []
  }
}
