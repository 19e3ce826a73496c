import APIClientKit
import CassetteSystem
import ClientTestSupport
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Endpoint where Scope: GuestScope, Response == Order {
  fileprivate static func order(_ id: Int) -> Self { Endpoint(.get("/orders/\(id)")) }
}

extension Endpoint where Response == Void {
  fileprivate static func deletion(of id: Int) -> Self { Endpoint(method: .delete, path: "/orders/\(id)") }
}

extension Endpoint where Scope: CustomerScope, Response == String {
  fileprivate static var me: Self { Endpoint(.get("/me")) { data, _ in String(decoding: data, as: UTF8.self) } }
}

private protocol AdminScope: CustomerScope {}
private enum Admin: AdminScope {}

extension Endpoint where Scope: AdminScope, Response == Int {
  fileprivate static var count: Self {
    Endpoint(.get("/orders/2")) { data, decoder in try decoder.decode(Order.self, from: data).id }
  }
}

/// A client that answers every customer endpoint with the same JSON.
private struct Canned: ClientProtocol {
  let json: String
  func send<Response>(_ endpoint: Endpoint<Customer, Response>) async throws -> Response {
    try endpoint.decode(Data(json.utf8))
  }
}

private struct Shop {
  let client: any ClientProtocol<Customer>
  func items(of id: Int) async throws -> [String] { try await client.send(.order(id)).lineItems }
}

@Suite struct `Endpoints` {
  @Test(arguments: Player.allCases) func `several endpoints are sent in parallel`(player: Player) async throws {
    try await player.play("api", .with { $0.useSnakeCase() }) { api async throws in
      let client = Client(api)
      let (first, second) = try await client.send(.order(1), .order(2))
      #expect((first.id, second.id) == (1, 2))
      let (one, two, three) = try await client.send(.order(1), .order(2), .order(1))
      #expect((one.id, two.id, three.id) == (1, 2, 1))
    }
  }

  @Test(arguments: Player.allCases)
  func `an endpoint is created from the previous endpoint's value`(player: Player) async throws {
    try await player.play("api", .with { $0.useSnakeCase() }) { api async throws in
      let client = Client(api)
      let next: Order = try await client.send(.order(1), then: { .order($0.id + 1) })
      #expect(next.id == 2)
      let id = try await client.send(Endpoint.order(2).map(\.id))
      #expect(id == 2)
    }
  }

  @Test(arguments: Player.allCases)
  func `a signed-in client sends customer endpoints until it signs out`(player: Player) async throws {
    func configure(_ configuration: inout APIClient.Configuration) {
      configuration.useSnakeCase()
      configuration.tokens = Tokens { $0 }
    }
    try await player.play("api", .with(configure)) { api async throws in
      let customer = await Client(api).signedIn(with: Token(access: "new"))
      let name = try await customer.send(.me)
      #expect(name == "kean")
      let order = try await customer.send(.order(1))
      #expect(order.id == 1)
      _ = await customer.signedOut()
      #expect(await api.configuration.tokens?.current == nil)
    }
  }

  @Test(arguments: Player.allCases)
  func `an endpoint without a response type returns Void`(player: Player) async throws {
    try await player.play { api async throws in try await Client(api).send(.deletion(of: 1)) }
  }

  @Test(arguments: Player.allCases)
  func `a client with a valid or refreshed token sends customer endpoints`(player: Player) async throws {
    try await player.play { api async throws in
      #expect(try await Client<Customer>(api, token: Token(access: "new")).send(.me) == "kean")
      let refused = Client<Customer>(api, token: Token(access: "old"))
      #expect(await thrown { try await refused.send(.me) }?.status == 401)
      let refreshed = Client<Customer>(api, tokens: Tokens(Token(access: "old")) { _ in Token(access: "new") })
      #expect(try await refreshed.send(.me) == "kean")
    }
  }

  @Test(arguments: Player.allCases)
  func `a custom scope sends its own endpoints and those of the scopes it refines`(player: Player) async throws {
    try await player.play("api", .with { $0.useSnakeCase() }) { api async throws in
      let admin = await Client(api).signedIn(as: Admin.self, with: Token(access: "new"))
      #expect(try await admin.send(.count) == 2)
      #expect(try await admin.send(.me) == "kean")
      #expect(try await admin.send(.order(1)).id == 1)
      #expect(try await admin.send(Endpoint<Guest, Order>.order(2)).id == 2)
    }
  }

  @Test func `a test double of the client answers an endpoint`() async throws {
    let shop = Shop(client: Canned(json: #"{"id": 7, "placedAt": "2026-11-22T08:00:00Z", "lineItems": ["tea"]}"#))
    #expect(try await shop.items(of: 7) == ["tea"])
  }

  @Test func `parameters are encoded as a query for GET and as a form for PATCH`() async throws {
    let searching = Endpoint<Guest, [String]>(path: "search", parameters: ["q": "a b", "page": 2])
    #expect(searching.request.url(under: URL(string: "https://h"))?.absoluteString == "https://h/search?page=2&q=a%20b")
    let renaming = Endpoint<Guest, Order>(method: .patch, path: "me", parameters: ["name": "a&b"])
    let made = try await APIClient(host: "h").makeURLRequest(for: renaming.request)
    #expect(made.httpMethod == "PATCH")
    #expect(made.httpBody == Data("name=a%26b".utf8))
    #expect(made.value(forHTTPHeaderField: "Content-Type") == "application/x-www-form-urlencoded")
  }

  /// Returns true if a line type-checks against the built module, with the compiler's output.
  private func compiles(_ line: String) async throws -> (Bool, String) {
    let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let file = FileManager.default.temporaryDirectory.appending(path: "scope-\(UUID()).swift")
    defer { try? FileManager.default.removeItem(at: file) }
    let source = """
      import APIClientKit
      func check(_ guest: Client<Guest>, _ customer: Client<Customer>) async throws {
        let open = Endpoint<Guest, [String]>(.get("/open"))
        let own = Endpoint<Customer, [String]>(.get("/own"))
        func mine<S: CustomerScope>() -> Endpoint<S, [String]> { Endpoint(.get("/mine")) }
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

  @Test func `sending a customer endpoint as a guest does not compile`() async throws {
    for line in [
      "_ = try await guest.send(open)", "_ = try await customer.send(open)", "_ = try await customer.send(own)",
      "_ = try await customer.send(mine())", "_ = Client<Customer>(guest.api, token: Token(access: \"\"))",
    ] {
      let (isFine, output) = try await compiles(line)
      #expect(isFine, "\(line): \(output)")
    }
    let refused = [
      ("_ = try await guest.send(own)", "cannot convert value of type 'Endpoint<Customer, [String]>'"),
      ("_ = try await guest.send(mine())", "'Guest' conform to 'CustomerScope'"),
      ("_ = Client<Customer>(guest.api)", "'Customer'"),
    ]
    for (line, reason) in refused {
      let (isFine, output) = try await compiles(line)
      #expect(!isFine && output.contains(reason), "\(line): \(output)")
    }
  }
}
