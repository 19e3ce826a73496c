import APIClientKit
import CassetteTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// Output in the shape of CreateAPI's for a pet store: `import Get` is `import APIClientKit` here, and nothing else differs.

enum Pets {}

extension Pets {
  static var pets: PetsPath { PetsPath(path: "/pets") }

  struct PetsPath {
    // Path: `/pets`
    let path: String

    // List all pets
    func get(limit: Int? = nil, tags: [String]? = nil) -> Request<[Pet]> {
      Request(path: path, method: "GET", query: makeGetQuery(limit, tags), id: "listPets")
    }

    private func makeGetQuery(_ limit: Int?, _ tags: [String]?) -> [(String, String?)] {
      let encoder = URLQueryEncoder()
      encoder.encode(limit, forKey: "limit")
      encoder.encode(tags, forKey: "tags")
      return encoder.items
    }

    // Create a pet
    func post(_ body: Pet) -> Request<Void> {
      Request(path: path, method: "POST", body: body, id: "createPets")
    }
  }
}

extension Pets.PetsPath {
  func petID(_ petID: String) -> WithPetID { WithPetID(path: "\(path)/\(petID)") }

  struct WithPetID {
    // Path: `/pets/{petId}`
    let path: String

    // Info for a specific pet
    var get: Request<Pet> { Request(path: path, method: "GET", id: "showPetById") }
  }
}

struct Pet: Codable, Sendable {
  var id: Int
  var name: String
}

/// The part of CreateAPI/URLQueryEncoder that the output above calls.
private final class URLQueryEncoder {
  private(set) var items: [(String, String?)] = []

  func encode(_ value: Int?, forKey key: String) {
    if let value { items.append((key, "\(value)")) }
  }

  func encode(_ values: [String]?, forKey key: String) {
    items += (values ?? []).map { (key, $0) }
  }
}

@Suite struct `An API that CreateAPI has made` {
  private let client = APIClient(baseURL: URL(string: "https://pets.example.com")) {
    $0.sessionConfiguration = .cassette
  }

  @Test(
    .stub(.get("/pets?limit=2&tags=a&tags=b"), .json([["id": 1, "name": "Rex"]])),
    .stub(.get("/pets/1"), .json(["id": 1, "name": "Rex"])),
    .stub(.post("/pets").body(.json(containing: ["name": "Tom"])), .status(201))
  ) func `is sent by a client of ours`() async throws {
    let pets = try await client.send(Pets.pets.get(limit: 2, tags: ["a", "b"])).value
    #expect(pets.map(\.name) == ["Rex"])
    #expect(try await client.send(Pets.pets.petID("1").get).value.id == 1)
    try await client.send(Pets.pets.post(Pet(id: 2, name: "Tom")))
  }
}
