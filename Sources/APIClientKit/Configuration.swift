public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension APIClient {
  /// An installation of an API: the one that users use, one that is tried before, or a mock server.
  ///
  /// ```swift
  /// extension APIClient.Environment {
  ///   static let qa = APIClient.Environment("qa", baseURL: URL(string: "https://qa.example.com"))
  /// }
  /// client.environment = .qa
  /// ```
  public struct Environment: Hashable, Identifiable, Sendable, CustomStringConvertible {
    /// The name that a menu shows.
    public let name: String
    /// The URL that paths begin at.
    public let baseURL: URL?

    /// Creates an environment.
    public init(_ name: String, baseURL: URL?) { (self.name, self.baseURL) = (name, baseURL) }

    /// Creates the environment of a mock server.
    public static func mock(_ url: URL) -> Environment { Environment("mock", baseURL: url) }

    /// The name, by which a list tells environments apart.
    public var id: String { name }
    /// The name.
    public var description: String { name }
  }

  /// The configuration of a client.
  public struct Configuration: Sendable {
    /// The URL that paths begin at, in the environment `production`.
    public var baseURL: URL?
    /// The environments beside `production`, for a debug menu.
    public var environments: [Environment] = []
    /// The configuration of the session.
    public var sessionConfiguration: URLSessionConfiguration
    /// A delegate that is told all that the session's is: challenges, redirects, metrics, data; it is kept.
    public var sessionDelegate: (any URLSessionDelegate)?
    /// The queue that the session calls its delegate on; nil for one of its own.
    public var sessionDelegateQueue: OperationQueue?
    /// Encodes bodies.
    public var encoder = JSONEncoder.api()
    /// Decodes answers.
    public var decoder = JSONDecoder.api()
    /// Fields of each request; `Accept` is JSON unless it is among them.
    public var headers: [String: String] = [:]
    /// The application's key.
    public var apiKey: APIKey?
    /// The user's token.
    public var tokens: Tokens?
    /// The client's certificate, and the servers' certificates that it trusts.
    public var trust = Trust()
    /// A delegate that decides about each request, of one of the protocols in ``APIClientDelegate``; kept.
    public var delegate: (any ClientDelegate)?
    /// The rule for sending failed requests again; nil for never.
    public var retry: Retry?
    /// Sees each exchange, with its request, answer, error and metrics.
    public var observe: (@Sendable (Exchange) -> Void)?

    /// Creates a configuration.
    public init(
      baseURL: URL?, sessionConfiguration: URLSessionConfiguration = .default,
      delegate: (any ClientDelegate)? = nil
    ) {
      (self.baseURL, self.sessionConfiguration, self.delegate) = (baseURL, sessionConfiguration, delegate)
    }

    /// The configuration of the session, by its short name: `$0.session = .cassette`.
    public var session: URLSessionConfiguration {
      get { sessionConfiguration }
      set { sessionConfiguration = newValue }
    }

    /// The reason why no request may be sent; nil if requests may.
    var obstacle: String? { trust.obstacle ?? delegate?.obstacle }
  }
}

extension JSONEncoder {
  /// Creates an encoder of dates as ISO 8601, and on demand of names in snake case.
  public static func api(snakeCase: Bool = false) -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if snakeCase { encoder.keyEncodingStrategy = .convertToSnakeCase }
    return encoder
  }
}

extension JSONDecoder {
  /// Creates a decoder of dates as ISO 8601, with or without fractions of a second, and on demand of names in snake case.
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
