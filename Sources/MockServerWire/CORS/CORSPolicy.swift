package import CassetteHTTP

/// The rule that tells which pages of other origins may read answers (Fetch §3.2, "CORS protocol").
///
/// A page that was served from this machine is a developer's own. One from elsewhere gets what was recorded: a site on the
/// internet that a developer happens to visit must not read their recordings.
public struct CORSPolicy: Hashable, Sendable {
  /// True if pages served from this machine may read every answer.
  public var admitsLoopback: Bool
  /// The other origins whose pages may read answers.
  public var named: Set<WebOrigin> = []

  /// Creates a policy that admits pages served from this machine, on any port, or none.
  public init(admitsLoopback: Bool = true) { self.admitsLoopback = admitsLoopback }

  /// A policy that leaves every answer as it was recorded.
  public static let recorded = CORSPolicy(admitsLoopback: false)

  /// Returns the permission of a request's page; nil for a request of no page, and for a page that is not admitted.
  package func grant(for request: HTTPRequest) -> CORSGrant? {
    guard let text = request.headers["Origin"], let origin = WebOrigin(text),
      admitsLoopback && origin.isLoopback || named.contains(origin)
    else { return nil }
    return CORSGrant(request, origin: text)
  }
}
