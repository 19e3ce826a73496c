import CassetteTesting
import Foundation
import MockServerTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The players of the tests below: a session, and a mock server.
enum RacePlayer: CaseIterable, Sendable {
  case session, server

  /// A client of a player, and the clock on which the player waits.
  struct Client: Sendable {
    let clock = TestClock()
    let session: URLSession
    let base: URL

    func answer(_ path: String, header: String? = nil) async throws -> (status: Int, text: String) {
      var request = URLRequest(url: base.appending(path: path))
      if let header { request.setValue(header, forHTTPHeaderField: "X-Token") }
      let (data, response) = try await session.data(for: request)
      return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
    }

    /// Sends a request again after 1, 2 and 4 seconds while the answer is an error.
    func patientAnswer(_ path: String) async throws -> String {
      for seconds in [1, 2, 4] {
        if let found = try? await answer(path), found.status == 200 { return found.text }
        try await clock.sleep(until: clock.now.advanced(by: .seconds(seconds)), tolerance: nil)
      }
      return try await answer(path).text
    }
  }

  /// Runs a test with a cassette or stubs, whose delays take the time of a clock.
  func run(
    _ cassette: String? = nil, _ stubs: [CassetteStub] = [], with faults: CassetteFault? = nil,
    _ test: (Client) async throws -> Void
  ) async throws {
    let faults = faults ?? .latency(.zero, on: "/")
    switch self {
    case .session:
      try await withCassette(cassette, .relaxed, with: faults, stubs: stubs) { session in
        let client = Client(session: session, base: try #require(URL(string: "https://api.example.com")))
        CassettePlayer.current.use(client.clock)
        try await test(client)
      }
    case .server:
      func run(_ server: TestMockServer) async throws {
        let client = Client(session: URLSession(configuration: .ephemeral), base: server.url)
        defer { client.session.invalidateAndCancel() }
        server.use(client.clock)
        try await test(client)
      }
      guard let cassette else {
        return try await withMockServer(strictness: .relaxed, stubs: stubs, with: faults) { try await run($0) }
      }
      try await withMockServer(cassettes: cassette, strictness: .relaxed, with: faults) { try await run($0) }
    }
  }
}

/// An access token that many requests of a client share, and that one of them renews.
private actor Token {
  private(set) var text = "old"
  private var renewal: Task<String, any Error>?

  func renewed(by client: RacePlayer.Client) async throws -> String {
    if let renewal { return try await renewal.value }
    let task = Task { try await client.answer("token").text }
    renewal = task
    text = try await task.value
    return text
  }
}

/// Races and waits of clients, without sleeping: also with `--repetitions 1000` next to four busy loops.
@Suite(.timeLimit(.minutes(2))) struct RaceTests {
  @Test(arguments: RacePlayer.allCases)
  func `a client with a back-off of 1, 2 and 4 seconds gets its answer after 7 seconds`(player: RacePlayer) async throws
  {
    let stub = CassetteStub(.get("/user"), .status(503), .status(429), .status(503), .text("kean"))
    try await player.run(nil, [stub]) { client in
      async let user = client.patientAnswer("user")
      for seconds in [1, 2, 4] {
        await client.clock.pass(.seconds(seconds))
      }
      let found = try await user
      #expect(found == "kean")
      #expect(client.clock.now.offset == .seconds(7))
    }
  }

  @Test(arguments: RacePlayer.allCases)
  func `a client gets the answer one second after a lost connection`(player: RacePlayer) async throws {
    let gate = CassetteGate()
    try await player.run(nil, [CassetteStub(.get("/user"), .text("kean").held(by: gate))]) { client in
      async let user = client.patientAnswer("user")
      await gate.release(failing: .networkConnectionLost)
      await client.clock.pass(.seconds(1))
      let found = try await user
      #expect(found == "kean")
      #expect(client.clock.now.offset == .seconds(1))
    }
  }

  @Test(arguments: RacePlayer.allCases)
  func `of two held answers the one released first arrives first`(player: RacePlayer) async throws {
    let (first, second) = (CassetteGate(), CassetteGate())
    let stubs = [
      CassetteStub(.get("/s"), .text("all").held(by: first)),
      CassetteStub(.get("/swift"), .text("swift").held(by: second)),
    ]
    try await player.run(nil, stubs) { client in
      let (arrivals, arrived) = AsyncStream.makeStream(of: String.self)
      let ask = { @Sendable (path: String) in
        let answer = try? await client.answer(path)
        arrived.yield(answer?.text ?? "")
      }
      async let one: Void = ask("s")
      await first.reached()
      async let other: Void = ask("swift")
      await second.reached()
      var iterator = arrivals.makeAsyncIterator()
      await second.release()
      #expect(await iterator.next() == "swift")
      await first.release()
      #expect(await iterator.next() == "all")
      _ = await (one, other)
    }
  }

  @Test(arguments: RacePlayer.allCases)
  func `a throttled answer of four bytes takes four seconds`(player: RacePlayer) async throws {
    let stub = CassetteStub(.get("/user"), .text("kean"))
    try await player.run(nil, [stub], with: .throttle(bytesPerSecond: 1)) { client in
      async let user = client.answer("user").text
      for _ in 0..<4 {
        await client.clock.pass(.seconds(1))
      }
      let found = try await user
      #expect(found == "kean")
    }
  }

  @Test(arguments: RacePlayer.allCases)
  func `the gaps of a recorded stream pass on the test's clock`(player: RacePlayer) async throws {
    try await player.run("ticks") { client in
      async let ticks = client.answer("ticks").text
      for seconds in [2, 3] {
        await client.clock.pass(.seconds(seconds))
      }
      let found = try await ticks
      #expect(found == "one\ntwo\nthree\n")
      #expect(client.clock.now.offset == .seconds(5))
    }
  }

  @Test(arguments: RacePlayer.allCases)
  func `five requests with an expired token renew the token once`(player: RacePlayer) async throws {
    let gate = CassetteGate()
    let renewals = CassetteGate()
    let stubs = [
      CassetteStub(.get("/user").header("X-Token", "new"), .text("kean")),
      CassetteStub(.get("/user"), .status(401).held(by: gate)),
      CassetteStub(.get("/token"), .text("new").held(by: renewals)),
    ]
    try await player.run(nil, stubs) { client in
      let token = Token()
      try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<5 {
          group.addTask {
            let first = try await client.answer("user", header: await token.text)
            guard first.status == 401 else { return "" }
            return try await client.answer("user", header: try await token.renewed(by: client)).text
          }
        }
        await gate.reached(5)
        await gate.release()
        await renewals.reached()
        await renewals.release()
        for try await text in group { #expect(text == "kean") }
      }
      #expect(sent(.get("/token")).count == 1)
      #expect(sent(.get("/user")).count == 10)
    }
  }

  @Test(arguments: RacePlayer.allCases)
  func `a cancelled request does not delay the next request`(player: RacePlayer) async throws {
    let gate = CassetteGate()
    let stubs = [
      CassetteStub(.get("/slow"), .text("slow").held(by: gate)), CassetteStub(.get("/fast"), .text("fast")),
    ]
    try await player.run(nil, stubs) { client in
      let slow = Task { try await client.answer("slow").text }
      await gate.reached()
      slow.cancel()
      await #expect(throws: (any Error).self) { try await slow.value }
      let fast = try await client.answer("fast").text
      #expect(fast == "fast")
      await gate.release()
    }
  }

  @Test func `a delay longer than the request's time-out ends as timedOut`() async throws {
    let stub = CassetteStub(.get("/user"), .text("kean").delay(.seconds(61)))
    try await RacePlayer.session.run(nil, [stub]) { client in
      let user = Task { try await client.answer("user").text }
      await client.clock.pass(.seconds(60))
      let error = await #expect(throws: URLError.self) { try await user.value }
      #expect(error?.code == .timedOut)
    }
  }
}
