import APIClientKit
import CassetteTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A client in the shape that swift-openapi-generator gives to one: operations with inputs and outputs, over a transport.
private struct PetsClient {
  enum Output: Equatable {
    case ok([String])
    case created
    case notFound(String)
    case undocumented(Int)
  }

  struct Problem: Decodable { let title: String }

  let serverURL: URL
  let transport: any ClientTransport

  func listPets(limit: Int) async throws -> Output {
    try await send(HTTPRequest(method: .get, path: "/pets?limit=\(limit)"), nil, "listPets")
  }

  func createPet(named name: String) async throws -> Output {
    var request = HTTPRequest(method: .post, path: "/pets")
    if let type = HTTPField.Name("Content-Type") {
      request.headerFields.append(HTTPField(name: type, value: "text/plain"))
    }
    return try await send(request, HTTPBody(Data(name.utf8)), "createPet")
  }

  private func send(_ request: HTTPRequest, _ body: HTTPBody?, _ operation: String) async throws -> Output {
    let (response, body) = try await transport.send(request, body: body, baseURL: serverURL, operationID: operation)
    guard let body else { return .undocumented(response.status.code) }
    let data = try await Data(collecting: body, upTo: 1 << 20)
    switch response.status.code {
    case 200: return .ok(try JSONDecoder().decode([String].self, from: data))
    case 201: return .created
    case 404: return .notFound(try JSONDecoder().decode(Problem.self, from: data).title)
    default: return .undocumented(response.status.code)
    }
  }
}

@Suite struct `A client that swift-openapi-generator has made` {
  private func pets() throws -> PetsClient {
    let url = try #require(URL(string: "https://pets.example.com/v1"))
    let client = APIClient(baseURL: url) {
      $0.session = .cassette
      $0.tokens = Tokens(Token(access: "hush"))
    }
    return PetsClient(serverURL: url, transport: APIClientTransport(client: client))
  }

  @Test(.stub(.get("/v1/pets?limit=2").header("Authorization", .equals("Bearer hush")), .json(["Rex", "Tom"])))
  func `asks through a client of ours, with its token`() async throws {
    #expect(try await pets().listPets(limit: 2) == .ok(["Rex", "Tom"]))
  }

  @Test(.stub(.post("/v1/pets").header("Content-Type", .equals("text/plain")), .status(201)))
  func `sends what it has encoded`() async throws {
    #expect(try await pets().createPet(named: "Rex") == .created)
  }

  @Test(.stub(.get("/v1/pets?limit=0"), .json(["title": "No pets"], status: 404)))
  func `reads errors by itself`() async throws {
    #expect(try await pets().listPets(limit: 0) == .notFound("No pets"))
  }
}
