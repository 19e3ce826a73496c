import APIClientKit
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends the requests of swift-openapi-generator's clients with an `APIClient`, and so with tokens, retries and cassettes.
struct APIClientTransport: ClientTransport {
  let client: APIClient

  func send(
    _ request: HTTPRequest, body: HTTPBody?, baseURL: URL, operationID: String
  ) async throws -> (HTTPResponse, HTTPBody?) {
    let root = baseURL.absoluteString
    let path = (root.hasSuffix("/") ? String(root.dropLast()) : root) + (request.path ?? "")
    var asked = Request<Data>(path: path, method: HTTPMethod(rawValue: request.method.rawValue), id: operationID)
    asked.headers = Dictionary(request.headerFields.map { ($0.name.canonicalName, $0.value) }) { "\($0), \($1)" }
    if let body { asked.body = try await Data(collecting: body, upTo: 10 << 20) }
    let exchange: Exchange
    // The generated client handles error statuses.
    do { exchange = try await client.data(for: asked).exchange } catch let error as APIError {
      guard let refused = error.exchange else { throw error }
      exchange = refused
    }
    var response = HTTPResponse(status: .init(code: exchange.status ?? 0))
    for case (let name as String, let value as String) in exchange.response?.allHeaderFields ?? [:] {
      if let name = HTTPField.Name(name) { response.headerFields.append(HTTPField(name: name, value: value)) }
    }
    return (response, HTTPBody(exchange.data))
  }
}
