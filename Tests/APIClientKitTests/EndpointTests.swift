import APIClientKit
import ClientTestSupport
import Foundation
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Endpoint where Scope == Guest, Response == Order {
  fileprivate static func order(_ id: Int) -> Self { Endpoint(.get("/orders/\(id)")) }
}

extension Endpoint where Scope == Guest, Response == [String] {
  fileprivate static func suggestions(for text: String) -> Self { Endpoint(.get("/suggest", query: [("q", text)])) }
}

extension Endpoint where Scope == Customer, Response == String {
  fileprivate static var me: Self { Endpoint(.get("/me")) { data, _ in String(decoding: data, as: UTF8.self) } }
}

@Suite struct `An endpoint` {
  @Test(arguments: Player.allCases) func `is asked beside another`(player: Player) async throws {
    try await player.play("api", .with { $0.useSnakeCase() }) { api in
      let client = Client(api)
      async let first = client.send(.order(1))
      async let second = client.send(.order(2))
      let ids = try await [first.id, second.id]
      #expect(ids == [1, 2])
    }
  }

  @Test(arguments: Player.allCases) func `is asked after another, for what that has said`(player: Player) async throws {
    try await player.play("api", .with { $0.useSnakeCase() }) { api in
      let client = Client(api)
      let first = try await client.send(Endpoint.order(1).map(\.id))
      let next = try await client.send(.order(first + 1))
      #expect(next.id == 2)
    }
  }

  @Test(arguments: Player.allCases) func `of a customer is asked by who has signed in`(player: Player) async throws {
    func configure(_ configuration: inout APIClient.Configuration) {
      configuration.useSnakeCase()
      configuration.tokens = Tokens { $0 }
    }
    try await player.play("api", .with(configure)) { api in
      let customer = await Client(api).signedIn(with: Token(access: "new"))
      let name = try await customer.send(.me)
      #expect(name == "kean")
      let order = try await customer.send(Endpoint.order(1))
      #expect(order.id == 1)
      _ = await customer.signedOut()
      #expect(await api.configuration.tokens?.current == nil)
    }
  }

  /// Whether a file type-checks against the built module.
  private func compiles(_ line: String) async throws -> (Bool, String) {
    let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let file = FileManager.default.temporaryDirectory.appending(path: "scope-\(UUID()).swift")
    defer { try? FileManager.default.removeItem(at: file) }
    let source = """
      import APIClientKit
      func check(_ guest: Client<Guest>, _ customer: Client<Customer>) async throws {
        let open = Endpoint<Guest, [String]>(.get("/open"))
        let own = Endpoint<Customer, [String]>(.get("/own"))
        _ = (open, own)
        \(line)
      }
      """
    try Data(source.utf8).write(to: file)
    let result = try await ChildProcess(
      "/usr/bin/env",
      ["swiftc", "-typecheck", "-swift-version", "6", "-I", folder.appending(path: "Modules").path, file.path]
    ).ended()
    return (result.status == 0, result.output + result.error)
  }

  @Test func `of a customer does not compile for a guest`() async throws {
    for line in [
      "_ = try await guest.send(open)", "_ = try await customer.send(open)", "_ = try await customer.send(own)",
    ] {
      let (isFine, output) = try await compiles(line)
      #expect(isFine, "\(line): \(output)")
    }
    let refused = [
      ("_ = try await guest.send(own)", "cannot convert value of type 'Endpoint<Customer, [String]>'"),
      ("_ = Client<Customer>(guest.api)", "'Customer'"),
    ]
    for (line, reason) in refused {
      let (isFine, output) = try await compiles(line)
      #expect(!isFine && output.contains(reason), "\(line): \(output)")
    }
  }
}

/// Suggestions while somebody types: waits for a pause, asks once, and forgets what was asked before.
private actor Autocomplete {
  private let client: Client<Guest>
  private let pause: @Sendable (String) async throws -> Void
  private let show: @Sendable ([String]) -> Void
  private var asking: Task<Void, Never>?

  init(
    _ client: Client<Guest>, pause: @escaping @Sendable (String) async throws -> Void,
    show: @escaping @Sendable ([String]) -> Void
  ) {
    (self.client, self.pause, self.show) = (client, pause, show)
  }

  /// Each key cancels what the one before has begun: its pause, its request, or its answer.
  func type(_ text: String) {
    asking?.cancel()
    asking = Task {
      guard (try? await pause(text)) != nil, let found = try? await client.send(.suggestions(for: text)) else { return }
      if !Task.isCancelled { show(found) }
    }
  }

  func settle() async { await asking?.value }
}

@Suite struct `Autocomplete by an endpoint` {
  @Test(arguments: Player.allCases) func `asks for the last text alone, after a pause`(player: Player) async throws {
    let shown = Mutex<[[String]]>([])
    let sent = Mutex<[String?]>([])
    // A pause ends when its task is cancelled, or when somebody says that time is up.
    let texts = ["p", "po", "por"]
    let clocks = Dictionary(uniqueKeysWithValues: texts.map { ($0, AsyncStream.makeStream(of: Void.self)) })
    func configure(_ configuration: inout APIClient.Configuration) {
      configuration.observe = { exchange in sent.withLock { $0.append(exchange.request.url?.query()) } }
    }
    try await player.play("suggest", .with(configure)) { api in
      let search = Autocomplete(Client(api)) { text in
        if let stream = clocks[text]?.stream { for await _ in stream { return } }
        throw CancellationError()
      } show: { found in
        shown.withLock { $0.append(found) }
      }
      for text in texts { await search.type(text) }
      for clock in clocks.values { clock.continuation.yield() }
      await search.settle()
    }
    #expect(shown.withLock { $0 } == [["porridge", "portions"]])
    #expect(sent.withLock { $0 } == ["q=por"])
  }

  @Test(arguments: Player.allCases) func `drops an answer that is stale, and cancels its request`(player: Player)
    async throws
  {
    let shown = Mutex<[[String]]>([])
    let (sendings, sending) = AsyncStream.makeStream(of: Void.self)
    try await player.play("suggest", .with { $0.delegate = Announcing(sending) }) { api in
      let search = Autocomplete(Client(api), pause: { _ in }, show: { found in shown.withLock { $0.append(found) } })
      await search.type("slow")
      for await _ in sendings { break }
      await search.type("por")
      await search.settle()
    }
    #expect(shown.withLock { $0 } == [["porridge", "portions"]])
  }

  /// Says that a request is about to be sent.
  private struct Announcing: APIClientDelegate {
    let sending: AsyncStream<Void>.Continuation
    init(_ sending: AsyncStream<Void>.Continuation) { self.sending = sending }
    func client(_ client: APIClient, willSendRequest request: inout URLRequest) async throws { sending.yield() }
  }
}
