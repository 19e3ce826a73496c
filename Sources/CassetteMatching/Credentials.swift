package import CassetteHTTP

/// Compares the credentials of requests by presence, never by value or scheme.
package enum Credentials {
  /// The kinds of credentials that a request contains.
  package struct Presence: Equatable, Sendable {
    /// A field such as `Authorization` or `X-Api-Key`.
    package var field = false
    /// A cookie: required if it was recorded, but permitted if it was not.
    package var cookie = false
  }

  package static func presence(in headers: HTTPHeaders) -> Presence {
    var presence = Presence()
    for field in headers {
      if field.isNamed("Cookie") { presence.cookie = true }
      if CredentialField.isNamed(field.name) { presence.field = true }
    }
    return presence
  }

  /// Returns the difference in credentials, if any; a recording without header fields is not compared.
  package static func mismatch(of request: HTTPRequest, from recorded: HTTPHeaders) -> Mismatch? {
    guard !recorded.isEmpty else { return nil }
    let (sent, then) = (presence(in: request.headers), presence(in: recorded))
    if then.field, !sent.field { return Mismatch(part: "credentials", sent: nil, recorded: names(in: recorded)) }
    if !then.field, sent.field { return Mismatch(part: "credentials", sent: names(in: request.headers), recorded: nil) }
    if then.cookie, !sent.cookie, !sent.field { return Mismatch(part: "credentials", sent: nil, recorded: "Cookie") }
    return nil
  }

  /// Returns the difference of credentials that may be those of another answer to the same request.
  package static func ambiguity(in request: HTTPRequest) -> Mismatch {
    Mismatch(
      part: "credentials", sent: presence(in: request.headers).field ? names(in: request.headers) : nil,
      wanted: "the secret of this recording: with another secret, the same request was refused")
  }

  private static func names(in headers: HTTPHeaders) -> String {
    headers.filter { CredentialField.isNamed($0.name) }.map(\.name).joined(separator: ", ")
  }
}
