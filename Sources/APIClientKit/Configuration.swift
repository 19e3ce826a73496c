public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension APIClient {
  /// An installation of an API, such as production, staging or a mock server.
  ///
  /// ```swift
  /// extension APIClient.Environment {
  ///   static let qa = APIClient.Environment("qa", baseURL: URL(string: "https://qa.example.com"))
  /// }
  /// client.environment = .qa
  /// ```
  public struct Environment: Hashable, Identifiable, Sendable, CustomStringConvertible {
    /// The name for display in a menu.
    public let name: String
    /// The base URL of relative paths.
    public let baseURL: URL?

    /// Creates an environment.
    public init(_ name: String, baseURL: URL?) { (self.name, self.baseURL) = (name, baseURL) }

    /// Creates an environment for a mock server.
    public static func mock(_ url: URL) -> Environment { Environment("mock", baseURL: url) }

    /// The name, which identifies the environment in a list.
    public var id: String { name }
    /// The name.
    public var description: String { name }
  }

  /// The configuration of a client.
  public struct Configuration: Sendable {
    /// The base URL of relative paths in the environment `production`.
    public var baseURL: URL?
    /// The environments in addition to `production`, for a debug menu.
    public var environments: [Environment] = []
    /// The configuration of the session.
    public var sessionConfiguration: URLSessionConfiguration
    /// A delegate that receives all calls of the session: challenges, redirects, metrics and data.
    ///
    /// It is retained.
    public var sessionDelegate: (any URLSessionDelegate)?
    /// The queue on which the session calls its delegate; nil lets the session create a queue.
    public var sessionDelegateQueue: OperationQueue?
    /// The encoder of request bodies.
    public var encoder = JSONEncoder.api()
    /// The decoder of responses.
    public var decoder = JSONDecoder.api()
    /// Header fields of every request.
    ///
    /// `Accept` is JSON unless it is set here.
    public var headers: [String: String] = [:]
    /// The API key of the application; nil for none.
    public var apiKey: APIKey?
    /// The tokens of the user; nil for none.
    public var tokens: Tokens?
    /// The client certificate, and the pinned server certificates.
    public var trust = Trust()
    /// A delegate for decisions about requests, of one of the protocols in ``APIClientDelegate``.
    ///
    /// It is retained.
    public var delegate: (any ClientDelegate)?
    /// The rule for repeating failed requests; nil (the default) never repeats them.
    public var retry: Retry?
    /// A function that is called with every exchange: its request, response, error and metrics.
    public var observe: (@Sendable (Exchange) -> Void)?

    /// Creates a configuration.
    public init(
      baseURL: URL?, sessionConfiguration: URLSessionConfiguration = .default,
      delegate: (any ClientDelegate)? = nil
    ) {
      (self.baseURL, self.sessionConfiguration, self.delegate) = (baseURL, sessionConfiguration, delegate)
    }

    /// The configuration of the session under a short name, as in `$0.session = .cassette`.
    public var session: URLSessionConfiguration {
      get { sessionConfiguration }
      set { sessionConfiguration = newValue }
    }

    /// The reason why no request may be sent; nil if requests may be sent.
    var obstacle: String? { trust.obstacle ?? delegate?.obstacle }
  }
}

extension JSONEncoder {
  /// Creates an encoder with ISO 8601 dates, and with names in snake case if requested.
  public static func api(snakeCase: Bool = false) -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if snakeCase { encoder.keyEncodingStrategy = .convertToSnakeCase }
    return encoder
  }
}

extension JSONDecoder {
  /// Creates a decoder of ISO 8601 dates with or without fractional seconds, and of names in snake case if requested.
  public static func api(snakeCase: Bool = false) -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let text = try decoder.singleValueContainer().decode(String.self)
      let fractional = text.contains(".")
      if let date = try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: fractional)) {
        return date
      }
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\"\(text)\" is not an ISO 8601 date"))
    }
    if snakeCase { decoder.keyDecodingStrategy = .convertFromSnakeCase }
    return decoder
  }
}
