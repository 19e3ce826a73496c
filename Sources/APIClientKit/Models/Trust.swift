public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The client's certificate, and the servers that it trusts beside those of the system.
public struct Trust: Sendable {
  /// A certificate or key that a server has to show, beside a chain that the system trusts.
  public enum Pin: Hashable, Sendable {
    /// A certificate of the chain, as DER.
    case certificate(Data)
    /// The key of a certificate of the chain, as `SecKeyCopyExternalRepresentation` gives it.
    case publicKey(Data)
  }

  /// Answers a server that asks for a certificate: `URLCredential(identity:certificates:persistence:)`.
  public var identity: URLCredential?
  /// The pins of which the server has to show one; when empty, the system's trust is enough.
  public var pins: Set<Pin> = []

  /// Trusts the certificates that the system trusts.
  public init() {}
}
