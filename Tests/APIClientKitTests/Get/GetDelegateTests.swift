import APIClientKit
import CassetteSystem
import CassetteTesting
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The delegates of Get's tests: delegates that sign and refresh, of a session, and of a task.
@Suite struct `Delegates of Get's tests` {
  /// Adds a token to requests, and refreshes it after status 401, as on Get's page about authentication.
  ///
  /// Get's class has a variable that two requests can change at the same time. The compiler requires an actor here.
  private actor Authorizing: SendDelegate, RetryDelegate {
    var token: String
    var isExpired: Bool
    init(_ token: String, isExpired: Bool = false) { (self.token, self.isExpired) = (token, isExpired) }

    func client(_ client: APIClient, willSendRequest request: inout URLRequest) async throws {
      if isExpired { refresh() }
      request.addValue("token \(token)", forHTTPHeaderField: "Authorization")
    }

    func client(_ client: APIClient, shouldRetry task: URLSessionTask, error: any Error, attempts: Int) async throws
      -> Bool
    {
      if case .unacceptableStatusCode(let statusCode) = error as? APIError, statusCode == 401, attempts == 1 {
        refresh()
        return true
      }
      return false
    }

    private func refresh() { (token, isExpired) = ("valid", false) }
  }

  @Test(arguments: [
    ("valid", false, ["token valid"]), ("expired", true, ["token valid"]),
    ("invalid", false, ["token invalid", "token valid"]),
  ]) func `a delegate signs requests and refreshes a refused token`(
    row: (token: String, isExpired: Bool, sent: [String])
  ) async throws {
    let sent = Locked<[String?]>([])
    let stub = CassetteStub(
      .get("/user"),
      .answering { request in
        let field = request.value(forHTTPHeaderField: "Authorization")
        sent.withLock { $0.append(field) }
        return field == "token valid" ? .text("{}") : .text("Unauthorized", status: 401)
      })
    try await withCassette(nil, .relaxed, stubs: [stub]) { _ in
      let client = APIClient(host: "api.github.com") {
        $0.session = .cassette
        $0.delegate = Authorizing(row.token, isExpired: row.isExpired)
      }
      try await client.send(Request(path: "/user"))
    }
    #expect(sent.withLock { $0 } == row.sent)
  }

  /// Records the callbacks of a session.
  private final class Noting: NSObject, URLSessionDataDelegate, Sendable {
    let notes = Locked<[String]>([])
    let disposition: URLSession.ResponseDisposition

    init(_ disposition: URLSession.ResponseDisposition = .allow) { self.disposition = disposition }

    func note(_ text: String) { notes.withLock { $0.append(text) } }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      note("response \(response.url?.path() ?? "")")
      completionHandler(disposition)
    }
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      note("data \(String(decoding: data, as: UTF8.self))")
    }
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      note(error == nil ? "completed" : "failed")
    }
    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      note("redirect \(request.url?.path() ?? "")")
      completionHandler(nil)
    }
  }

  private func client(_ delegate: Noting?) -> APIClient {
    APIClient(host: "api.github.com") {
      $0.sessionConfiguration = .cassette
      $0.sessionDelegate = delegate
    }
  }

  @Test(.stub(.get("/user"), .text("{}")))
  func `a session delegate receives the response, the data and the completion`() async throws {
    let delegate = Noting()
    try await client(delegate).send(.get("/user"))
    #expect(delegate.notes.withLock { $0 } == ["response /user", "data {}", "completed"])
  }

  @Test(.stub(.get("/user"), .text("{}")))
  func `a task delegate receives callbacks in addition to the session delegate`() async throws {
    let (session, task) = (Noting(), Noting())
    try await client(session).send(Request<Void>.get("/user"), delegate: task)
    #expect(task.notes.withLock { $0 } == ["response /user", "data {}", "completed"])
    // Callbacks that need an answer go to the task's delegate, and notifications to both.
    #expect(session.notes.withLock { $0 } == ["data {}", "completed"])
  }

  @Test(.stub(.get("/user"), .text("{}")))
  func `a delegate cancels a task when it receives the response`() async throws {
    let delegate = Noting(.cancel)
    let error = await #expect(throws: URLError.self) {
      try await client(nil).send(Request<Void>.get("/user"), delegate: delegate)
    }
    #expect(error?.code == .cancelled)
    #expect(delegate.notes.withLock { $0.first } == "response /user")
  }

  @Test(.stub(.get("/old"), .status(302, headers: ["Location": "/new"])))
  func `a delegate that declines a redirect makes the request fail with status 302`() async throws {
    let delegate = Noting()
    let error = await #expect(throws: APIError.self) { try await client(delegate).send(.get("/old")) }
    #expect(error?.status == 302)
    #expect(delegate.notes.withLock { $0.first } == "redirect /new")
  }

  @Test(.stub(.get("/user"), .text("{}"))) func `a task delegate receives the callbacks of a download`() async throws {
    let delegate = Noting()
    let response = try await client(nil).download(for: .get("/user"), delegate: delegate)
    try FileManager.default.removeItem(at: response.location.deletingLastPathComponent())
    #expect(delegate.notes.withLock { $0 } == ["response /user", "data {}", "completed"])
  }

  @Test(.stub(.get("/user"), .text("{}"))) func `a session delegate is called on the given queue`() async throws {
    let key = DispatchSpecificKey<Bool>()
    let queue = DispatchQueue(label: "delegates")
    queue.setSpecific(key: key, value: true)
    let operations = OperationQueue()
    operations.underlyingQueue = queue
    final class Asking: NSObject, URLSessionTaskDelegate, Sendable {
      let key: DispatchSpecificKey<Bool>
      let isThere = Locked<Bool?>(nil)
      init(_ key: DispatchSpecificKey<Bool>) { self.key = key }
      func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        isThere.withLock { $0 = DispatchQueue.getSpecific(key: key) ?? false }
      }
    }
    let delegate = Asking(key)
    let client = APIClient(host: "api.github.com") {
      $0.sessionConfiguration = .cassette
      $0.sessionDelegate = delegate
      $0.sessionDelegateQueue = operations
    }
    try await client.send(.get("/user"))
    #expect(delegate.isThere.withLock { $0 } == true)
  }

  @Test func `a delegate that conforms to no method's protocol throws an error that names the protocol`() async throws {
    struct Idle: ClientDelegate {
      func client(_ client: APIClient, willSendRequest request: inout URLRequest) async throws {}
    }
    let client = APIClient(host: "api.github.com") { $0.delegate = Idle() }
    let error = await #expect(throws: ClientFailure.self) { try await client.send(.get("/user")) }
    #expect(error?.localizedDescription.hasPrefix("Idle is never called: conform it to SendDelegate") == true)
  }
}
