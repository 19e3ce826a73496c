import APIClientKit
import CassetteSystem
import ClientTestSupport
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `Successful requests` {
  @Test(arguments: Player.allCases)
  func `a JSON response with dates and snake case is decoded`(player: Player) async throws {
    try await player.play("api", .with { $0.useSnakeCase() }) { client in
      let response: Response<Order> = try await client.send(.get("/orders/1"))
      #expect(response.value.placedAt == Date(timeIntervalSince1970: 1_795_222_923))
      #expect(response.value.lineItems == ["porridge"])
      #expect(response.status == 200)
      #expect(response.header("etag") == "\"one\"")
      #expect(response.headers.first { $0.key.lowercased() == "etag" }?.value == "\"one\"")
      #expect(response.originalRequest?.value(forHTTPHeaderField: "Accept") == "application/json")
      let fraction: Order = try await client.value(for: .get("/orders/2"))
      #expect(fraction.placedAt == Date(timeIntervalSince1970: 1_795_222_923.5))
    }
  }

  @Test(arguments: Player.allCases)
  func `a response is returned as data, string, Void or nil`(player: Player) async throws {
    try await player.play { client in
      let query: Request<String>.Query = [("q", "a+b & c"), ("tag", "x"), ("tag", "y")]
      let text: String = try await client.value(for: .get("/search", query: query))
      let data: Data = try await client.value(for: .get("/search", query: query))
      #expect(text == "found")
      #expect(data == Data("found".utf8))
      let none: Order? = try await client.value(for: .get("/orders/none"))
      let noText: String? = try await client.value(for: .get("/orders/none"))
      let noData: Data? = try await client.value(for: .get("/orders/none"))
      let nothing: String = try await client.value(for: .get("/orders/none"))
      #expect(none == nil && noText == nil && noData == nil)
      #expect(nothing == "")
      let deleted: Response<Void> = try await client.send(.delete("/orders/1"))
      #expect(deleted.status == 204)
    }
  }

  @Test(arguments: Player.allCases) func `a request's body is encoded as JSON`(player: Player) async throws {
    try await player.play("api", .with { $0.useSnakeCase() }) { client in
      let response: Response<Order> = try await client.send(.post("/orders", body: NewOrder(lineItems: ["milk"])))
      #expect(response.status == 201)
      #expect(response.value.lineItems == ["milk"])
      #expect(response.originalRequest?.httpBody == Data(#"{"line_items":["milk"]}"#.utf8))
    }
  }

  @Test(arguments: Player.allCases)
  func `a redirected request returns the new location's value and URL`(player: Player) async throws {
    try await player.play("api", .with { $0.useSnakeCase() }) { client in
      let response: Response<Order> = try await client.send(.get("/orders/latest"))
      #expect(response.value.id == 1)
      #expect(response.url?.path() == "/orders/1")
      #expect(response.originalRequest?.url?.path() == "/orders/latest")
    }
  }

  @Test(arguments: Player.allCases)
  func `the observer receives an exchange with secrets masked`(player: Player) async throws {
    let seen = Locked<[String]>([])
    try await player.play("api", .with { $0.observe = { exchange in seen.withLock { $0.append("\(exchange)") } } }) {
      client in
      _ = try await client.send(Request<Data>.get("/search", query: [("q", "a"), ("access_token", "hush")]))
    }
    let line = try #require(seen.withLock { $0.first })
    #expect(line.hasPrefix("GET ") && line.contains("/search?q=a&access_token=*** -> 200, "))
  }
}
