package import CassetteHTTP

/// The rule that decides which pages of other origins may read responses (Fetch §3.2, "CORS protocol").
///
/// A page served from this machine belongs to the developer. Other pages get only the recorded CORS fields: an internet
/// site that the developer happens to visit must not read the recordings.
public struct CORSPolicy: Hashable, Sendable {
  /// True if pages served from this machine may read every response.
  public var admitsLoopback: Bool
  /// The other origins whose pages may read responses.
  public var named: Set<WebOrigin> = []

  /// Creates a policy.
  ///
  /// - Parameter admitsLoopback: True to admit pages served from this machine on any port; false to admit no page.
  public init(admitsLoopback: Bool = true) { self.admitsLoopback = admitsLoopback }

  /// A policy that leaves the recorded CORS fields of every response unchanged.
  public static let recorded = CORSPolicy(admitsLoopback: false)

  /// Returns the permission for the page that sent a request.
  ///
  /// Nil if no page sent it or the page is not admitted.
  package func grant(for request: HTTPRequest) -> CORSGrant? {
    guard let text = request.headers["Origin"], let origin = WebOrigin(text),
      admitsLoopback && origin.isLoopback || named.contains(origin)
    else { return nil }
    return CORSGrant(request, origin: text)
  }
}
