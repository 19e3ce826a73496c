package import CassetteHTTP

/// The permission for the page that sent a request to read every field of the response, and to send credentials.
///
/// A class, so that a response without a grant stores only a nil pointer.
package final class CORSGrant: Sendable {
  /// The methods that every preflight response allows, so that browsers send one preflight for all of them.
  private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

  private let origin: String
  /// The method that a preflight request asks to use.
  ///
  /// Nil if the request is not a preflight.
  private let method: String?
  /// The field names that a preflight request asks to send.
  private let fields: String?
  private let isPrivate: Bool

  init(_ request: HTTPRequest, origin: String) {
    self.origin = origin
    method = request.method == .options ? request.headers["Access-Control-Request-Method"] : nil
    fields = request.headers["Access-Control-Request-Headers"]
    isPrivate = request.headers["Access-Control-Request-Private-Network"] == "true"
  }

  /// The response to a preflight request, whatever the cassette contains.
  ///
  /// Nil if the request is not a preflight.
  ///
  /// The preflight succeeds even if no recording matches the request that follows: a page can read the error response
  /// to that request, but not the response to a failed preflight.
  package var preflight: HTTPResponse? {
    guard let method else { return nil }
    var headers = HTTPHeaders()
    let methods = Self.methods.contains(method) ? Self.methods : Self.methods + [method]
    headers.append("Access-Control-Allow-Methods", methods.joined(separator: ", "))
    if let fields { headers.append("Access-Control-Allow-Headers", fields) }
    // The page asks to reach a less public network than its own (Private Network Access).
    if isPrivate { headers.append("Access-Control-Allow-Private-Network", "true") }
    headers.append("Access-Control-Max-Age", "600")
    headers.append("Vary", "Access-Control-Request-Method, Access-Control-Request-Headers")
    return HTTPResponse(status: 204, headers: headers)
  }

  /// Returns the fields of a response with the CORS fields of this grant in place of the recorded ones.
  package func applied(to recorded: HTTPHeaders) -> HTTPHeaders {
    var headers = HTTPHeaders()
    var exposed: [String] = []
    var seen: Set<String> = ["set-cookie"]
    for field in recorded {
      let name = field.name.lowercased()
      let isOfCORS = name.hasPrefix("access-control-")
      if !isOfCORS, seen.insert(name).inserted { exposed.append(field.name) }
      if !isOfCORS || method != nil && !Self.overridden.contains(name) { headers.append(field) }
    }
    headers.append("Access-Control-Allow-Origin", origin)
    headers.append("Access-Control-Allow-Credentials", "true")
    if method == nil {
      // With credentials, browsers take "*" as a literal field name. `Date` is listed because the server may add it.
      if seen.insert("date").inserted { exposed.append("Date") }
      headers.append("Access-Control-Expose-Headers", exposed.joined(separator: ", "))
    }
    // The response depends on the origin, so a cache must not serve it to another page.
    if !headers.members(of: "Vary").contains(where: { $0 == "*" || $0.lowercased() == "origin" }) {
      headers.append("Vary", "Origin")
    }
    return headers
  }

  private static let overridden = ["access-control-allow-origin", "access-control-allow-credentials"]
}
