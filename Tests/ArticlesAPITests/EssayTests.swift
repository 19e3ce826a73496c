import ArticlesAPI
import CassetteTesting
import ClientTestSupport
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The API of "How to design and implement great APIs using Swift on iOS" (2021), used with this client.
@Suite struct `Samples of the essay How to design and implement great APIs` {
  /// The method, target and body of each request in the essay's documentation.
  @Test(arguments: [
    (
      Route.auth(email: "ada@example.com", password: "s3cret"), "POST", "/v1/auth",
      #"{"email":"ada@example.com","password":"s3cret"}"# as String?
    ),
    (
      .create(Draft(title: "Hi", summary: "Short", content: "Long")), "POST", "/v1/articles",
      #"{"content":"Long","summary":"Short","title":"Hi"}"#
    ),
    (.delete(7), "DELETE", "/v1/articles/7", nil),
    (.article(7), "GET", "/v2/articles/7", nil),
    (.articles(page: 3), "GET", "/v2/articles?page=3", nil),
    (.articles(), "GET", "/v2/articles?page=1", nil),
    (.update(7, Draft(title: "Hi", content: "Long")), "PUT", "/v1/articles/7", #"{"content":"Long","title":"Hi"}"#),
  ])
  func `a route has the method, target and body that the essay documents`(
    route: Route, method: String, target: String, body: String?
  ) throws {
    let base = try #require(URL(string: "https://api.domain.com"))
    let request = try route.makeRequest(baseURL: base, token: .bearer("abc"))
    #expect(request.httpMethod == method)
    #expect(request.url?.absoluteString == "https://api.domain.com\(target)")
    #expect(request.httpBody.map { String(decoding: $0, as: UTF8.self) } == body)
    let isPublic = route == .auth(email: "ada@example.com", password: "s3cret")
    #expect(route.requiresAuthentication == !isPublic)
    #expect((request.value(forHTTPHeaderField: "Authorization") == nil) == isPublic)
  }

  @Test(.cassette("articles", in: "../../cassettes", .relaxed))
  func `the documentation's sample plays the included cassette`() async throws {
    let base = try #require(URL(string: "https://api.domain.com"))
    let client = ArticlesClient(baseURL: base, session: .cassette, tokens: MemoryTokenStore(.bearer("abc")))
    #expect(try await client.article(1).title == "Why a mock should refuse")
    #expect(Route.article(7).makeURL(baseURL: base).path == "/v2/articles/7")
  }

  @Test(arguments: [
    (#"{"id": 1, "title": "Hi", "summary": "Short", "content": "Long"}"#, "Short" as String?),
    (#"{"id": 1, "title": "Hi", "summary": null, "content": "Long"}"#, nil),
    (#"{"id": 1, "title": "Hi", "content": "Long"}"#, nil),
  ])
  func `an article with or without a summary is decoded`(json: String, summary: String?) async throws {
    try await withCassette(stubs: [CassetteStub(.get("/v2/articles/1"), .text(json))]) { session in
      let client = try Self.client(session)
      #expect(try await client.article(1) == Article(id: 1, title: "Hi", summary: summary, content: "Long"))
      let (data, _) = try await client.send(.article(1))
      let article: Article = try client.deserialize(data)
      #expect(article.summary == summary)
    }
  }

  @Test func `a list of articles is decoded as an array, and not as an article`() async throws {
    let list = CassetteStub(.get("/v2/articles?page=1"), .text(#"[{"id": 1, "title": "Hi", "content": "Long"}]"#))
    try await withCassette(stubs: [list]) { session in
      let client = try Self.client(session)
      let (data, _) = try await client.send(.articles())
      #expect(try client.deserialize(data, as: [Article].self).map(\.title) == ["Hi"])
      #expect(throws: DecodingError.self) { try client.deserialize(data, as: Article.self) }
    }
  }

  @Test func `a field set after makeRequest is sent`() async throws {
    let changed = CassetteStub(
      .get("/v2/articles/1"),
      .answering { request in
        let field = { name in request.value(forHTTPHeaderField: name) ?? "" }
        return .json(Article(id: 1, title: field("X-Trace"), content: field("Authorization")))
      })
    try await withCassette(stubs: [changed]) { session in
      let client = try Self.client(session)
      var request = try await client.makeRequest(for: .article(1))
      request.setValue("42", forHTTPHeaderField: "X-Trace")
      let article: Article = try client.deserialize(await client.send(request).0)
      #expect(article == Article(id: 1, title: "42", content: "Bearer abc"))
    }
  }

  @Test(arguments: Player.allCases)
  func `a completion handler receives the article or the error`(player: Player) async throws {
    try await player.play("articles", in: Player.shipped) { client async throws in
      let article = await withCheckedContinuation { continuation in
        client.value(for: .article(2)) { (result: Result<Article, any Error>) in
          continuation.resume(returning: result)
        }
      }
      #expect(try article.get().title == "Crème brûlée and other encodings")
      let status = await withCheckedContinuation { continuation in
        client.send(.article(404)) { result in continuation.resume(returning: result.map(\.1.statusCode)) }
      }
      #expect(throws: ArticlesError.notFound("There is no article 404.")) { try status.get() }
    }
  }

  @Test(.timeLimit(.minutes(30))) func `cancelling a task calls back with a cancellation error`() async throws {
    let slow = CassetteStub(.get("/v2/articles/1"), .json([:]).delay(.seconds(60)))
    try await withCassette(stubs: [slow]) { session in
      let client = try Self.client(session)
      let request = try await client.makeRequest(for: .article(1))
      let outcome = await withCheckedContinuation { continuation in
        let task = client.send(request) { result in continuation.resume(returning: result.map(\.1.statusCode)) }
        task.cancel()
      }
      #expect(throws: CancellationError.self) { try outcome.get() }
    }
  }

  private static func client(_ session: URLSession) throws -> ArticlesClient {
    ArticlesClient(
      baseURL: try #require(URL(string: "https://api.domain.com")), session: session,
      tokens: MemoryTokenStore(.bearer("abc")))
  }
}
