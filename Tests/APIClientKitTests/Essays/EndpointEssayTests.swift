import APIClientKit
import CassetteTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private struct Profile: Decodable, Sendable, Equatable {
  let firstName: String
}

/// The essay's namespaces: a resource is an enum, and its endpoints are functions.
private enum ShopAPI {
  static func postFeedback(email: String, message: String) -> Endpoint<Guest, Void> {
    Endpoint(method: .post, path: "/feedback", parameters: ["email": email, "message": message])
  }

  static func categories() -> Endpoint<Customer, [String]> { Endpoint(path: "/categories") }

  enum Customers {
    private static let path = "customer/profile"

    static func get() -> Endpoint<Customer, Profile> { Endpoint(path: path) }

    static func patch(firstName: String, lastName: String) -> Endpoint<Customer, Profile> {
      Endpoint(method: .patch, path: path, parameters: ["firstName": firstName, "lastName": lastName])
    }
  }
}

private let profile: CassetteStub.JSON = ["firstName": "Alex"]

/// The samples of the essay "API Client in Swift" (2017), with `await` instead of `Single`.
@Suite struct `Samples of the essay API Client in Swift` {
  private let api = APIClient(host: "shop.example.com") { $0.session = .cassette }

  @Test(
    .stub(.get("/customer/profile").header("Authorization", .equals("Bearer access_token")), .json(profile)),
    .stub(.patch("/customer/profile").body(.form("firstName", .equals("First"))), .json(["firstName": "First"]))
  ) func `a customer reads and changes the profile`() async throws {
    let client = Client<Customer>(api, token: Token(access: "access_token"))
    #expect(try await client.send(ShopAPI.Customers.get()) == Profile(firstName: "Alex"))
    let changed = try await client.send(ShopAPI.Customers.patch(firstName: "First", lastName: "Last"))
    #expect(changed == Profile(firstName: "First"))
  }

  @Test(.stub(.get("/categories"), .json(["tea"])), .stub(.get("/customer/profile"), .json(profile)))
  func `two endpoints are sent in parallel and in sequence`() async throws {
    let client = Client<Customer>(api, token: Token(access: "access_token"))
    let (categories, customer) = try await client.send(ShopAPI.categories(), ShopAPI.Customers.get())
    #expect(categories == ["tea"] && customer.firstName == "Alex")
    let next = try await client.send(ShopAPI.categories(), then: { _ in ShopAPI.Customers.get() })
    #expect(next.firstName == "Alex")
  }

  @Test(.stub(.post("/feedback").body(.form("message", .equals("fine"))), .status(204)))
  func `a guest and a customer send feedback`() async throws {
    try await Client<Guest>(api).send(ShopAPI.postFeedback(email: "a@example.com", message: "fine"))
    // A customer can send the endpoints of guests. `Client<Guest>(api).send(ShopAPI.categories())` does not compile.
    let customer = Client<Customer>(api, token: Token(access: "access_token"))
    try await customer.send(ShopAPI.postFeedback(email: "a@example.com", message: "fine"))
  }
}
