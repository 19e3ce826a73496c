import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The error for an answer with a status other than 200.
public struct APIError: Error, Equatable {
  /// The status code.
  public let status: Int

  /// Creates an error with a status code.
  public init(status: Int) { self.status = status }
}

/// Fetches JSON from a server.
struct JSONClient: Sendable {
  let baseURL: String
  let session: URLSession

  /// Fetches the value at a path of the server, or at an absolute URL.
  func get<Value: Decodable>(_ location: String) async throws -> Value { try await page(location).value }

  /// Fetches one page of a list, and the URL of the next page.
  func page<Value: Decodable>(_ location: String) async throws -> (value: Value, next: String?) {
    guard let url = URL(string: location.hasPrefix("/") ? baseURL + location : location) else {
      throw URLError(.badURL)
    }
    let (data, response) = try await session.data(from: url)
    guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    guard response.statusCode == 200 else { throw APIError(status: response.statusCode) }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return (try decoder.decode(Value.self, from: data), Self.next(in: response))
  }

  /// Returns the URL in `Link: <https://…>; rel="next"`; nil if there is none.
  private static func next(in response: HTTPURLResponse) -> String? {
    let links = response.value(forHTTPHeaderField: "Link")?.split(separator: ",") ?? []
    guard let link = links.first(where: { $0.contains("rel=\"next\"") }),
      let start = link.firstIndex(of: "<"), let end = link.firstIndex(of: ">")
    else { return nil }
    return String(link[link.index(after: start)..<end])
  }
}
