public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif
#if canImport(Security)
  import Security
#endif

/// Who a client is, and which servers it believes, beside what the system says.
public struct Trust: Sendable {
  /// What a server has to show, beside a chain that the system trusts.
  public enum Pin: Hashable, Sendable {
    /// A certificate of the chain, as DER.
    case certificate(Data)
    /// The key of a certificate of the chain, as `SecKeyCopyExternalRepresentation` gives it.
    case publicKey(Data)
  }

  /// Answers a server that asks for a certificate: `URLCredential(identity:certificates:persistence:)`.
  public var identity: URLCredential?
  /// One of these is to be shown; empty, and the system's trust is enough.
  public var pins: Set<Pin> = []

  /// Trusts what the system trusts.
  public init() {}

  #if canImport(Security)
    var obstacle: String? { nil }

    func answer(
      to challenge: URLAuthenticationChallenge
    ) -> (URLSession.AuthChallengeDisposition, URLCredential?) {
      switch challenge.protectionSpace.authenticationMethod {
      case NSURLAuthenticationMethodClientCertificate where identity != nil: return (.useCredential, identity)
      case NSURLAuthenticationMethodServerTrust where !pins.isEmpty:
        guard let trust = challenge.protectionSpace.serverTrust, SecTrustEvaluateWithError(trust, nil),
          let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate], chain.contains(where: isPinned)
        else { return (.cancelAuthenticationChallenge, nil) }
        return (.useCredential, URLCredential(trust: trust))
      default: return (.performDefaultHandling, nil)
      }
    }

    private func isPinned(_ certificate: SecCertificate) -> Bool {
      if pins.contains(.certificate(SecCertificateCopyData(certificate) as Data)) { return true }
      guard let key = SecCertificateCopyKey(certificate).flatMap({ SecKeyCopyExternalRepresentation($0, nil) }) else {
        return false
      }
      return pins.contains(.publicKey(key as Data))
    }
  #else
    /// Why nothing may be sent: this platform's session has no hook for either, and would trust in silence.
    var obstacle: String? {
      if !pins.isEmpty {
        return
          "URLSession cannot pin certificates on this platform; remove Configuration.trust.pins to trust the system"
      }
      guard identity != nil else { return nil }
      return "URLSession cannot show a client certificate on this platform; remove Configuration.trust.identity"
    }
  #endif
}
