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

  @Test func `a request that needs a missing token throws signedOut without being sent`() async throws {
    try await withCassette(stubs: []) { session in
      let client = ArticlesClient(baseURL: try #require(URL(string: "https://api.domain.com")), session: session)
      await #expect(throws: ArticlesError.signedOut) { try await client.delete(3) }
      await #expect(throws: ArticlesError.signedOut) { try await client.article(3) }
      await #expect(throws: ArticlesError.signedOut) { try await client.makeRequest(for: .articles()) }
    }
  }

  @Test(arguments: Player.allCases)
  func `a request created with makeRequest is repeated with a renewed token`(player: Player) async throws {
    let tokens = MemoryTokenStore(.bearer("old"))
    try await player.play("expired", tokens: tokens, credentials: Self.ada, strictly: true) { client in
      var request = try await client.makeRequest(for: .delete(3))
      request.timeoutInterval = 30
      try await client.send(request)
    }
    #expect(await tokens.token() == .bearer("new"))
  }

  @Test(arguments: Player.allCases)
  func `a request with an expired token is repeated with a renewed token`(player: Player) async throws {
    let tokens = MemoryTokenStore(.bearer("old"))
    try await player.play("expired", tokens: tokens, credentials: Self.ada, strictly: true) { client in
      try await client.delete(3)
    }
    #expect(await tokens.token() == .bearer("new"))
  }

  @Test(arguments: Player.allCases)
  func `without a stored token the client signs in before the request`(player: Player) async throws {
    let tokens = MemoryTokenStore()
    try await player.play("expired", tokens: tokens, credentials: Self.ada) { client in
      try await client.delete(3)
    }
    #expect(await tokens.token() == .bearer("new"))
  }

  @Test(.timeLimit(.minutes(30)), arguments: Player.allCases)
  func `50 simultaneous requests with an expired token renew it once`(player: Player) async throws {
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

  @Test(arguments: Player.allCases)
  func `a token renewed by another request in the meantime is used without signing in`(player: Player) async throws {
    // The cassette has no POST /v1/auth.
    let tokens = RenewedElsewhere()
    try await player.play("renewed", tokens: tokens, credentials: Self.ada, strictly: true) { client in
      try await client.delete(3)
    }
  }

  @Test(arguments: Player.allCases)
  func `a refused token without credentials is removed from the store`(player: Player) async throws {
    let tokens = MemoryTokenStore(.bearer("old"))
    try await player.play("refused", tokens: tokens) { client async throws in
      await #expect(throws: ArticlesError.unauthorized("The token has expired.")) { try await client.delete(3) }
      #expect(await tokens.token() == nil)
      await #expect(throws: ArticlesError.signedOut) { try await client.delete(3) }
    }
  }

  @Test(arguments: Player.allCases)
  func `a renewed token that is refused is removed and not renewed again`(player: Player) async throws {
    let tokens = MemoryTokenStore(.bearer("old"))
    try await player.play("banned", tokens: tokens, credentials: Self.ada, strictly: true) { client async throws in
      await #expect(throws: ArticlesError.unauthorized("The user is gone.")) { try await client.delete(3) }
    }
    #expect(await tokens.token() == nil)
  }

  @Test(arguments: Player.allCases) func `a refused password signs the client out`(player: Player) async throws {
    let tokens = MemoryTokenStore(.bearer("old"))
    try await player.play("wrong-password", tokens: tokens, credentials: Self.ada, strictly: true) {
      client async throws in
      await #expect(throws: ArticlesError.unauthorized("Wrong password.")) { try await client.delete(3) }
    }
    #expect(await tokens.token() == nil)
  }

  @Test(arguments: Player.allCases)
  func `a basic token is sent in the Authorization field`(player: Player) async throws {
    // The other recording of the cassette answers 500 to any other Authorization.
    let tokens = MemoryTokenStore(.basic(user: "ada", password: "sêcret"))
    try await player.play("basic", tokens: tokens) { client in try await client.delete(3) }
  }

  @Test(.timeLimit(.minutes(30)), arguments: Player.allCases)
  func `a refused basic token is removed from the store`(player: Player) async throws {
    let tokens = MemoryTokenStore(.basic(user: "ada", password: "sêcret"))
    try await player.play("refused", tokens: tokens, credentials: Self.ada) { client async throws in
      await #expect(throws: ArticlesError.unauthorized("The token has expired.")) { try await client.delete(3) }
    }
    #expect(await tokens.token() == nil)
  }
}

/// A token store whose token is replaced as soon as it has been read once.
private actor RenewedElsewhere: TokenStore {
  private var current: Token? = .bearer("old")

  func token() -> Token? {
    defer { current = .bearer("new") }
    return current
  }

  func save(_ token: Token) { current = token }
  func clear() { current = nil }
}
