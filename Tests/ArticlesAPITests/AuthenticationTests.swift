import ArticlesAPI
import CassetteTesting
import ClientTestSupport
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `Authentication` {
  private static let ada = Credentials(email: "ada@example.com", password: "s3cret")

  @Test func `nothing is sent without the token it needs`() async throws {
    try await withCassette(stubs: []) { session in
      let client = ArticlesClient(baseURL: try #require(URL(string: "https://api.domain.com")), session: session)
      await #expect(throws: ArticlesError.signedOut) { try await client.delete(3) }
      await #expect(throws: ArticlesError.signedOut) { try await client.article(3) }
      await #expect(throws: ArticlesError.signedOut) { try await client.makeRequest(for: .articles()) }
    }
  }

  @Test(arguments: Player.allCases) func `a request that was made by hand gets a new token, too`(
    player: Player
  ) async throws {
    let tokens = MemoryTokenStore(.bearer("old"))
    try await player.play("expired", tokens: tokens, credentials: Self.ada, strictly: true) { client in
      var request = try await client.makeRequest(for: .delete(3))
      request.timeoutInterval = 30
      try await client.send(request)
    }
    #expect(await tokens.token() == .bearer("new"))
  }

  @Test(arguments: Player.allCases) func `an expired token is renewed, and the request repeated`(
    player: Player
  ) async throws {
    let tokens = MemoryTokenStore(.bearer("old"))
    try await player.play("expired", tokens: tokens, credentials: Self.ada, strictly: true) { client in
      try await client.delete(3)
    }
    #expect(await tokens.token() == .bearer("new"))
  }

  @Test(arguments: Player.allCases) func `a token that was never there is made, too`(player: Player) async throws {
    let tokens = MemoryTokenStore()
    try await player.play("expired", tokens: tokens, credentials: Self.ada) { client in
      try await client.delete(3)
    }
    #expect(await tokens.token() == .bearer("new"))
  }

  @Test(.timeLimit(.minutes(30)), arguments: Player.allCases)
  func `many requests that find out together renew it once`(player: Player) async throws {
    let tokens = MemoryTokenStore(.bearer("old"))
    // A second POST /v1/auth would be a miss, and a miss fails the test.
    try await player.play("expired", tokens: tokens, credentials: Self.ada, strictly: true) { client in
      try await withThrowingTaskGroup { group in
        for _ in 0..<50 { group.addTask { try await client.delete(3) } }
        try await group.waitForAll()
      }
    }
    #expect(await tokens.token() == .bearer("new"))
  }

  @Test(arguments: Player.allCases) func `a token that another request has renewed meanwhile is taken`(
    player: Player
  ) async throws {
    // The cassette has no POST /v1/auth.
    let tokens = RenewedElsewhere()
    try await player.play("renewed", tokens: tokens, credentials: Self.ada, strictly: true) { client in
      try await client.delete(3)
    }
  }

  @Test(arguments: Player.allCases) func `a refused token is forgotten when it cannot be renewed`(
    player: Player
  ) async throws {
    let tokens = MemoryTokenStore(.bearer("old"))
    try await player.play("refused", tokens: tokens) { client async throws in
      await #expect(throws: ArticlesError.unauthorized("The token has expired.")) { try await client.delete(3) }
      #expect(await tokens.token() == nil)
      await #expect(throws: ArticlesError.signedOut) { try await client.delete(3) }
    }
  }

  @Test(arguments: Player.allCases) func `a renewed token that is refused is forgotten, and not renewed again`(
    player: Player
  ) async throws {
    let tokens = MemoryTokenStore(.bearer("old"))
    try await player.play("banned", tokens: tokens, credentials: Self.ada, strictly: true) { client async throws in
      await #expect(throws: ArticlesError.unauthorized("The user is gone.")) { try await client.delete(3) }
    }
    #expect(await tokens.token() == nil)
  }

  @Test(arguments: Player.allCases) func `a password that is refused signs out`(player: Player) async throws {
    let tokens = MemoryTokenStore(.bearer("old"))
    try await player.play("wrong-password", tokens: tokens, credentials: Self.ada, strictly: true) {
      client async throws in
      await #expect(throws: ArticlesError.unauthorized("Wrong password.")) { try await client.delete(3) }
    }
    #expect(await tokens.token() == nil)
  }

  @Test(arguments: Player.allCases) func `a name and a password go along with the request`(player: Player) async throws
  {
    // The other recording of the cassette answers 500 to any other Authorization.
    let tokens = MemoryTokenStore(.basic(user: "ada", password: "sêcret"))
    try await player.play("basic", tokens: tokens) { client in try await client.delete(3) }
  }

  @Test(.timeLimit(.minutes(30)), arguments: Player.allCases)
  func `a name and a password that are refused are forgotten`(player: Player) async throws {
    let tokens = MemoryTokenStore(.basic(user: "ada", password: "sêcret"))
    try await player.play("refused", tokens: tokens, credentials: Self.ada) { client async throws in
      await #expect(throws: ArticlesError.unauthorized("The token has expired.")) { try await client.delete(3) }
    }
    #expect(await tokens.token() == nil)
  }
}

/// A store into which somebody puts a new token as soon as the old one was read.
private actor RenewedElsewhere: TokenStore {
  private var current: Token? = .bearer("old")

  func token() -> Token? {
    defer { current = .bearer("new") }
    return current
  }

  func save(_ token: Token) { current = token }
  func clear() { current = nil }
}
