import APIClientKit
import CassetteTesting
import Cassettes
import ClientTestSupport
import Foundation
import Testing

@Suite struct `Cassette exporter` {
  @Test(arguments: Player.allCases) func `an exported cassette plays the same responses`(player: Player) async throws {
    let exporter = CassetteExporter(origin: "https://api.example.com")
    let folder = FileManager.default.temporaryDirectory.appending(path: "exported-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func ask(_ client: APIClient) async throws -> [String] {
      let order: String = try await client.value(for: .get("/orders/1"))
      let missing = await #expect(throws: APIError.self) { try await client.send(Request<Data>.get("/orders/missing")) }
      let reset = await #expect(throws: URLError.self) { try await client.send(Request<Data>.get("/orders/reset")) }
      return [order, missing?.message ?? "", "\(reset?.code.rawValue ?? 0)"]
    }
    var live: [String] = []
    try await player.play("api", .with { $0.observe = { exporter.observe($0) } }) { client in
      // The origin of the mock server differs in each run.
      live = try await ask(client)
    }
    try exporter.write(to: folder.appending(path: "exported.json"))
    let file = try CassetteFile.read(path: folder.appending(path: "exported.json").path)
    #expect(file.interactions.map(\.status) == [200, 404, nil])
    guard player == .urlProtocol else { return }
    try await withCassette("exported", in: folder.path, .strict) { _ in
      let client = APIClient(baseURL: URL(string: "https://api.example.com")) { $0.session = .cassette }
      let played = try await ask(client)
      #expect(played == live)
    }
  }

  @Test func `an exported cassette contains no secrets`() async throws {
    let exporter = CassetteExporter(origin: "https://api.example.com")
    let stub = CassetteStub(
      .post("/login?api_key=querykey"),
      .status(
        200, headers: ["Set-Cookie": "session=cookiesecret; Path=/", "X-Echo": "was headersecret"],
        body: Array(#"{"access_token": "bodysecret", "name": "kean"}"#.utf8)))
    try await withCassette(nil, .relaxed, stubs: [stub]) { _ in
      let client = APIClient(baseURL: URL(string: "https://api.example.com")) {
        $0.session = .cassette
        $0.observe = { exporter.observe($0) }
      }
      let headers = ["Authorization": "Bearer headersecret", "Cookie": "a=jarsecret"]
      let body = ["password": "sentsecret", "note": "bodysecret again"]
      _ = try await client.send(Request<Data>.post("/login?api_key=querykey", body: body, headers: headers))
    }
    let text = exporter.cassette
    for secret in ["querykey", "cookiesecret", "headersecret", "bodysecret", "jarsecret", "sentsecret"] {
      #expect(!text.contains(secret), "\(secret)")
    }
    #expect(text.contains("[\"Set-Cookie\", \"session={{secret:"))
    #expect(text.contains("; Path=/\"]"))
    #expect(text.contains("Bearer {{secret:") && text.contains("was {{secret:") && text.contains("kean"))
  }

  @Test func `a binary body is exported as base64`() async throws {
    let exporter = CassetteExporter(origin: "https://api.example.com")
    let stub = CassetteStub(.get("/logo"), .status(200, body: [0, 255, 1]))
    try await withCassette(nil, .relaxed, stubs: [stub]) { _ in
      let client = APIClient(baseURL: URL(string: "https://api.example.com")) {
        $0.session = .cassette
        $0.observe = { exporter.observe($0) }
      }
      _ = try await client.send(Request<Data>.get("/logo"))
    }
    #expect(exporter.cassette.contains(#""base64": "AP8B""#))
    // One header field per line, as in every cassette.
    #expect(exporter.cassette.contains(#"  ["Accept", "application/json"]"#))
  }
}
