public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The client certificate, and restrictions on the accepted server certificates.
public struct Trust: Sendable {
  /// A certificate or key that a server must present, in addition to a chain that the system trusts.
  public enum Pin: Hashable, Sendable {
    /// A certificate of the chain in DER format.
    case certificate(Data)
    /// The public key of a certificate in the chain, in the format of `SecKeyCopyExternalRepresentation`.
    case publicKey(Data)
  }

  /// The client certificate for servers that require one, from `URLCredential(identity:certificates:persistence:)`.
  public var identity: URLCredential?
  /// The pins, at least one of which the server must match.
  ///
  /// If the set is empty, the system's trust is sufficient.
  public var pins: Set<Pin> = []

  /// Creates settings that trust the system's certificate authorities.
  public init() {}
}
