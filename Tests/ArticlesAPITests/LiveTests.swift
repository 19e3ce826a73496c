import ArticlesAPI
import ClientTestSupport
import Foundation
import Testing

/// The same tests with recordings, and with a resource.
@Suite struct `Articles client` {
  private static let cassettes = ["articles", "articles.resource"]
  private static let ada = Credentials(email: "ada@example.com", password: "s3cret")
  private static let hello = Draft(
    title: "Hello from a test", summary: "Written by nobody.",
    content: "The first line of an article that a test sends.")

  @Test(arguments: Player.allCases, cassettes)
  func `signing in stores the token, and signing out removes it`(player: Player, cassette: String) async throws {
    let tokens = MemoryTokenStore()
    try await player.play(cassette, in: Player.shipped, tokens: tokens) { client async throws in
      let author = try await client.signIn(Self.ada)
      #expect(author.name == "Ada Lindqvist")
      guard case .bearer = await tokens.token() else {
        Issue.record("no token was stored")
        return
      }
      try await client.signOut()
      #expect(await tokens.token() == nil)
    }
  }

  @Test(arguments: Player.allCases, cassettes)
  func `an article is fetched with its properties`(player: Player, cassette: String) async throws {
    try await player.play(cassette, in: Player.shipped) { client async throws in
      let article = try await client.article(2)
      #expect(article.title == "Crème brûlée and other encodings")
      #expect(article.author == Author(id: 12, name: "Noor Haddad"))
      #expect(article.createdAt == Date(timeIntervalSince1970: 1_789_381_800))
      #expect(try await client.article(3).summary == nil)
    }
  }

  @Test(arguments: Player.allCases, cassettes)
  func `articles are listed page by page`(player: Player, cassette: String) async throws {
    try await player.play(cassette, in: Player.shipped) { client async throws in
      let first = try await client.articles()
      #expect(first.data.map(\.id) == [1, 2])
      #expect(first.total == 4)
      let second = try await client.articles(page: try #require(first.next))
      #expect(second.data.map(\.id) == [3, 4])
      #expect(second.next == nil)
    }
  }

  @Test(arguments: Player.allCases, cassettes)
  func `a created article can be fetched`(player: Player, cassette: String) async throws {
    try await player.play(cassette, in: Player.shipped) { client async throws in
      try await client.signIn(Self.ada)
      let article = try await client.create(Self.hello)
      #expect(article.id == 5)
      #expect(try await client.article(article.id) == article)
    }
  }

  @Test(arguments: Player.allCases, cassettes)
  func `an updated article has the new title and a later date`(player: Player, cassette: String) async throws {
    try await player.play(cassette, in: Player.shipped) { client async throws in
      try await client.signIn(Self.ada)
      let old = try await client.article(1)
      let draft = Draft(title: "Why a mock should refuse, and how", summary: old.summary, content: old.content)
      let new = try await client.update(1, with: draft)
      #expect(new.title == draft.title)
      #expect(try #require(new.updatedAt) > #require(old.updatedAt))
    }
  }

  @Test(arguments: Player.allCases, cassettes)
  func `a deleted article is not found afterwards`(player: Player, cassette: String) async throws {
    try await player.play(cassette, in: Player.shipped) { client async throws in
      try await client.signIn(Self.ada)
      #expect(try await client.article(3).title == "Notes on an expired coupon")
      try await client.delete(3)
      let gone = ArticlesError.notFound("There is no article 3.")
      await #expect(throws: gone) { try await client.delete(3) }
      await #expect(throws: gone) { try await client.article(3) }
    }
  }

  @Test(arguments: Player.allCases, cassettes)
  func `a refused draft throws an error with the invalid member`(player: Player, cassette: String) async throws {
    try await player.play(cassette, in: Player.shipped) { client async throws in
      try await client.signIn(Self.ada)
      var draft = Self.hello
      draft.title = nil
      let error = await #expect(throws: ArticlesError.self) { try await client.create(draft) }
      #expect(error == .invalid("The article was not saved.", fields: ["title": ["is missing"]]))
      #expect(error?.localizedDescription.contains("title is missing") == true)
    }
  }

  @Test(arguments: Player.allCases, cassettes)
  func `an unchanged article is not sent again`(player: Player, cassette: String) async throws {
    try await player.play(cassette, in: Player.shipped) { client async throws in
      let known = try #require(try await client.revision(of: 1))
      let tag = try #require(known.tag)
      #expect(try await client.revision(of: 1, otherThan: tag) == nil)
      #expect(try await client.revision(of: 1, otherThan: "\"older\"") == known)
    }
  }
}
