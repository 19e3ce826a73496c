public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Which of an API's installations is asked.
public enum Environment: Hashable, Sendable {
  /// The one that users use.
  case production
  /// The one that is tried before.
  case staging
  /// A mock server.
  case mock(URL)
}

/// A key that tells an API which application asks.
public enum APIKey: Hashable, Sendable {
  /// Sent as a header field: name and key.
  case header(String, String)
  /// Sent with the query: name and key.
  case query(String, String)
}

extension APIClient {
  /// What a client is made of.
  public struct Configuration: Sendable {
    /// Where paths begin in production.
    public var baseURL: URL?
    /// Where paths begin in staging.
    public var stagingURL: URL?
    /// What the session is made of.
    public var session = URLSessionConfiguration.default
    /// Where the session calls its delegate; nil for a queue of its own.
    public var delegateQueue: OperationQueue?
    /// Makes JSON of bodies.
    public var encoder = JSONEncoder.api()
    /// Makes values of JSON.
    public var decoder = JSONDecoder.api()
    /// Fields of each request.
    public var headers = ["Accept": "application/json"]
    /// The application's key.
    public var apiKey: APIKey?
    /// Whose requests these are.
    public var tokens: Tokens?
    /// Who the client is, and whom it believes.
    public var trust = Trust()
    /// Who has a say in each request; kept.
    public var delegate: (any APIClientDelegate)?
    /// Sees each exchange, with its request, response, error and metrics.
    public var observe: (@Sendable (Exchange) -> Void)?

    /// A configuration.
    public init(baseURL: URL?) { self.baseURL = baseURL }

    func baseURL(in environment: Environment) -> URL? {
      switch environment {
      case .production: baseURL
      case .staging: stagingURL
      case .mock(let url): url
      }
    }
  }
}

extension JSONEncoder {
  /// An encoder with dates as ISO 8601, and on demand with names in snake case.
  public static func api(snakeCase: Bool = false) -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if snakeCase { encoder.keyEncodingStrategy = .convertToSnakeCase }
    return encoder
  }
}

extension JSONDecoder {
  /// A decoder of dates as ISO 8601, with or without fractions of a second, and on demand of names in snake case.
  public static func api(snakeCase: Bool = false) -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let text = try decoder.singleValueContainer().decode(String.self)
      let fractional = text.contains(".")
      if let date = try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: fractional)) {
        return date
      }
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\"\(text)\" is no ISO 8601 date"))
    }
    if snakeCase { decoder.keyDecodingStrategy = .convertFromSnakeCase }
    return decoder
  }
}
