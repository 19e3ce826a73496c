import CassetteHTTP
import CassetteSession
import CassetteSystem
import Cassettes
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A delegate that collects the calls of a session and reports the end of a task.
final class Listener: NSObject, URLSessionDataDelegate, Sendable {
  struct Heard: Sendable {
    var pieces: [String] = []
    var redirects: [String] = []
    var status = 0
  }

  private let heard = Locked(Heard())
  private let ended: @Sendable ((any Error)?) -> Void
  private let followsRedirects: Bool
  private let content: Data?

  init(
    followsRedirects: Bool = true, content: Data? = nil, ended: @escaping @Sendable ((any Error)?) -> Void
  ) {
    self.followsRedirects = followsRedirects
    self.content = content
    self.ended = ended
  }

  var result: Heard { heard.withLock { $0 } }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    heard.withLock { $0.status = (response as? HTTPURLResponse)?.statusCode ?? 0 }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    heard.withLock { $0.pieces.append(String(decoding: data, as: UTF8.self)) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    heard.withLock { $0.redirects.append(request.url?.path ?? "") }
    completionHandler(followsRedirects ? request : nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, needNewBodyStream completionHandler: @escaping (InputStream?) -> Void
  ) {
    completionHandler(content.map { InputStream(data: $0) })
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    ended(error)
  }
}

@Suite struct LoaderTests {
  private let url = URL(string: "https://api.example.com/user") ?? URL(filePath: "/")

  private func player(_ interactions: Interaction...) -> CassettePlayer {
    CassettePlayer([Cassette(name: "test", interactions: interactions)])
  }

  /// Runs a task with a delegate until the task ends.
  private func run(
    _ player: CassettePlayer, followsRedirects: Bool = true, content: Data? = nil,
    _ make: (URLSession) -> URLSessionTask
  ) async -> (heard: Listener.Heard, error: URLError?) {
    let result = Locked<Listener?>(nil)
    let error = await withCheckedContinuation { continuation in
      let listener = Listener(followsRedirects: followsRedirects, content: content) {
        continuation.resume(returning: $0)
      }
      result.withLock { $0 = listener }
      let session = player.session(delegate: listener)
      make(session).resume()
      session.finishTasksAndInvalidate()
    }
    return (result.withLock { $0?.result } ?? .init(), error as? URLError)
  }

  private func streamed(_ pieces: String..., end: BodyEnd = .complete, after: Double = 0.001) -> Interaction {
    let chunks = pieces.map { BodyChunk(after: after, bytes: Array($0.utf8)) }
    return Interaction(
      method: .get, url: "/user", outcome: .response(RecordedResponse(status: 200, body: .chunks(chunks, end: end))))
  }

  @Test func `a delegate receives a streamed body chunk by chunk`() async {
    let (heard, error) = await run(player(streamed("a", "b", "c"))) { $0.dataTask(with: url) }
    #expect(heard.pieces == ["a", "b", "c"])
    #expect(heard.status == 200)
    #expect(error == nil)
  }

  @Test func `a data task without a delegate gets a streamed body as a whole`() async throws {
    let (data, _) = try await player(streamed("a", "b", "c")).session().data(from: url)
    #expect(String(decoding: data, as: UTF8.self) == "abc")
  }

  @Test func `a truncated body fails as networkConnectionLost after its chunks`() async {
    let (heard, error) = await run(player(streamed("a", "b", end: .reset))) { $0.dataTask(with: url) }
    #expect(heard.pieces == ["a", "b"])
    #expect(error?.code == .networkConnectionLost)
  }

  @Test func `a delegate receives a redirect and follows it`() async {
    let player = player(
      .made(.get, "/user", status: 302, headers: [("Location", "/there")]), .made(.get, "/there", body: "there"))
    let (heard, error) = await run(player) { $0.dataTask(with: url) }
    #expect(heard.redirects == ["/there"])
    #expect(heard.pieces == ["there"])
    #expect(error == nil)
  }

  @Test func `a delegate that declines a redirect gets the redirect as the answer`() async {
    let player = player(.made(.get, "/user", status: 302, headers: [("Location", "/there")], body: "moved"))
    let (heard, error) = await run(player, followsRedirects: false) { $0.dataTask(with: url) }
    #expect(heard.status == 302)
    #expect(heard.pieces == ["moved"])
    #expect(error == nil)
  }

  @Test func `a streamed upload asks its delegate for the body`() async {
    let player = player(
      .made(.post, "/user", body: "1", sending: "one"), .made(.post, "/user", body: "2", sending: "two"))
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    let (heard, error) = await run(player, content: Data("two".utf8)) { [request] in
      $0.uploadTask(withStreamedRequest: request)
    }
    #expect(heard.pieces == ["2"])
    #expect(error == nil)
  }

  @Test func `a task that is suspended and resumed plays its recording once`() async {
    // The chunks are slow, because Foundation ends the process if a finishing task is resumed again.
    let player = player(streamed("a", "b", "c", after: 0.3))
    let (heard, error) = await run(player) { session in
      let task = session.dataTask(with: url)
      task.resume()
      for _ in 0..<5 {
        task.suspend()
        task.resume()
      }
      task.suspend()
      return task
    }
    #expect(heard.pieces == ["a", "b", "c"])
    #expect(error == nil)
    #expect(player.ledger.count == 1)
  }

  @Test func `a task that is cancelled during a delay fails as cancelled`() async {
    let player = player(streamed("a", after: 30))
    let (heard, error) = await run(player) { session in
      let task = session.dataTask(with: url)
      task.resume()
      task.cancel()
      return task
    }
    #expect(heard.pieces == [])
    #expect(error?.code == .cancelled)
  }

  @Test func `an answer later than the request's time-out fails as timedOut`() async throws {
    let player = CassettePlayer()
    player.add([CassetteStub(.get("/user"), .status(200).delay(.seconds(60)))])
    var request = URLRequest(url: url)
    request.timeoutInterval = 0.05
    let impatient = request
    let error = await #expect(throws: URLError.self) { try await player.session().data(for: impatient) }
    #expect(error?.code == .timedOut)
  }
}
