import APIClientKit
import CassetteSystem
import CassetteTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The user of Get's tests, reduced to the members used here.
private let kean = #"{"login": "kean", "id": 1567433, "name": "Alexander Grebenyuk"}"#

/// Returns a client configured as in Get's tests.
private func client(_ configure: (inout APIClient.Configuration) -> Void = { _ in }) -> APIClient {
  APIClient(baseURL: URL(string: "https://api.github.com")) {
    $0.sessionConfiguration = .cassette
    $0.sessionConfiguration.urlCache = nil
    configure(&$0)
  }
}

/// Stubs for GET and POST requests of the user.
private let answered: [CassetteStub] = [CassetteStub(.any("/user"), .text(kean, type: "application/json"))]

/// The requests and expectations of the test suite of kean/Get 2, with stubs of this project.
@Suite struct `Requests sent in Get's tests` {
  @Test(.stub(.get("/user"), .text(kean))) func `an inline request returns a decoded user`() async throws {
    let user: User = try await client().send(.get("/user")).value
    #expect(user.login == "kean")
    let same: User = try await client().send(Request(path: "/user")).value
    #expect(same.login == "kean")
  }

  @Test(.stub(.get("/user"), .text(kean)))
  func `a response has the data, the requests, the status and the task`() async throws {
    let response = try await client().send(Paths.user.get)
    #expect(response.value.login == "kean")
    #expect(response.data.count == kean.utf8.count)
    #expect(response.originalRequest?.url == URL(string: "https://api.github.com/user"))
    #expect(response.currentRequest?.url == URL(string: "https://api.github.com/user"))
    #expect(response.statusCode == 200)
    #expect((response.response as? HTTPURLResponse)?.statusCode == 200)
    #expect(response.task.originalRequest?.httpMethod == "GET")
  }

  @Test(.stub(.get("/user"), .text("nope", status: 500)))
  func `status 500 throws unacceptableStatusCode`() async throws {
    do {
      try await client().send(Request(path: "/user"))
      Issue.record("The request is expected to fail")
    } catch {
      let error = try #require(error as? APIError)
      switch error {
      case .unacceptableStatusCode(let code): #expect(code == 500)
      }
    }
  }

  @Test func `an invalid URL throws badURL`() async throws {
    let error = await #expect(throws: URLError.self) {
      try await client().send(Request(path: "https://api.github.com  ---invalid"))
    }
    #expect(error?.code == .badURL)
  }

  @Test(.stub(.get("/users/kean"), .text(kean).delay(.seconds(86_400))))
  func `cancelling the task of a request throws cancelled`() async throws {
    let (sendings, sending) = AsyncStream.makeStream(of: Void.self)
    let client = client { $0.delegate = Announcing(sending: sending) }
    let task = Task { try await client.send(Request(path: "/users/kean")) }
    for await _ in sendings { break }
    task.cancel()
    let error = await #expect(throws: URLError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }

  private struct Announcing: SendDelegate {
    let sending: AsyncStream<Void>.Continuation
    func client(_ client: APIClient, willSendRequest request: inout URLRequest) async throws { sending.yield() }
  }

  @Test(.stub(.get("/user"), .text(kean))) func `a response is decoded as an optional value`() async throws {
    let user: User? = try await client().send(Request(path: "/user")).value
    #expect(user?.login == "kean")
  }

  @Test(.stub(.get("/user"), .status(204))) func `a response without content is nil or Void`() async throws {
    let user: User? = try await client().send(Request(path: "/user")).value
    #expect(user == nil)
    try await client().send(Request(path: "/user")).value
    try await client().send(.get("/user"))
  }

  @Test(.stub(.get("/user"), .text("<h>Hello</h>", type: "text/html")))
  func `a response is returned as data or as a string without decoding`() async throws {
    let data: Data = try await client().send(Request(path: "/user")).value
    #expect(String(data: data, encoding: .utf8) == "<h>Hello</h>")
    let text: String = try await client().send(Request(path: "/user")).value
    #expect(text == "<h>Hello</h>")
    let response = try await client().data(for: Request(path: "/user"))
    #expect(response.value == data)
    let inferred = try await client().data(for: .get("/user"))
    #expect(inferred.data == data)
  }

  @Test(.stub(.get("/user"), .text(kean))) func `withResponse changes the type of a request's response`() async throws {
    let request = Request<User>(path: "/user")
    let string = try await client().send(request.withResponse(String.self)).value
    #expect(string.contains(#""login": "kean""#))
  }

  @Test(.stub(.get("/user"), .text("invalid-response")))
  func `a request whose response cannot be decoded is not retried`() async throws {
    struct Never: RetryDelegate {
      func client(_ client: APIClient, shouldRetry task: URLSessionTask, error: any Error, attempts: Int) async throws
        -> Bool
      {
        Issue.record("A retry is not expected")
        return false
      }
    }
    let client = client { $0.delegate = Never() }
    await #expect(throws: DecodingError.self) {
      let _: User = try await client.send(Request(path: "/user")).value
    }
  }

  @Test func `a request is sent as often as the delegate allows`() async throws {
    final class RetryingDelegate: RetryDelegate {
      func client(_ client: APIClient, shouldRetry task: URLSessionTask, error: any Error, attempts: Int) async throws
        -> Bool
      {
        attempts < 3
      }
    }
    let count = Locked(0)
    let refusing = CassetteStub(
      .get("/user"),
      .answering { _ in
        count.withLock { $0 += 1 }
        return .text("Unauthorized", status: 401)
      })
    try await withCassette(nil, .relaxed, stubs: [refusing]) { _ in
      let client = client { $0.delegate = RetryingDelegate() }
      do {
        try await client.send(Request(path: "/user"))
        Issue.record("The request is expected to fail")
      } catch {
        let error = try #require(error as? APIError)
        switch error {
        case .unacceptableStatusCode(let statusCode): #expect(statusCode == 401)
        }
      }
    }
    #expect(count.withLock { $0 } == 3)
  }

  @Test(.stub(.get("/user"), .text(kean))) func `a response is downloaded to a file`() async throws {
    let response = try await client().download(for: Request(path: "/user"))
    defer { try? FileManager.default.removeItem(at: response.location.deletingLastPathComponent()) }
    let user = try JSONDecoder().decode(User.self, from: Data(contentsOf: response.location))
    #expect(user.login == "kean")
    #expect(response.statusCode == 200)
  }

  @Test(.stub(.get("/user"), .text(#"{"message": "Not Found"}"#, status: 404)))
  func `a failed download throws an error with the status and message`() async throws {
    let error = await #expect(throws: APIError.self) { try await client().download(for: .get("/user")) }
    #expect(error?.status == 404 && error?.message == "Not Found")
  }

  @Test func `a file is uploaded as the body of a request`() async throws {
    let sent = Locked<[String]>([])
    let stub = CassetteStub(
      .post("/user"),
      .answering { request in
        sent.withLock { $0.append(String(decoding: (request.httpBody ?? Data()), as: UTF8.self)) }
        return .text(kean, type: "application/json")
      })
    let file = FileManager.default.temporaryDirectory.appending(path: "user-\(UUID()).json")
    try Data(kean.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try await withCassette(nil, .relaxed, stubs: [stub]) { _ in
      let user: User = try await client().upload(for: Request(path: "/user", method: .post), fromFile: file).value
      #expect(user.login == "kean")
      try await client().upload(for: .post("/user"), fromFile: file)
    }
    #expect(sent.withLock { $0 } == [kean, kean])
  }

  @Test(arguments: [
    (Request(path: "/user", method: .post, body: NewUser(id: 1, login: "kean")), #"{"id":1,"login":"kean"}"#),
    (.post("/user", body: ["login": "kean"]), #"{"login":"kean"}"#),
    (.post("/user", body: NewUser?.none), ""),
    (Request(path: "/user", method: .post, body: Data("hello".utf8)), "hello"),
    (Request(path: "/user", method: .post, body: "hello"), "hello"),
  ]) func `a request's body is sent in each supported type`(row: (request: Request<Void>, body: String)) async throws {
    let sent = Locked<[String]>([])
    let stub = CassetteStub(
      .post("/user"),
      .answering { request in
        sent.withLock { $0.append(String(decoding: (request.httpBody ?? Data()), as: UTF8.self)) }
        return .text(kean)
      })
    try await withCassette(nil, .relaxed, stubs: [stub]) { _ in _ = try await client().send(row.request) }
    #expect(sent.withLock { $0 } == [row.body])
  }

  @Test func `a closure changes a URL request before it is sent`() async throws {
    let sent = Locked<(body: Data, policy: URLRequest.CachePolicy)?>(nil)
    let stub = CassetteStub(
      .post("/user"),
      .answering { request in
        sent.withLock { $0 = ((request.httpBody ?? Data()), request.cachePolicy) }
        return .text(kean)
      })
    try await withCassette(nil, .relaxed, stubs: [stub]) { _ in
      let response: Response<User> = try await client().send(.post("/user")) {
        $0.httpBody = try JSONEncoder().encode(["login": "kean"])
        $0.cachePolicy = .reloadIgnoringLocalCacheData
      }
      #expect(response.value.login == "kean")
    }
    #expect(sent.withLock { $0?.body } == Data(#"{"login":"kean"}"#.utf8))
    #expect(sent.withLock { $0?.policy } == .reloadIgnoringLocalCacheData)
  }

  @Test func `a mapped response has the new value and the same data`() throws {
    let url = try #require(URL(string: "https://api.github.com/user"))
    let response = Response(
      value: "1", data: Data("1".utf8),
      response: URLResponse(url: url, mimeType: "text", expectedContentLength: 1, textEncodingName: nil),
      task: URLSession.shared.dataTask(with: url))
    #expect(response.map { Int($0) }.value == 1)
    #expect(response.statusCode == nil)
    #expect(response.data == Data("1".utf8))
  }
}
