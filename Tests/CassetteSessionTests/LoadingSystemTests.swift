import CassetteHTTP
import CassetteSystem
import Cassettes
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import CassetteSession

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A protocol class that behaves as under Apple's loading system, on any platform.
private class AppleProtocol: CassetteURLProtocol {
  static let registry = SessionProtocolClasses(for: .apple)

  override class var system: LoadingSystem { .apple }
  override class var classes: SessionProtocolClasses { registry }
}

/// A separate protocol class for each test, because a class belongs to one player.
private final class RecordingProtocol: AppleProtocol {}
private final class LoginProtocol: AppleProtocol {}
private final class RefusedProtocol: TasklessProtocol {}
private final class FollowedProtocol: TasklessProtocol {}
private final class PlainProtocol: TasklessProtocol {}
private final class PiecesProtocol: TasklessProtocol {}

/// A protocol whose client provides no task, and calls it on a given queue.
private class TasklessProtocol: AppleProtocol {
  var queueOfClient: DispatchQueue?

  override var queue: DispatchQueue? { queueOfClient }
}

/// Records the calls of a protocol, and follows redirects as Apple's loading system does, by stopping the protocol.
///
/// `@unchecked Sendable`: only the protocol's queue calls this object.
private final class Client: NSObject, URLProtocolClient, @unchecked Sendable {
  private let follows: Bool
  private let queue: DispatchQueue?
  private let ended: @Sendable ([String]) -> Void
  private var heard: [String] = []

  init(follows: Bool = false, _ queue: DispatchQueue?, ended: @escaping @Sendable ([String]) -> Void) {
    (self.follows, self.queue, self.ended) = (follows, queue, ended)
  }

  func urlProtocol(
    _ loading: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse response: URLResponse
  ) {
    heard.append("redirect to \(request.url?.path ?? "")")
    guard follows else { return }
    nonisolated(unsafe) let loading = loading
    queue?.async { loading.stopLoading() }
    // Long enough for any further call of the protocol.
    queue?.asyncAfter(deadline: .now() + Loader.decisionTime * 2) { self.ended(self.heard) }
  }

  func urlProtocol(
    _ loading: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
  ) {
    heard.append("\((response as? HTTPURLResponse)?.statusCode ?? 0)")
  }

  func urlProtocol(_ loading: URLProtocol, didLoad data: Data) {
    heard.append(String(decoding: data, as: UTF8.self))
  }

  func urlProtocolDidFinishLoading(_ loading: URLProtocol) { ended(heard + ["end"]) }
  func urlProtocol(_ loading: URLProtocol, didFailWithError error: any Error) { ended(heard + ["\(error)"]) }
  func urlProtocol(_ loading: URLProtocol, cachedResponseIsValid response: CachedURLResponse) {}
  func urlProtocol(_ loading: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {}
  func urlProtocol(_ loading: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {}
}

@Suite struct `Apple's loading system` {
  /// Creates a session whose requests go to a player, through a class that cannot get the session from a task.
  private func session(
    _ player: CassettePlayer, _ type: AppleProtocol.Type, _ fields: [String: String] = [:]
  ) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = fields
    configuration.play(on: type)
    AppleProtocol.registry.assign(type, to: player)
    AppleProtocol.registry.give(type, to: configuration)
    return URLSession(configuration: configuration)
  }

  private func record(_ type: AppleProtocol.Type, _ paths: String...) async throws -> [LoopbackOrigin.Request] {
    let origin = try LiveScenario.origin()
    let folder = try ScratchFolder()
    let recorder = try CassettePlayer(paths: [folder.path("take.json")], mode: .record)
    let session = session(recorder, type, ["Authorization": "Bearer abc"])
    for path in paths {
      _ = try await session.data(from: try #require(URL(string: origin.url + path)))
    }
    recorder.end()
    return origin.requests
  }

  @Test func `a recording player sends the fields of the session's configuration`() async throws {
    let asked = try await record(RecordingProtocol.self, "/json")
    #expect(asked.map { $0.value(of: "Authorization") } == ["Bearer abc"])
  }

  @Test func `a recording player sends the cookies of an earlier answer`() async throws {
    let asked = try await record(LoginProtocol.self, "/cookies", "/cookies/back")
    try #require(asked.count == 2)
    #expect(asked[0].value(of: "Cookie") == nil)
    let cookies = try #require(asked[1].value(of: "Cookie")).split(separator: ";").map { $0.drop { $0 == " " } }
    #expect(Set(cookies) == ["a=1", "b=2"])
  }

  /// Plays a request for a client that provides no task.
  private func load(
    _ path: String, _ interactions: [Interaction], _ type: TasklessProtocol.Type, follows: Bool = false
  ) async throws -> [String] {
    let player = CassettePlayer([Cassette(name: "test", interactions: interactions)])
    AppleProtocol.registry.assign(type, to: player)
    let request = URLRequest(url: try #require(URL(string: "https://api.example.com\(path)")))
    let heard = await withCheckedContinuation { continuation in
      // The queue is created first: the client needs the queue, and the protocol's initializer needs the client.
      let queue = DispatchQueue(label: "Apple's loading system")
      let client = Client(follows: follows, queue) { continuation.resume(returning: $0) }
      let loading = type.init(request: request, cachedResponse: nil, client: client)
      loading.queueOfClient = queue
      nonisolated(unsafe) let started = loading
      queue.async { started.startLoading() }
    }
    player.end()
    return heard
  }

  private static let moved = Interaction.made(
    .get, "/old", status: 302, headers: [("Location", "/new")], body: "moved")

  @Test func `a request without a task is answered`() async throws {
    let heard = try await load("/user", [.made(.get, "/user", body: "kean")], PlainProtocol.self)
    #expect(heard == ["200", "kean", "end"])
  }

  @Test func `a client without a task receives a streamed body chunk by chunk`() async throws {
    let chunks = ["a", "b"].map { BodyChunk(after: 0.001, bytes: Array($0.utf8)) }
    let streamed = Interaction(
      method: .get, url: "/user",
      outcome: .response(RecordedResponse(status: 200, body: .chunks(chunks, end: .complete))))
    #expect(try await load("/user", [streamed], PiecesProtocol.self) == ["200", "a", "b", "end"])
  }

  @Test func `a followed redirect is not answered with its own body`() async throws {
    let heard = try await load("/old", [Self.moved], FollowedProtocol.self, follows: true)
    #expect(heard == ["redirect to /new"])
  }

  @Test func `a declined redirect is answered with the recorded response`() async throws {
    let heard = try await load("/old", [Self.moved], RefusedProtocol.self)
    #expect(heard == ["redirect to /new", "302", "moved", "end"])
  }
}
