package import MockServerSockets

/// A secure channel to a client, from the server's side.
package protocol AcceptedChannel: SecureChannel {
  /// True if the handshake failed because the client spoke HTTP without TLS.
  var wasAskedPlainly: Bool { get }
  /// True if reading goes on only when something could be written: the client wants new keys (RFC 8446 §4.6.3).
  var waitsToWrite: Bool { get }
  /// Says that nothing more will be sent (RFC 8446 §6.1).
  func end()
}

/// The reasons why a client and this server did not agree on TLS.
enum HandshakeFailure {
  /// Describes what happened and what to do, in one line for the person who started the server.
  ///
  /// Without a reason of OpenSSL the connection just ended.
  static func words(_ reason: String?, distrust: String?) -> String {
    guard let reason else {
      return "a client ended the connection during the TLS handshake; does it trust the certificate?"
    }
    if reason == "peer did not return a certificate" {
      return "a client gave no certificate, and only those with one of --tls-client-ca are let in"
    }
    if let distrust { return "the certificate of a client is not trusted: \(distrust)" }
    switch reason {
    case "http request", "https proxy request": return "a client spoke HTTP without TLS; type https:// for http://"
    case "no application protocol": return "a client speaks HTTP/2 alone, and this server HTTP/1.1"
    case "unsupported protocol", "no protocols available", "version too low":
      return "a client speaks no version of TLS from 1.2 on"
    case "unexpected eof while reading":
      return "a client ended the connection during the TLS handshake; does it trust the certificate?"
    case "wrong version number", "packet length too long": return "a client spoke something that is not TLS"
    default: break
    }
    if let range = reason.firstRange(of: " alert ") {
      let alert = String(reason[range.upperBound...])
      if alert.contains("certificate") || alert.contains("unknown ca") {
        return "a client does not trust the certificate of this server: \(alert)"
      }
      return "a client refused the TLS handshake: \(alert)"
    }
    return "no TLS with a client: \(reason)"
  }
}
