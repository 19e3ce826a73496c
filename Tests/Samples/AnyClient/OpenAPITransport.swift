import CassetteTesting
import Foundation

// Copy this file to test clients of swift-openapi-generator: a transport that answers from a test's cassettes and
// stubs.
//
//     let client = Client(serverURL: try Servers.Server1.url(), transport: CassetteTransport(player: .current))

/// Answers the requests of a generated client from a player.
struct CassetteTransport: ClientTransport {
  let player: CassettePlayer

  func send(
    _ request: HTTPRequest, body: HTTPBody?, baseURL: URL, operationID: String
  ) async throws -> (HTTPResponse, HTTPBody?) {
    let root = baseURL.absoluteString
    guard let url = URL(string: (root.hasSuffix("/") ? String(root.dropLast()) : root) + (request.path ?? "")) else {
      throw URLError(.badURL)
    }
    var headers = CassetteSentRequest.Headers()
    for field in request.headerFields { headers.append(field.name.rawName, field.value) }
    var content = Data()
    if let body { for try await chunk in body { content += chunk } }
    let answer = try await player.answer(request.method.rawValue, url, headers: headers, body: content)
    var response = HTTPResponse(status: .init(code: answer.status))
    for field in answer.headers {
      if let name = HTTPField.Name(field.name) {
        response.headerFields.append(HTTPField(name: name, value: field.value))
      }
    }
    return (response, HTTPBody(answer.body))
  }
}
