import CassetteTesting
import Foundation
import MockServerTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tests of gates of a mock server that a test in another process controls over HTTP.
@Suite struct `Gates of the control API` {
  private static let session = URLSession(configuration: .ephemeral)

  private func call(
    _ method: String, _ path: String, _ server: TestMockServer, _ body: String = ""
  ) async throws -> (status: Int, text: String) {
    let url = try #require(URL(string: server.url.absoluteString + path))
    var request = URLRequest(url: url)
    request.httpMethod = method
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    if !body.isEmpty { request.httpBody = Data(body.utf8) }
    let (data, response) = try await Self.session.data(for: request)
    return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
  }

  @Test func `a gate created over HTTP holds an answer until it is deleted`() async throws {
    try await withMockServer(cassettes: "user") { server in
      let gate = #"{"name":"user","request":{"method":"GET","url":"/user"}}"#
      let closed = try await call("POST", "/__mock/gates", server, gate)
      #expect(closed.status == 201)
      let again = try await call("POST", "/__mock/gates", server, gate)
      #expect(again.status == 409)
      async let user = call("GET", "/user", server)
      let held = try await call("GET", "/__mock/gates/user?arrived=1&seconds=60", server)
      #expect(held.text == "{\"name\":\"user\",\"arrived\":1,\"held\":1}\n")
      let released = try await call("DELETE", "/__mock/gates/user", server)
      #expect(released.status == 200)
      let answer = try await user
      #expect(answer.status == 200 && answer.text.contains("kean"))
      let gone = try await call("GET", "/__mock/gates/user", server)
      #expect(gone.status == 404)
    }
  }

  @Test func `waiting at a gate for an answer that does not arrive is a 409 with the counts`() async throws {
    try await withMockServer(cassettes: "user", strictness: .relaxed) { server in
      _ = try await call("POST", "/__mock/gates", server, #"{"name":"user","request":{"method":"GET","url":"/user"}}"#)
      let late = try await call("GET", "/__mock/gates/user?arrived=1&seconds=0", server)
      #expect(late.status == 409)
      #expect(late.text.contains("0 of 1 responses arrived at the gate"))
    }
  }
}
