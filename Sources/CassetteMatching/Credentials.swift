package import CassetteHTTP

/// Tells whether a request carries credentials, which is compared by presence and never by value or scheme.
package enum Credentials {
  /// The credentials that one side shows to have.
  package struct Presence: Equatable, Sendable {
    /// A field such as `Authorization` or `X-Api-Key`.
    package var field = false
    /// A cookie: part of what was recorded, but nothing that another request must not send.
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

  /// Returns the difference, if there is one; a recording without any fields says nothing of credentials.
  package static func mismatch(of request: HTTPRequest, from recorded: HTTPHeaders) -> Mismatch? {
    guard !recorded.isEmpty else { return nil }
    let (sent, then) = (presence(in: request.headers), presence(in: recorded))
    if then.field, !sent.field { return Mismatch(part: "credentials", sent: nil, recorded: names(in: recorded)) }
    if !then.field, sent.field { return Mismatch(part: "credentials", sent: names(in: request.headers), recorded: nil) }
    if then.cookie, !sent.cookie, !sent.field { return Mismatch(part: "credentials", sent: nil, recorded: "Cookie") }
    return nil
  }

  private static func names(in headers: HTTPHeaders) -> String {
    headers.filter { CredentialField.isNamed($0.name) }.map(\.name).joined(separator: ", ")
  }
}
