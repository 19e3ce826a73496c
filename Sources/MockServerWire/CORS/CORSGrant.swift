package import CassetteHTTP

/// The permission of one request's page to read the answer with every field, and to send credentials.
///
/// A class, so that an answer without one carries no more than an empty pointer.
package final class CORSGrant: Sendable {
  /// Browsers ask before each of these; the list spares a question for each.
  private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

  private let origin: String
  /// The method that a preflight asks for; nil for the request itself.
  private let method: String?
  /// The fields that a preflight asks for.
  private let fields: String?
  private let isPrivate: Bool

  init(_ request: HTTPRequest, origin: String) {
    self.origin = origin
    method = request.method == .options ? request.headers["Access-Control-Request-Method"] : nil
    fields = request.headers["Access-Control-Request-Headers"]
    isPrivate = request.headers["Access-Control-Request-Private-Network"] == "true"
  }

  /// The answer to a preflight, whatever is recorded; nil for a request that is none.
  ///
  /// Also where nothing answers the request that follows: its page can read why, of a preflight it could not.
  package var preflight: HTTPResponse? {
    guard let method else { return nil }
    var headers = HTTPHeaders()
    let methods = Self.methods.contains(method) ? Self.methods : Self.methods + [method]
    headers.append("Access-Control-Allow-Methods", methods.joined(separator: ", "))
    if let fields { headers.append("Access-Control-Allow-Headers", fields) }
    // Of a network that is less public than the page's (Private Network Access).
    if isPrivate { headers.append("Access-Control-Allow-Private-Network", "true") }
    headers.append("Access-Control-Max-Age", "600")
    headers.append("Vary", "Access-Control-Request-Method, Access-Control-Request-Headers")
    return HTTPResponse(status: 204, headers: headers)
  }

  /// Says in the fields of an answer what is granted, in the place of what was recorded for another page.
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
      // With credentials "*" would be a field of that name. The server may add the date.
      if seen.insert("date").inserted { exposed.append("Date") }
      headers.append("Access-Control-Expose-Headers", exposed.joined(separator: ", "))
    }
    // Another page gets another answer, also from a cache.
    if !headers.members(of: "Vary").contains(where: { $0 == "*" || $0.lowercased() == "origin" }) {
      headers.append("Vary", "Origin")
    }
    return headers
  }

  private static let overridden = ["access-control-allow-origin", "access-control-allow-credentials"]
}
