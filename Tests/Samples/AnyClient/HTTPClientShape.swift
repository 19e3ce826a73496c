import CassetteTesting
import Foundation

// Copy this file to test code that uses AsyncHTTPClient. It has the same interface as `execute(_:timeout:)`, and
// answers from a test's cassettes and stubs. Use `any HTTPExecuting` instead of an `HTTPClient` in your code.

struct HTTPClientRequest: Sendable {
  var url: String
  var method = "GET"
  var headers: [(String, String)] = []
  var body = Data()
}

struct HTTPClientResponse: Sendable {
  var status: Int
  var headers: [(String, String)]
  var body: CassetteAnswer.Body
}

protocol HTTPExecuting: Sendable {
  func execute(_ request: HTTPClientRequest) async throws -> HTTPClientResponse
}

/// Answers requests with the interface of AsyncHTTPClient from a player.
struct CassetteHTTPClient: HTTPExecuting {
  let player: CassettePlayer

  func execute(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
    guard let url = URL(string: request.url) else { throw URLError(.badURL) }
    var headers = CassetteSentRequest.Headers()
    for (name, value) in request.headers { headers.append(name, value) }
    let answer = try await player.answer(request.method, url, headers: headers, body: request.body)
    return HTTPClientResponse(
      status: answer.status, headers: answer.headers.map { ($0.name, $0.value) }, body: answer.body)
  }
}
