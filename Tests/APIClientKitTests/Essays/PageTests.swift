import APIClientKit
import CassetteTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private struct Profile: Decodable, Sendable { let id: Int }
private struct Image: Decodable, Sendable { let id: Int }

extension Endpoint where Scope: CustomerScope, Response == [Image] {
  fileprivate static func images(page: Int) -> Self { Endpoint(.get("/images", query: ["page": "\(page)"])) }
}
extension Endpoint where Scope: CustomerScope, Response == Image {
  fileprivate static func upload(_ data: Data) -> Self { Endpoint(.post("/images", body: data)) }
}
extension Endpoint where Scope: CustomerScope, Response == Profile {
  fileprivate static var profile: Self { Endpoint(path: "/me") }
  fileprivate static func setAvatar(id: Int) -> Self {
    Endpoint(method: .patch, path: "/me", parameters: ["avatar": id])
  }
}
extension Endpoint where Scope: GuestScope, Response == [String] {
  fileprivate static func suggestions(_ text: String) -> Self { Endpoint(.get("/suggest", query: ["q": text])) }
}

/// The samples of the library's page, `APIClientKit.md`.
@Suite struct `Samples of the APIClientKit documentation` {
  private let api = APIClient(host: "api.example.com") { $0.session = .cassette }

  @Test(
    .stub(.get("/me"), .json(["id": 1])),
    .stub(.get("/images?page=1"), .json([["id": 7]])),
    .stub(.post("/images"), .json(["id": 8], status: 201)),
    .stub(.patch("/me").body(.form("avatar", .equals("8"))), .json(["id": 2])),
    .stub(.get("/suggest?q=por"), .json(["porridge"]))
  ) func `endpoints are combined, chained, retried and throttled`() async throws {
    let customer = Client<Customer>(api, token: Token(access: "token"))
    let (profile, images) = try await customer.send(.profile, .images(page: 1))
    #expect(profile.id == 1 && images.map(\.id) == [7])
    let changed = try await customer.send(.upload(Data("JPEG".utf8)), then: { .setAvatar(id: $0.id) })
    #expect(changed.id == 2)
    let again = try await customer.send(.profile, retry: .times(3))
    #expect(again.id == 1)
    let images2 = try await Retry.times(3) { try await customer.send(.images(page: 1)) }
    #expect(images2.count == 1)
    let guest = Client<Guest>(api)
    let suggestions = Throttle(for: .zero) { (text: String) in try await guest.send(.suggestions(text)) }
    #expect(try await suggestions("por") == ["porridge"])
  }
}
