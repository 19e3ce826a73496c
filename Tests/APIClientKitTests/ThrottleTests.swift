import APIClientKit
import CassetteSystem
import ClientTestSupport
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Endpoint where Scope == Guest, Response == [String] {
  fileprivate static func suggestions(for text: String) -> Self { Endpoint(.get("/suggest", query: ["q": text])) }
}

@Suite struct `Throttle of a search` {
  @Test(arguments: Player.allCases)
  func `only the last of several inputs is sent after the pause`(player: Player) async throws {
    let sent = Locked<[String?]>([])
    let (pauses, pause) = AsyncStream.makeStream(of: Void.self)
    func configure(_ configuration: inout APIClient.Configuration) {
      configuration.observe = { exchange in sent.withLock { $0.append(exchange.request.url?.query()) } }
    }
    try await player.play("suggest", .with(configure)) { api async throws in
      let client = Client(api)
      // A pause ends when its task is cancelled. The last pause ends immediately.
      let typed = Locked(0)
      let search = Throttle<String, [String]>(for: .milliseconds(300)) { _ in
        pause.yield()
        guard
          typed.withLock({
            $0 += 1
            return $0
          }) < 3
        else { return }
        try await Task.sleep(for: .seconds(86_400))
      } ask: { text in
        try await client.send(.suggestions(for: text))
      }
      var waiting = pauses.makeAsyncIterator()
      var questions: [Task<[String]?, any Error>] = []
      for text in ["p", "po", "por"] {
        questions.append(Task { try await search(text) })
        await waiting.next()
      }
      var answers: [[String]?] = []
      for question in questions { answers.append(try await question.value) }
      #expect(answers == [nil, nil, ["porridge", "portions"]])
      // The last answered input is not sent again.
      #expect(try await search("por") == ["porridge", "portions"])
    }
    #expect(sent.withLock { $0 } == ["q=por"])
  }

  @Test(arguments: Player.allCases)
  func `a newer input cancels the previous request, which returns nil`(player: Player) async throws {
    let (sendings, sending) = AsyncStream.makeStream(of: Void.self)
    try await player.play("suggest", .with { $0.delegate = Announcing(sending: sending) }) { api async throws in
      let client = Client(api)
      let search = Throttle<String, [String]>(for: .zero, sleep: { _ in }) {
        try await client.send(.suggestions(for: $0))
      }
      let slow = Task { try await search("slow") }
      for await _ in sendings { break }
      #expect(try await search("por") == ["porridge", "portions"])
      #expect(try await slow.value == nil)
    }
  }

  @Test func `an error of the throttled closure is thrown`() async throws {
    struct Unwelcome: Error {}
    let search = Throttle<Int, Int>(for: .zero, sleep: { _ in }, ask: { _ in throw Unwelcome() })
    await #expect(throws: Unwelcome.self) { try await search(1) }
  }

  /// Yields to a stream before a request is sent.
  private struct Announcing: SendDelegate {
    let sending: AsyncStream<Void>.Continuation
    func client(_ client: APIClient, willSendRequest request: inout URLRequest) async throws { sending.yield() }
  }
}
