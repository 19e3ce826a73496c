import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif
#if canImport(Security)
  import Security
#endif

/// Handles the authentication challenges of a session with the configured trust.
extension Trust {
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
      let key = SecCertificateCopyKey(certificate).flatMap { SecKeyCopyExternalRepresentation($0, nil) }
      return key.map { pins.contains(.publicKey($0 as Data)) } ?? false
    }
  #else
    /// The reason why no request may be sent: this platform's session supports neither setting, and would silently
    /// ignore it.
    var obstacle: String? {
      let cannot = pins.isEmpty ? "show a client certificate" : "pin certificates"
      let setting = pins.isEmpty ? "identity" : "pins"
      if pins.isEmpty, identity == nil { return nil }
      return "URLSession cannot \(cannot) on this platform; remove Configuration.trust.\(setting)"
    }
  #endif
}
