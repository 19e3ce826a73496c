import APIClientKit
import CassetteSystem
import CassetteTesting
import ClientTestSupport
import Foundation
import MockServerTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `Token refresh` {
  /// Holds requests until a given number of them wait.
  private actor Gate: SendDelegate {
    private var wanted: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ wanted: Int) { self.wanted = wanted }

    func client(_ client: APIClient, willSendRequest request: inout URLRequest) async throws {
      guard request.value(forHTTPHeaderField: "Authorization") == "Bearer old" else { return }
      wanted -= 1
      if wanted > 0 { await withCheckedContinuation { waiting.append($0) } }
      for continuation in waiting { continuation.resume() }
      waiting = []
    }
  }

  /// Counts refreshes, and records the changes of the token.
  private final class Refreshing: Sendable {
    let client = Locked<APIClient?>(nil)
    let count = Locked(0)
    let changes = Locked<[Token?]>([])

    func tokens(_ path: String) -> Tokens {
      Tokens(Token(access: "old", refresh: "more")) { old in
        self.count.withLock { $0 += 1 }
        guard let client = self.client.withLock({ $0 }) else { throw CancellationError() }
        return try await client.value(for: .post(path, body: ["refresh": old.refresh]))
      } changed: { token in
        self.changes.withLock { $0.append(token) }
      }
    }
  }

  /// Sends a number of requests in parallel and returns their results.
  private func ask(_ count: Int, _ client: APIClient) async -> [Result<String, any Error>] {
    await withTaskGroup(of: Result<String, any Error>.self) { group in
      for _ in 0..<count {
        group.addTask {
          do { return .success(try await client.value(for: .get("/me"))) } catch { return .failure(error) }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  @Test(arguments: Player.allCases)
  func `a hundred parallel requests with an expired token refresh it once`(player: Player) async throws {
    let refreshing = Refreshing()
    let tokens = refreshing.tokens("/token")
    func configure(_ configuration: inout APIClient.Configuration) {
      configuration.tokens = tokens
      configuration.delegate = Gate(100)
    }
    try await player.play("api", .with(configure)) { client in
      refreshing.client.withLock { $0 = client }
      let answers = await ask(100, client).map { try? $0.get() }
      #expect(answers == Array(repeating: "kean", count: 100))
      #expect(refreshing.count.withLock { $0 } == 1)
      #expect(refreshing.changes.withLock { $0 } == [Token(access: "new", refresh: "again")])
      guard player == .server, let url = TestMockServer.current?.url else { return }
      let journal = try await RequestJournal.of(url)
      #expect(journal.filter { $0.url == "/token" }.count == 1)
      #expect(journal.filter { $0.url == "/me" }.count == 200)
    }
  }

  @Test(arguments: Player.allCases) func `a refused refresh token signs the client out`(player: Player) async throws {
    let refreshing = Refreshing()
    let tokens = refreshing.tokens("/token/expired")
    func configure(_ configuration: inout APIClient.Configuration) {
      configuration.tokens = tokens
      configuration.delegate = Gate(20)
    }
    try await player.play("api", .with(configure)) { client in
      refreshing.client.withLock { $0 = client }
      for answer in await ask(20, client) {
        let error = #expect(throws: ClientFailure.self) { try answer.get() }
        guard case .signedOut? = error else { return #expect(Bool(false), "\(error)") }
      }
      #expect(refreshing.count.withLock { $0 } == 1)
      #expect(refreshing.changes.withLock { $0 } == [nil])
      #expect(await tokens.current == nil)
    }
  }

  @Test(arguments: Player.allCases)
  func `a failed refresh fails all waiting requests and keeps the token`(player: Player) async throws {
    let refreshing = Refreshing()
    let tokens = refreshing.tokens("/token/down")
    func configure(_ configuration: inout APIClient.Configuration) {
      configuration.tokens = tokens
      configuration.delegate = Gate(20)
    }
    try await player.play("api", .with(configure)) { client in
      refreshing.client.withLock { $0 = client }
      for answer in await ask(20, client) {
        let error = #expect(throws: ClientFailure.self) { try answer.get() }
        guard case .refresh(let reason)? = error else { return #expect(Bool(false), "\(error)") }
        #expect((reason as? APIError)?.status == 503)
      }
      #expect(refreshing.count.withLock { $0 } == 1)
      #expect(await tokens.current == Token(access: "old", refresh: "more"))
    }
  }

  @Test(arguments: Player.allCases)
  func `a token past its expiry date is refreshed before the request`(player: Player) async throws {
    let old = Token(access: "old", expires: Date(timeIntervalSinceNow: -1))
    let tokens = Tokens(old) { _ in Token(access: "new") }
    let statuses = Locked<[Int?]>([])
    func configure(_ configuration: inout APIClient.Configuration) {
      configuration.tokens = tokens
      configuration.observe = { exchange in statuses.withLock { $0.append(exchange.status) } }
    }
    try await player.play("api", .with(configure)) { client in
      let name: String = try await client.value(for: .get("/me"))
      #expect(name == "kean")
    }
    #expect(statuses.withLock { $0 } == [200])
  }

  @Test(arguments: Player.allCases)
  func `a new token that is refused is not refreshed again`(player: Player) async throws {
    let count = Locked(0)
    let tokens = Tokens(Token(access: "old")) { token in
      count.withLock { $0 += 1 }
      return token
    }
    try await player.play("api", .with { $0.tokens = tokens }) { client in
      let error = await #expect(throws: APIError.self) { try await client.send(Request<String>.get("/me")) }
      #expect(error?.status == 401)
    }
    #expect(count.withLock { $0 } == 1)
  }
}
