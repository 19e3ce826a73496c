import APIClientKit
import CassetteSystem
import CassetteTesting
import ClientTestSupport
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `Client configuration` {
  @Test(arguments: [APIKey.query("key", "abc123"), .header("X-Key", "abc123")], Player.allCases)
  func `an API key is sent with each request and masked in curl commands`(key: APIKey, player: Player) async throws {
    try await player.play("api", .with { $0.apiKey = key }) { client in
      let path = if case .query = key { "/search?q=a" } else { "/keyed" }
      let text: String = try await client.value(for: .get(path))
      #expect(text == "found with a key")
      let command = try await client.curl(for: Request<String>.get(path))
      #expect(!command.contains("abc123"))
    }
  }

  @Test func `a request to another origin carries no API key and no token`() async throws {
    let client = APIClient(baseURL: URL(string: "https://api.example.com/v1")) {
      $0.apiKey = .header("X-Key", "abc123")
      $0.tokens = Tokens(Token(access: "hush")) { $0 }
    }
    let home = try await client.curl(for: Request<String>.get("/orders"), revealingSecrets: true)
    #expect(home.contains("X-Key: abc123") && home.contains("Bearer hush"))
    let same = try await client.curl(for: Request<String>.get("HTTPS://api.example.com:443/x"), revealingSecrets: true)
    #expect(same.contains("Bearer hush"))
    for path in ["https://other.example.com/", "http://api.example.com/", "https://api.example.com:8443/"] {
      let away = try await client.curl(for: Request<String>.get(path), revealingSecrets: true)
      #expect(!away.contains("abc123") && !away.contains("hush"))
    }
  }

  @Test func `a redirect to another origin carries no API key and no token`() async throws {
    let told = Locked<[String: String]>([:])
    let stubs = [
      CassetteStub(
        .get("https://api.example.com/asset"), .status(302, headers: ["Location": "https://cdn.example.com/asset"])),
      CassetteStub(
        .get("https://cdn.example.com/asset"),
        .answering { request in
          told.withLock { $0 = request.allHTTPHeaderFields ?? [:] }
          return .status(204)
        }),
    ]
    try await withCassette(nil, .relaxed, stubs: stubs) { _ in
      let client = APIClient(baseURL: URL(string: "https://api.example.com")) {
        $0.session = .cassette
        $0.apiKey = .header("X-Key", "abc123")
        $0.tokens = Tokens(Token(access: "hush")) { $0 }
      }
      try await client.send(Request<Void>.get("/asset", headers: ["X-Trace": "1"]))
    }
    let fields = told.withLock { $0 }
    #expect(fields["X-Trace"] == "1")
    #expect(fields["X-Key"] == nil && fields["Authorization"] == nil)
  }

  @Test func `changing the environment changes the base URL`() async throws {
    let staging = APIClient.Environment("staging", baseURL: URL(string: "https://staging.example.com/api/"))
    let client = APIClient(baseURL: URL(string: "https://api.example.com")) {
      $0.environments = [staging, .init("qa", baseURL: URL(string: "https://qa.example.com"))]
    }
    #expect(client.environments.map(\.name) == ["production", "staging", "qa"])
    #expect(client.environment == client.environments.first)
    func address() async throws -> String { try await client.curl(for: Request<Void>.get("/orders")) }
    #expect(try await address().hasSuffix("'https://api.example.com/orders'"))
    client.environment = staging
    #expect(try await address().hasSuffix("'https://staging.example.com/api/orders'"))
    client.environment = .init("later", baseURL: URL(string: "https://later.example.com"))
    #expect(try await address().hasSuffix("'https://later.example.com/orders'"))
    client.environment = .mock(try #require(URL(string: "http://127.0.0.1:8080")))
    #expect(try await address().hasSuffix("'http://127.0.0.1:8080/orders'"))
  }

  @Test func `a client without a base URL throws badURL with the environment's name`() async throws {
    let error = await #expect(throws: URLError.self) {
      try await APIClient(baseURL: nil).send(Request<Void>.get("/orders"))
    }
    #expect(error?.code == .badURL)
    #expect(error?.localizedDescription.contains("no base URL in production") == true)
  }

  #if !canImport(Security)
    @Test func `certificate pins and client certificates throw an error on platforms without Security`() async throws {
      let pinned = APIClient(baseURL: URL(string: "https://api.example.com")) {
        $0.trust.pins = [.publicKey(Data([1]))]
      }
      let error = await #expect(throws: ClientFailure.self) { try await pinned.send(Request<Void>.get("/orders")) }
      #expect(error?.localizedDescription.contains("cannot pin certificates on this platform") == true)
      let known = APIClient(baseURL: URL(string: "https://api.example.com")) {
        $0.trust.identity = URLCredential(user: "a", password: "b", persistence: .none)
      }
      let other = await #expect(throws: ClientFailure.self) { try await known.send(Request<Void>.get("/orders")) }
      #expect(other?.localizedDescription.contains("cannot show a client certificate") == true)
    }
  #endif

  /// A delegate that implements every method.
  private struct Opinionated: APIClientDelegate {
    struct NoTag: Error {}
    func client(_ client: APIClient, willSendRequest request: inout URLRequest) async throws {
      request.setValue("yes", forHTTPHeaderField: "X-Signed")
    }
    func client(_ client: APIClient, validateResponse response: HTTPURLResponse, data: Data, task: URLSessionTask)
      throws
    {
      if response.value(forHTTPHeaderField: "ETag") == nil { throw NoTag() }
    }
    func client(
      _ client: APIClient, shouldRetry task: URLSessionTask, error: any Error, attempts: Int
    ) async throws -> Bool { false }
    func client<T>(_ client: APIClient, makeURLForRequest request: Request<T>) throws -> URL? {
      request.id == "first" ? request.at("/orders/1").url(under: client.configuration.baseURL) : nil
    }
    func client<T>(_ client: APIClient, decoderForRequest request: Request<T>) -> JSONDecoder? {
      .api(snakeCase: true)
    }
    func client<T>(_ client: APIClient, encoderForRequest request: Request<T>) -> JSONEncoder? {
      .api(snakeCase: true)
    }
  }

  @Test func `every method of a delegate is called`() async throws {
    try await Player.urlProtocol.play("api", .with { $0.delegate = Opinionated() }) { client in
      var request = Request<Order>.get("/never/asked")
      request.id = "first"
      let response = try await client.send(request)
      #expect(response.value.lineItems == ["porridge"])
      #expect(response.originalRequest?.value(forHTTPHeaderField: "X-Signed") == "yes")
      await #expect(throws: Opinionated.NoTag.self) { try await client.send(Request<Order>.get("/orders/2")) }
      let made = try await client.makeURLRequest(for: .post("/orders", body: NewOrder(lineItems: ["milk"])))
      #expect(made.httpBody == Data(#"{"line_items":["milk"]}"#.utf8))
    }
  }
}

@Suite struct `Client cache` {
  @Test(arguments: Player.allCases)
  func `a revalidated request returns the cached response after status 304`(player: Player) async throws {
    let statuses = Locked<[Int?]>([])
    func configure(_ configuration: inout APIClient.Configuration) {
      configuration.useSnakeCase()
      configuration.observe = { exchange in statuses.withLock { $0.append(exchange.response?.statusCode) } }
    }
    try await player.play("api", .with(configure)) { client in
      var request = Request<Order>.get("/orders/1")
      request.cache = .revalidate
      let first = try await client.send(request)
      let second = try await client.send(request)
      #expect(first.value == second.value)
      #expect(second.status == 200)
      #expect(!first.exchange.isFromCache && second.exchange.isFromCache)
      request.cache = .cacheOnly
      let third = try await client.send(request)
      #expect(third.value == first.value)
      request.cache = .reload
      _ = try await client.send(request)
    }
    #expect(statuses.withLock { $0 } == [200, 304, 200])
  }

  @Test func `a response without an ETag is revalidated by its date`() async throws {
    let date = "Sat, 21 Nov 2026 08:00:00 GMT"
    let asked = Locked<[String?]>([])
    let stub = CassetteStub(
      .get("/news"),
      .answering { request in
        let condition = request.value(forHTTPHeaderField: "If-Modified-Since")
        asked.withLock { $0.append(condition) }
        guard condition == nil else { return .status(304) }
        return .status(200, headers: ["Last-Modified": date], body: Array("news".utf8))
      })
    try await withCassette(nil, .relaxed, stubs: [stub]) { _ in
      let client = APIClient(baseURL: URL(string: "https://api.example.com")) { $0.session = .cassette }
      var request = Request<String>.get("/news")
      request.cache = .revalidate
      for _ in 0..<2 {
        let text = try await client.value(for: request)
        #expect(text == "news")
      }
    }
    #expect(asked.withLock { $0 } == [nil, date])
  }

  @Test func `a cache-only request without a cached response throws notCached`() async throws {
    var request = Request<Order>.get("/orders/1")
    request.cache = .cacheOnly
    let error = await #expect(throws: ClientFailure.self) {
      try await APIClient(baseURL: URL(string: "http://127.0.0.1:9")).send(request)
    }
    guard case .notCached? = error else { return #expect(Bool(false), "\(error)") }
  }

  @Test(arguments: Player.allCases)
  func `a request with its own If-None-Match field throws status 304`(player: Player) async throws {
    try await player.play { client in
      let request = Request<Data>.get("/orders/1", headers: ["If-None-Match": "\"one\""])
      let error = await #expect(throws: APIError.self) { try await client.send(request) }
      #expect(error?.status == 304)
    }
  }
}

@Suite struct `Request URLs` {
  @Test(arguments: [
    ("/a", "https://h/v1", "https://h/v1/a"),
    ("a", "https://h", "https://h/a"),
    ("/a?x=1", "https://h/", "https://h/a?x=1"),
    ("/a b/ü", "https://h", "https://h/a%20b/%C3%BC"),
    ("/a%2Fb", "https://h", "https://h/a%2Fb"),
    ("http://other:81/x", "https://h", "http://other:81/x"),
    ("/from/http://other/", "https://h", "https://h/from/http://other/"),
    ("", "https://h/v1", "https://h/v1/"),
  ])
  func `a relative path is appended to the base URL, and a whole URL is kept`(path: String, base: String, whole: String)
  {
    #expect(Request<Void>.get(path).url(under: URL(string: base))?.absoluteString == whole)
  }

  @Test func `query items are encoded in order, and an item with a nil value has only its name`() {
    let request = Request<Void>.get("/a?z=0", query: [("b", "1"), ("a", nil), ("b", "+&=? #é"), ("c", "")])
    #expect(
      request.url(under: URL(string: "https://h"))?.query(percentEncoded: true)
        == "z=0&b=1&a&b=%2B%26%3D%3F%20%23%C3%A9&c=")
  }

  @Test(arguments: 0..<50) func `URLComponents parses an encoded query to the same items`(seed: UInt64) throws {
    var random = Seeded(seed)
    let characters = Array("ab+&=?#%/;:@ \"'<>[]{}|\\^`~é🥣\n\0")
    func word() -> String {
      String((0..<Int.random(in: 0..<8, using: &random)).compactMap { _ in characters.randomElement(using: &random) })
    }
    let query = (0..<5).map { _ in (word(), String?(word())) }
    let url = try #require(Request<Void>.get("/a", query: query).url(under: URL(string: "https://h")))
    let read = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    #expect(read.map(\.name) == query.map(\.0))
    #expect(read.map(\.value) == query.map(\.1))
  }

  @Test(arguments: ["", "/a"]) func `a relative path without a base URL has no URL`(path: String) {
    #expect(Request<Void>.get(path).url(under: nil) == nil)
  }
}
