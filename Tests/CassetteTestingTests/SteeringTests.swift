import CassetteTesting
import Foundation
import MockServerTesting
import Testing

@testable import CassetteSession

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The two kinds of players that support the same calls.
enum SteeredKind: CaseIterable, Sendable {
  case server, session

  /// Runs a test with a player of the cassette `cart`, and a closure that sends a request such as `POST /cart` with a
  /// body.
  func run(
    _ test: (any CassetteSteeredPlayer, @Sendable @escaping (String, String) async throws -> String) async throws ->
      Void
  ) async throws {
    switch self {
    case .server:
      try await withMockServer(cassettes: "cart", strictness: .relaxed) { server in
        let url = server.url
        try await test(server) { try await Self.text(URLSession(configuration: .ephemeral), url, $0, $1) }
      }
    case .session:
      try await withCassette("cart", .relaxed) { session in
        let url = try #require(URL(string: "https://shop.example"))
        try await test(CassettePlayer.current) { try await Self.text(session, url, $0, $1) }
      }
    }
  }

  private static func text(_ session: URLSession, _ base: URL, _ line: String, _ body: String) async throws -> String {
    let words = line.split(separator: " ").map(String.init)
    var request = URLRequest(url: base.appending(path: words[1]))
    request.httpMethod = words[0]
    if !body.isEmpty { request.httpBody = Data(body.utf8) }
    return String(decoding: try await session.data(for: request).0, as: UTF8.self)
  }
}

@Suite struct CassetteSteeredPlayerTests {
  @Test(arguments: SteeredKind.allCases)
  func `a stub added to a running player takes precedence over earlier stubs and recordings`(kind: SteeredKind)
    async throws
  {
    try await kind.run { player, ask in
      let first = try await ask("GET /cart", "")
      #expect(first == "[]")
      player.stub(.get("/cart"), .json(["bread"]))
      let second = try await ask("GET /cart", "")
      #expect(second == #"["bread"]"#)
      player.stub(.get("/cart"), .text("one"), .answering { .text("two of \($0.httpMethod ?? "")") })
      let third = try await ask("GET /cart", "")
      #expect(third == "one")
      let fourth = try await ask("GET /cart", "")
      #expect(fourth == "two of GET")
      let fifth = try await ask("GET /cart", "")
      #expect(fifth == "two of GET")
    }
  }

  @Test(arguments: SteeredKind.allCases)
  func `setting a scenario's state selects its answers, and an unknown state is an issue`(kind: SteeredKind)
    async throws
  {
    try await kind.run { player, ask in
      #expect(player.scenarios["cart"] == "Started")
      player.scenarios["cart"] = "full"
      let sixth = try await ask("GET /cart", "")
      #expect(sixth == #"["milk"]"#)
      let line = #line + 2
      let found = try await issues {
        player.scenarios["cart"] = "ful"
        player.scenarios["card"] = "full"
      }
      #expect(found.map { $0.sourceLocation?.line } == [line, line + 1])
      #expect(found.first?.comments.first?.rawValue.contains("did you mean \"full\"?") == true)
      #expect(player.scenarios["cart"] == "full")
    }
  }

  @Test(arguments: SteeredKind.allCases)
  func `verify counts received requests, and fails at its line with the nearest request`(kind: SteeredKind) async throws
  {
    try await kind.run { player, ask in
      _ = try await ask("POST /cart", #"{"item":"milk"}"#)
      player.verify(.post("/cart"))
      player.verify(.post("/cart").body(.json(["item": "milk"])), .once)
      player.verify(.get("/cart"), .never)
      player.verify(.post("/cart"), .atMost(1))
      #expect(player.requests.first { $0.matches(.post("/cart")) }?.json?["item"] == "milk")
      let line = #line + 2
      let found = try await issues {
        player.verify(.post("/cart").body(.json(["item": "bread"])), .times(2))
        player.verify(.post("/cart"), .never)
      }
      #expect(found.map { $0.sourceLocation?.line } == [line, line + 1])
      let words = found.first?.comments.first?.rawValue ?? ""
      #expect(
        words.contains("POST /cart was expected 2 times, but was never received") && words.contains("near: POST"),
        "\(words)")
      #expect(words.contains("body.$.item") || words.contains("body:"), "\(words)")
    }
  }

  @Test(arguments: SteeredKind.allCases)
  func `wait returns the received requests, and fails at its line without any`(kind: SteeredKind) async throws {
    try await kind.run { player, ask in
      async let asked = ask("POST /cart", "")
      let requests = await player.wait(for: .post("/cart"), within: .seconds(86_400))
      #expect(requests.map(\.method) == ["POST"])
      _ = try await asked
      let line = #line + 1
      let found = try await issues { _ = await player.wait(for: .get("/never"), within: .zero) }
      #expect(found.map { $0.sourceLocation?.line } == [line])
    }
  }

  @Test(arguments: SteeredKind.allCases)
  func `a stub with an invalid pattern is an issue at its line`(kind: SteeredKind) async throws {
    try await kind.run { player, _ in
      let line = #line + 1
      let found = try await issues { player.stub(.get("/a").query("x", .matches("(")), .status(200)) }
      #expect(found.map { $0.sourceLocation?.line } == [line])
    }
  }
}
