import CassetteTesting
import Foundation
import MockServerTesting
import Testing

@testable import CassetteSession

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The model of a search field: the answer to the last query is shown, regardless of the order in which answers arrive.
private actor Search {
  private let session: URLSession
  private var asked = 0
  private(set) var shown = ""
  private(set) var isLoading = false

  init(_ session: URLSession) { self.session = session }

  func type(_ query: String) async throws {
    asked += 1
    let number = asked
    isLoading = true
    let text = try await GateTests.text("/search?q=\(query)", session)
    guard number == asked else { return }
    (shown, isLoading) = (text, false)
  }
}

@Suite(.timeLimit(.minutes(2))) struct GateTests {
  static func text(_ path: String, _ session: URLSession, timeout: TimeInterval = 60) async throws -> String {
    var request = URLRequest(url: try #require(URL(string: "https://api.example.com\(path)")))
    request.timeoutInterval = timeout
    return String(decoding: try await session.data(for: request).0, as: UTF8.self)
  }

  @Test(arguments: 0..<20) func `an answer waits until its gate is released`(number: Int) async throws {
    let gate = CassetteGate()
    try await withCassette(stubs: [CassetteStub(.get("/user"), .text("kean").held(by: gate))]) { session in
      async let user = Self.text("/user", session)
      await gate.reached()
      #expect(gate.counts.held == 1)
      await gate.release()
      let found = try await user
      #expect(found == "kean")
    }
  }

  @Test(arguments: 0..<20) func `answers arrive in the order in which the test releases their gates`(number: Int)
    async throws
  {
    let (first, second) = (CassetteGate(), CassetteGate())
    let stubs = [
      CassetteStub(.get("/search?q=s"), .text("all").held(by: first)),
      CassetteStub(.get("/search?q=swift"), .text("swift").held(by: second)),
    ]
    try await withCassette(stubs: stubs) { session in
      let search = Search(session)
      async let one: Void = search.type("s")
      await first.reached()
      async let other: Void = search.type("swift")
      await second.reached()
      #expect(await search.isLoading)
      await second.release()
      try await other
      await first.release()
      try await one
      #expect(await search.shown == "swift")
    }
  }

  @Test func `a gate that is released with a failure fails the held answer and passes the next`() async throws {
    let gate = CassetteGate()
    let stub = CassetteStub(.get("/user"), .text("kean").held(by: gate))
    try await withCassette(stubs: [stub]) { session in
      let user = Task { try await Self.text("/user", session) }
      await gate.release(failing: .networkConnectionLost)
      let error = await #expect(throws: URLError.self) { try await user.value }
      #expect(error?.code == .networkConnectionLost)
      let again = try await Self.text("/user", session)
      #expect(again == "kean")
    }
  }

  @Test(arguments: SteeredKind.allCases) func `a recorded answer waits at a gate of a session or a mock server`(
    kind: SteeredKind
  ) async throws {
    try await kind.run { player, ask in
      let gate = CassetteGate()
      player.hold(.get("/cart"), by: gate)
      async let cart = ask("GET /cart", "")
      await gate.reached()
      await gate.release()
      let found = try await cart
      #expect(found == "[]")
    }
  }

  @Test(arguments: SteeredKind.allCases) func `a stub added to a session or a mock server waits at its gate`(
    kind: SteeredKind
  ) async throws {
    try await kind.run { player, ask in
      let gate = CassetteGate()
      player.stub(.get("/cart"), .text("held").held(by: gate))
      async let cart = ask("GET /cart", "")
      await gate.reached()
      await gate.release()
      let found = try await cart
      #expect(found == "held")
    }
  }

  @Test func `a gate of a mock server that is released with a failure fails the client's request`() async throws {
    let gate = CassetteGate()
    try await withMockServer(stubs: [CassetteStub(.get("/user"), .text("kean").held(by: gate))]) { server in
      let url = server.url.appending(path: "user")
      let user = Task { try await URLSession(configuration: .ephemeral).data(from: url).0 }
      await gate.release(failing: .networkConnectionLost)
      await #expect(throws: URLError.self) { try await user.value }
    }
  }

  @Test func `a cancelled request at a gate fails, and the gate can be released`() async throws {
    let gate = CassetteGate()
    try await withCassette(stubs: [CassetteStub(.get("/user"), .text("kean").held(by: gate))]) { session in
      let task = Task { try await Self.text("/user", session) }
      await gate.reached()
      task.cancel()
      await #expect(throws: (any Error).self) { try await task.value }
      await gate.release()
    }
  }
}

@Suite(.timeLimit(.minutes(2))) struct ClockTests {
  @Test func `a delay passes on the test's clock`() async throws {
    let clock = TestClock()
    try await withCassette(stubs: [CassetteStub(.get("/user"), .text("kean").delay(.seconds(30)))]) { session in
      CassettePlayer.current.use(clock)
      async let user = GateTests.text("/user", session)
      await clock.slept()
      clock.advance(by: .seconds(30))
      let found = try await user
      #expect(found == "kean")
    }
  }

  @Test func `a time-out passes on the test's clock`() async throws {
    let clock = TestClock()
    try await withCassette(stubs: [CassetteStub(.get("/user"), .text("kean").delay(.seconds(3_600)))]) { session in
      CassettePlayer.current.use(clock)
      let user = Task { try await GateTests.text("/user", session, timeout: 20) }
      await clock.slept()
      clock.advance(by: .seconds(20))
      let error = await #expect(throws: URLError.self) { try await user.value }
      #expect(error?.code == .timedOut)
    }
  }

  @Test func `a held answer times out on the test's clock and leaves its gate`() async throws {
    let (clock, gate) = (TestClock(), CassetteGate())
    try await withCassette(stubs: [CassetteStub(.get("/user"), .text("kean").held(by: gate))]) { session in
      CassettePlayer.current.use(clock)
      let user = Task { try await GateTests.text("/user", session, timeout: 20) }
      await gate.reached()
      await clock.slept()
      clock.advance(by: .seconds(20))
      let error = await #expect(throws: URLError.self) { try await user.value }
      #expect(error?.code == .timedOut)
      #expect(gate.counts.held == 0)
    }
  }

  private static let clock = TestClock()

  @Test(.stub(.get("/user"), .status(503), .status(503), .status(503), .text("kean")), .clock(clock))
  func `a client's back-off of 1, 2 and 4 seconds passes on the clock of .clock`() async throws {
    let session = URLSession.cassette
    let client = Task {
      for attempt in 0..<4 {
        let (data, response) = try await session.data(from: #require(URL(string: "https://api.example.com/user")))
        if (response as? HTTPURLResponse)?.statusCode == 200 { return String(decoding: data, as: UTF8.self) }
        try await Self.clock.sleep(until: Self.clock.now.advanced(by: .seconds(1 << attempt)), tolerance: nil)
      }
      return ""
    }
    for attempt in 0..<3 {
      await Self.clock.slept()
      Self.clock.advance(by: .seconds(1 << attempt))
    }
    #expect(try await client.value == "kean")
    #expect(Self.clock.now.offset == .seconds(7))
  }

  @Test func `the latency of .latency passes on the test's clock`() async throws {
    let clock = TestClock()
    try await withCassette("user", .relaxed, with: .latency(.seconds(5))) { session in
      CassettePlayer.current.use(clock)
      async let user = GateTests.text("/user", session)
      await clock.slept()
      clock.advance(by: .seconds(5))
      let found = try await user
      #expect(found.contains("kean"))
    }
  }
}
