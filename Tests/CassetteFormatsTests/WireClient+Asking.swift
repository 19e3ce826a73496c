import CassetteHTTP
import Foundation
import ServerTestSupport

extension WireClient {
  /// Sends one request on a new connection, and returns its response.
  static func ask(
    port: Int, method: String, target: String, fields: [(String, String)], body: Data
  ) throws -> Answer {
    var headers = HTTPHeaders([("Connection", "close")] + fields)
    if body.isEmpty, ["POST", "PUT", "PATCH"].contains(method) { headers.append("Content-Length", "0") }
    let client = try WireClient(port: port)
    client.request("\(method) \(target)", headers, body: Array(body))
    return try client.answer(toHead: method == "HEAD")
  }
}
