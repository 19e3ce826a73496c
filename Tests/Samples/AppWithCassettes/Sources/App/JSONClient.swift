import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An answer that is no success.
public struct APIError: Error, Equatable {
  /// The status code.
  public let status: Int

  /// Creates the error of a status code.
  public init(status: Int) { self.status = status }
}

/// Asks a server for JSON.
struct JSONClient: Sendable {
  let baseURL: String
  let session: URLSession

  /// Fetches what is at a path of the server, or at a URL that the server has given.
  func get<Value: Decodable>(_ location: String) async throws -> Value { try await page(location).value }

  /// Fetches one page of a list, and where the next one is.
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

  /// Reads `Link: <https://…>; rel="next"`.
  private static func next(in response: HTTPURLResponse) -> String? {
    let links = response.value(forHTTPHeaderField: "Link")?.split(separator: ",") ?? []
    guard let link = links.first(where: { $0.contains("rel=\"next\"") }),
      let start = link.firstIndex(of: "<"), let end = link.firstIndex(of: ">")
    else { return nil }
    return String(link[link.index(after: start)..<end])
  }
}
