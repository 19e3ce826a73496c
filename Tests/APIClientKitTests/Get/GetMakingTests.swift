import APIClientKit
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The requests that Get's tests create without sending them, with the URLs and header fields expected there.
@Suite struct `Requests created in Get's tests` {
  private let client = APIClient(baseURL: URL(string: "https://api.github.com"))

  @Test(arguments: [
    ("/user", "https://api.github.com/user"), ("user", "https://api.github.com/user"),
    ("", "https://api.github.com/"), ("/", "https://api.github.com/"),
    ("https://example.com/user", "https://example.com/user"),
  ]) func `a request with a relative path is below the base URL, and a whole URL is kept`(
    row: (path: String, url: String)
  ) async throws {
    for request in [Request.get(row.path), Request(path: row.path), Request(url: row.path)] {
      let made = try await client.makeURLRequest(for: request)
      #expect(made.url?.absoluteString == row.url)
      #expect(made.httpMethod == "GET")
    }
    guard let url = URL(string: row.path) else { return }
    #expect(try await client.makeURLRequest(for: Request(url: url)).url?.absoluteString == row.url)
  }

  @Test func `a request accepts JSON, and one with a body has the content type of JSON`() async throws {
    let asking = try await client.makeURLRequest(for: Request.get("https://example.com/user"))
    #expect(asking.value(forHTTPHeaderField: "Content-Type") == nil)
    #expect(asking.value(forHTTPHeaderField: "Accept") == "application/json")
    let sending = try await client.makeURLRequest(
      for: Request.post("https://example.com/user", body: NewUser(id: 123, login: "kean")))
    #expect(sending.value(forHTTPHeaderField: "Content-Type") == "application/json")
    #expect(sending.value(forHTTPHeaderField: "Accept") == "application/json")
  }

  @Test func `a request's own header fields replace the default fields`() async throws {
    let request = Request.put(
      "https://example.com/user", body: NewUser(id: 123, login: "kean"),
      headers: ["Content-Type": "application/xml", "Accept": "application/xml"])
    let made = try await client.makeURLRequest(for: request)
    #expect(made.value(forHTTPHeaderField: "Content-Type") == "application/xml")
    #expect(made.value(forHTTPHeaderField: "Accept") == "application/xml")
  }

  @Test func `header fields set in the session are not added to the request`() async throws {
    let client = APIClient(baseURL: URL(string: "https://api.github.com")) {
      $0.sessionConfiguration = .ephemeral
      $0.sessionConfiguration.httpAdditionalHeaders = ["Content-Type": "application/xml", "Accept": "application/xml"]
    }
    let made = try await client.makeURLRequest(
      for: Request.put("https://example.com/user", body: NewUser(id: 123, login: "kean")))
    #expect(made.value(forHTTPHeaderField: "Content-Type") == nil)
    #expect(made.value(forHTTPHeaderField: "Accept") == nil)
  }

  /// Get needs a delegate to escape a plus sign, which this client escapes by default.
  @Test func `a delegate's URL is used for the request`() async throws {
    final class ClientDelegate: URLDelegate {
      func client<T>(_ client: APIClient, makeURLForRequest request: Request<T>) throws -> URL? {
        guard let base = client.configuration.baseURL, let path = request.url?.absoluteString,
          var components = URLComponents(url: base.appendingPathComponent(path), resolvingAgainstBaseURL: false)
        else { throw URLError(.badURL) }
        if let query = request.query, !query.isEmpty {
          components.percentEncodedQuery = query.map { "\($0.0)=\(($0.1 ?? "").replacing("+", with: "%2B"))" }
            .joined(separator: "&")
        }
        return components.url
      }
    }
    let request = Request(path: "/domain.tld", query: [("query", "value1+value2")])
    let wanted = "https://api.github.com/domain.tld?query=value1%2Bvalue2"
    let asked = APIClient(baseURL: URL(string: "https://api.github.com")) { $0.delegate = ClientDelegate() }
    #expect(try await asked.makeURLRequest(for: request).url?.absoluteString == wanted)
    #expect(try await client.makeURLRequest(for: request).url?.absoluteString == wanted)
  }

  @Test func `clients created with each of Get's initializers have the base URL`() async throws {
    let clients = [
      APIClient(baseURL: URL(string: "https://api.github.com")),
      APIClient(baseURL: URL(string: "https://api.github.com")) {
        $0.sessionConfiguration.httpAdditionalHeaders = ["x-test": "1"]
      },
      APIClient(configuration: .init(baseURL: URL(string: "https://api.github.com"))),
      APIClient(host: "api.github.com"),
    ]
    for client in clients {
      #expect(try await client.makeURLRequest(for: Paths.user.get).url?.host() == "api.github.com")
    }
    #expect(APIClient(baseURL: nil).configuration.baseURL == nil)
  }
}
