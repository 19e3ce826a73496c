/// The server side of a TLS connection to a client.
package protocol AcceptedChannel: SecureChannel {
  /// True if the handshake failed because the client sent plain HTTP.
  var wasAskedPlainly: Bool { get }
  /// True if reading can continue only after writing, because of a key update (RFC 8446 §4.6.3).
  var waitsToWrite: Bool { get }
  /// Sends `close_notify`, after which no data can be sent (RFC 8446 §6.1).
  func end()
}

/// Descriptions of failed TLS handshakes.
enum HandshakeFailure {
  /// Describes a failed handshake and the remedy in one line, for the user of the server.
  ///
  /// - Parameters:
  ///   - reason: The reason that OpenSSL reports; nil if the client closed the connection.
  ///   - distrust: The reason why the client's certificate is not trusted; nil if there is no such reason.
  /// - Returns: The description.
  static func words(_ reason: String?, distrust: String?) -> String {
    guard let reason else {
      return "a client ended the connection during the TLS handshake; does it trust the certificate?"
    }
    if reason == "peer did not return a certificate" {
      return "a client did not send a certificate, which --tls-client-ca requires"
    }
    if let distrust { return "the certificate of a client is not trusted: \(distrust)" }
    switch reason {
    case "http request", "https proxy request": return "a client sent HTTP without TLS; use https:// instead of http://"
    case "no application protocol": return "a client speaks HTTP/2 alone, and this server HTTP/1.1"
    case "unsupported protocol", "no protocols available", "version too low":
      return "a client does not support TLS 1.2 or later"
    case "unexpected eof while reading":
      return "a client ended the connection during the TLS handshake; does it trust the certificate?"
    case "wrong version number", "packet length too long": return "a client sent data that is not TLS"
    default: break
    }
    if let range = reason.firstRange(of: " alert ") {
      let alert = String(reason[range.upperBound...])
      if alert.contains("certificate") || alert.contains("unknown ca") {
        return "a client does not trust the certificate of this server: \(alert)"
      }
      return "a client refused the TLS handshake: \(alert)"
    }
    return "the TLS handshake with a client failed: \(reason)"
  }
}
