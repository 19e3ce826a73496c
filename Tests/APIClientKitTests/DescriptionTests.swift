import APIClientKit
import CassetteTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `Error descriptions` {
  private func text(_ client: APIClient, _ request: Request<Void> = .get("/orders/7?token=hush")) async -> String? {
    await thrown { try await client.send(request) }?.error.localizedDescription
  }

  private func client(_ configure: (inout APIClient.Configuration) -> Void = { _ in }) -> APIClient {
    APIClient(host: "api.example.com") {
      $0.session = .cassette
      configure(&$0)
    }
  }

  @Test(arguments: [
    (CassetteStub.Answer.json(["message": "There is no order 7"], status: 404), "status 404, \"There is no order 7\""),
    (.status(502), "status 502"),
    (.failing(.timedOut), "the request timed out"),
    (.failing(.cannotFindHost), "the host was not found"),
  ]) func `a failed request's error describes the request and its outcome`(
    row: (answer: CassetteStub.Answer, text: String)
  ) async throws {
    try await withCassette(nil, .relaxed, stubs: [CassetteStub(.any("/orders/7?token=hush"), row.answer)]) { _ in
      let text = try #require(await text(client()))
      #expect(text.hasPrefix("GET https://api.example.com/orders/7?token=***: "))
      #if canImport(FoundationNetworking)
        #expect(text.hasSuffix(row.text))
      #endif
    }
  }

  @Test func `an error before sending describes why the request was not sent`() async throws {
    #expect(await text(client(), .get("http://a b/"))?.hasSuffix("is not a URL") == true)
    #expect(await text(APIClient(baseURL: nil))?.contains("no base URL in production") == true)
    let signedOut = client {
      $0.tokens = Tokens(Token(access: "a", expires: .distantPast)) { _ in throw URLError(.timedOut) }
    }
    #expect(await text(signedOut)?.hasPrefix("The token could not be refreshed") == true)
    var kept = Request<Void>.get("/orders/7")
    kept.cache = .cacheOnly
    #expect(await text(client(), kept)?.hasPrefix("The cache has no response") == true)
    #expect(ClientFailure.signedOut.localizedDescription.hasPrefix("There is no token"))
    #expect(ClientFailure.unsupported("This platform cannot").localizedDescription == "This platform cannot")
    #expect(APIError.unacceptableStatusCode(404).localizedDescription == "Status 404")
  }

  @Test(.stub(.get("/orders/7"), .text(#"{"id": "seven"}"#)))
  func `a decoding error names the JSON path of the invalid value`() async throws {
    struct Numbered: Decodable { let id: Int }
    let error = await thrown { try await client().send(Request<Numbered>.get("/orders/7")) }
    #expect(error?.description.contains("id") == true)
    #expect(error?.status == 200)
    #expect(error?.curl?.contains("/orders/7") == true)
  }
}
