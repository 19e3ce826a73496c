import CassetteHTTP
import CassetteSession
import Cassettes
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `A player asked without a session` {
  private let url = URL(string: "https://api.example.com/user") ?? URL(filePath: "/")

  private func player(_ interactions: Interaction..., stubs: [CassetteStub] = []) -> CassettePlayer {
    let player = CassettePlayer([
      Cassette(name: "test", origin: "https://api.example.com", interactions: interactions)
    ])
    player.add(stubs)
    return player
  }

  @Test func `a recording answers with status, fields in their order, and body`() throws {
    let player = player(.made(.get, "/user", headers: [("X-B", "1"), ("X-A", "2"), ("X-B", "3")], body: "kean"))
    for _ in 0..<2 {
      let response = try player.response(to: "GET", url)
      #expect(response.status == 200 && response.body == Data("kean".utf8) && response.delay == .zero)
      #expect(response.headers.map(\.name) == ["X-B", "X-A", "X-B", "Content-Length"])
      #expect(response.pieces.count == 1 && response.cutOff == nil)
    }
    #expect(player.ledger.requests.map(\.answer) == Array(repeating: player.ledger.requests[0].answer, count: 2))
    #expect(player.ledger.neverPlayed.isEmpty)
  }

  @Test func `a request without a recording fails with the explanation, as the task of a session does`() async throws {
    let player = player(.made(.get, "/users"))
    let error = #expect(throws: URLError.self) { try player.response(to: "GET", url) }
    let other = await #expect(throws: URLError.self) { try await player.session().data(from: url) }
    #expect(error?.localizedDescription.contains("GET /user was never recorded") == true)
    #expect(error?.code == other?.code && error?.localizedDescription == other?.localizedDescription)
    #expect(player.ledger.misses.count == 2)
  }

  @Test func `the closure of a stub sees fields and body, and its delay is told instead of waited for`() throws {
    let stub = CassetteStub(
      .post("/user"),
      .answering { request in
        .text("\(request.value(forHTTPHeaderField: "X") ?? "") \(request.httpBody?.count ?? 0)", status: 201)
          .delay(.seconds(3_600))
      })
    let response = try player(stubs: [stub]).response(
      to: "POST", url, headers: [("X", "1")], body: Data("four".utf8))
    #expect(response.status == 201 && response.body == Data("1 4".utf8) && response.delay == .seconds(3_600))
  }

  @Test func `a body that is cut off says how, and a failure is thrown`() throws {
    let player = player(.made(.get, "/user", body: "0123456789"))
    player.inject([.truncate(after: 4)])
    let response = try player.response(to: "GET", url)
    #expect(response.body == Data("0123".utf8) && response.cutOff == .networkConnectionLost)
    player.inject([.timeout])
    let error = #expect(throws: URLError.self) { try player.response(to: "GET", url) }
    #expect(error?.code == .timedOut)
  }

  @Test func `what is no HTTP, and what comes after the end, is refused`() throws {
    let player = player(.made(.get, "/user"))
    let file = URL(filePath: "/tmp/x")
    #expect(throws: URLError.self) { try player.response(to: "GET", file) }
    player.end()
    let error = #expect(throws: URLError.self) { try player.response(to: "GET", url) }
    #expect(error?.localizedDescription.contains("had ended") == true)
  }
}
