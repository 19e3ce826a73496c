import CassetteHTTP
import CassetteSession
import CassetteSystem
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Answers challenges as it is told, and keeps what it was asked.
private final class Answering: NSObject, URLSessionTaskDelegate, Sendable {
  struct Question: Sendable, Equatable {
    var method: String
    var realm: String?
    var host: String
    var port: Int
    var failures: Int
    var status: Int?
  }

  typealias Answer = (URLSession.AuthChallengeDisposition, URLCredential?)

  private let asked = Locked<[Question]>([])
  private let redirects = Locked<[String]>([])
  private let answer: @Sendable (Question) -> Answer

  init(_ answer: @escaping @Sendable (Question) -> Answer) { self.answer = answer }

  var questions: [Question] { asked.withLock { $0 } }
  var redirected: [String] { redirects.withLock { $0 } }

  private func hear(_ challenge: URLAuthenticationChallenge) -> Answer {
    let space = challenge.protectionSpace
    let question = Question(
      method: space.authenticationMethod, realm: space.realm, host: space.host, port: space.port,
      failures: challenge.previousFailureCount,
      status: (challenge.failureResponse as? HTTPURLResponse)?.statusCode)
    asked.withLock { $0.append(question) }
    return answer(question)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    let (disposition, credential) = hear(challenge)
    completionHandler(disposition, credential)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    redirects.withLock { $0.append(request.url?.path ?? "") }
    completionHandler(request)
  }
}

@Suite struct `A challenge` {
  private let url = URL(string: "https://api.example.com/private") ?? URL(filePath: "/")

  /// Lets in whoever says kean and hunter2.
  private func guarded() -> CassettePlayer {
    let player = CassettePlayer()
    let expected = "Basic " + Data("kean:hunter2".utf8).base64EncodedString()
    player.add([
      CassetteStub(
        .get("/private"),
        .answering { request in
          request.value(forHTTPHeaderField: "Authorization") == expected
            ? .text("welcome")
            : .text("who are you?", status: 401).header(
              "WWW-Authenticate", #"Digest nonce="1", Basic realm="the \"door\"""#)
        })
    ])
    return player
  }

  private func ask(
    _ player: CassettePlayer, _ delegate: Answering, ofTask: Bool = false
  ) async throws -> (Int?, String) {
    let session = player.session(delegate: ofTask ? nil : delegate)
    let (data, response) =
      ofTask ? try await session.data(from: url, delegate: delegate) : try await session.data(from: url)
    return ((response as? HTTPURLResponse)?.statusCode, String(decoding: data, as: UTF8.self))
  }

  private static let kean = URLCredential(user: "kean", password: "hunter2", persistence: .none)

  @Test(arguments: [false, true])
  func `reaches the delegate, and its credentials are sent`(ofTask: Bool) async throws {
    let player = guarded()
    let delegate = Answering { _ in (.useCredential, Self.kean) }
    let (status, text) = try await ask(player, delegate, ofTask: ofTask)
    #expect(status == 200)
    #expect(text == "welcome")
    #expect(
      delegate.questions == [
        .init(
          method: NSURLAuthenticationMethodHTTPBasic, realm: "the \"door\"", host: "api.example.com", port: 443,
          failures: 0, status: 401)
      ])
    #expect(player.requests.map { $0.headers["Authorization"] != nil } == [false, true])
  }

  @Test func `comes again while credentials are refused, and counts`() async throws {
    let delegate = Answering { question in
      question.failures < 2
        ? (.useCredential, URLCredential(user: "kean", password: "\(question.failures)", persistence: .none))
        : (.useCredential, Self.kean)
    }
    let (status, _) = try await ask(guarded(), delegate)
    #expect(status == 200)
    #expect(delegate.questions.map(\.failures) == [0, 1, 2])
  }

  @Test(arguments: [URLSession.AuthChallengeDisposition.performDefaultHandling, .rejectProtectionSpace])
  func `that the delegate leaves alone is the response it is`(disposition: URLSession.AuthChallengeDisposition)
    async throws
  {
    let delegate = Answering { _ in (disposition, nil) }
    let (status, text) = try await ask(guarded(), delegate)
    #expect(status == 401)
    #expect(text == "who are you?")
    #expect(delegate.questions.count == 1)
  }

  @Test func `that is cancelled cancels the task`() async throws {
    let error = await #expect(throws: URLError.self) {
      try await ask(guarded(), Answering { _ in (.cancelAuthenticationChallenge, nil) })
    }
    #expect(error?.code == .cancelled)
  }

  @Test func `without a delegate is the response it is`() async throws {
    let (_, response) = try await guarded().session().data(from: url)
    #expect((response as? HTTPURLResponse)?.statusCode == 401)
  }

  @Test func `is asked of tasks with a handler, and of tasks that the delegate drives`() async throws {
    let delegate = Answering { _ in (.useCredential, Self.kean) }
    let session = guarded().session(delegate: delegate)
    let status: Int? = await withCheckedContinuation { continuation in
      session.dataTask(with: url) { _, response, _ in
        continuation.resume(returning: (response as? HTTPURLResponse)?.statusCode)
      }.resume()
    }
    #expect(status == 200)
    #expect(delegate.questions.count == 1)
  }

  @Test func `of a scheme that nobody here answers is the response it is`() async throws {
    let player = CassettePlayer()
    player.add([CassetteStub(.get("/private"), .status(401, headers: ["WWW-Authenticate": "Bearer realm=\"basic\""]))])
    let delegate = Answering { _ in (.useCredential, Self.kean) }
    #expect(try await ask(player, delegate).0 == 401)
    #expect(delegate.questions.isEmpty)
  }

  #if canImport(FoundationNetworking)
    @Test func `of trust reaches the delegate where a TLS failure is recorded`() async throws {
      let player = CassettePlayer()
      player.add([CassetteStub(.get("/private"), .failing(.serverCertificateUntrusted), .text("trusted"))])
      let delegate = Answering { _ in (.useCredential, nil) }
      let (status, text) = try await ask(player, delegate)
      #expect(status == 200)
      #expect(text == "trusted")
      #expect(delegate.questions.map(\.method) == ["NSURLAuthenticationMethodServerTrust"])
    }
  #endif

  @Test(arguments: [false, true])
  func `of trust that is not given, or does not help, is the recorded failure`(trusts: Bool) async throws {
    let player = CassettePlayer()
    player.add([CassetteStub(.get("/private"), .failing(.serverCertificateUntrusted))])
    let delegate = Answering { _ in (trusts ? .useCredential : .performDefaultHandling, nil) }
    let error = await #expect(throws: URLError.self) { try await ask(player, delegate) }
    #expect(error?.code == .serverCertificateUntrusted)
  }

  @Test func `and a redirect are told to the session's delegate, also of data(for:)`() async throws {
    let player = CassettePlayer()
    player.add([
      CassetteStub(.get("/private"), .status(302, headers: ["Location": "/new"])),
      CassetteStub(.get("/new"), .status(204)),
    ])
    let delegate = Answering { _ in (.performDefaultHandling, nil) }
    #expect(try await ask(player, delegate).0 == 204)
    #expect(delegate.redirected == ["/new"])
  }
}
