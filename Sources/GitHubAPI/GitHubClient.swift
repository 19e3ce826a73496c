public import APIClientKit
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Sends the requests of ``GitHub``.
///
/// ```swift
/// let client = GitHubClient(token: "…")
/// let user = try await client.value(for: GitHub.users("kean").get)
/// ```
public struct GitHubClient: Sendable {
  /// The client that carries the requests.
  public let api: APIClient
  /// The client of the host that takes files of releases.
  let uploads: APIClient

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - baseURL: GitHub, a GitHub Enterprise Server (`https://HOST/api/v3`), or a mock server.
  ///   - token: A personal access token, if there is one.
  ///   - session: The configuration of the session; `.cassette` in a test.
  ///   - configure: Changes whatever else a client is made of, such as `tokens` that expire and are refreshed.
  public init(
    baseURL: URL? = URL(string: "https://api.github.com"), token: String? = nil,
    session: URLSessionConfiguration = .default, configure: (inout APIClient.Configuration) -> Void = { _ in }
  ) {
    func make(_ url: URL?) -> APIClient {
      APIClient(baseURL: url) { configuration in
        configuration.session = session
        // The version of the API is part of the media type.
        configuration.headers = ["Accept": "application/vnd.github.v3+json"]
        configuration.encoder = .api(snakeCase: true)
        configuration.apiKey = token.map { .header("Authorization", "Bearer \($0)") }
        configure(&configuration)
      }
    }
    api = make(baseURL)
    uploads = Self.uploadURL(for: baseURL).map(make) ?? api
  }

  /// The host that takes files, where it is another than that of the API.
  static func uploadURL(for baseURL: URL?) -> URL? {
    guard let baseURL, var parts = URLComponents(url: baseURL, resolvingAgainstBaseURL: true) else { return nil }
    if parts.host == "api.github.com" {
      parts.host = "uploads.github.com"
    } else if parts.path.hasSuffix("/api/v3") || parts.path.hasSuffix("/api/v3/") {
      parts.path = parts.path.replacing("/api/v3", with: "/api/uploads")
    } else {
      return nil
    }
    return parts.url
  }

  /// Sends a request and decodes the answer.
  ///
  /// - Throws: ``GitHubFailure``, or `CancellationError`.
  public func send<Value: Decodable & Sendable>(_ request: Request<Value>) async throws -> Response<Value> {
    try await GitHubFailure.translating { try await api.send(request) }
  }

  /// Sends a request whose answer has nothing to decode.
  ///
  /// - Throws: ``GitHubFailure``, or `CancellationError`.
  @discardableResult public func send(_ request: Request<Void>) async throws -> Response<Void> {
    try await GitHubFailure.translating { try await api.send(request) }
  }

  /// Returns the decoded content of the answer to a request.
  ///
  /// - Throws: ``GitHubFailure``, or `CancellationError`.
  public func value<Value: Decodable & Sendable>(for request: Request<Value>) async throws -> Value {
    try await send(request).value
  }

  /// Writes the bytes of an asset to a file; what is left of an earlier try is not fetched again.
  ///
  /// - Throws: ``GitHubFailure``, or `CancellationError`.
  @discardableResult public func download(
    _ request: Request<Data>, to file: URL, progress: (@Sendable (TransferProgress) -> Void)? = nil
  ) async throws -> Response<URL> {
    try await GitHubFailure.translating { try await api.download(for: request, to: file, progress: progress) }
  }

  /// Sends bytes as a file of a release, to the host that takes them, signed in as the client is.
  ///
  /// - Throws: ``GitHubFailure``, or `CancellationError`.
  @discardableResult public func upload(
    _ request: Request<Asset>, from data: Data, progress: (@Sendable (TransferProgress) -> Void)? = nil
  ) async throws -> Response<Asset> {
    try await GitHubFailure.translating { try await uploads.upload(for: request, from: data, progress: progress) }
  }

  /// Sends a file as a file of a release, to the host that takes them, signed in as the client is.
  ///
  /// - Throws: ``GitHubFailure``, or `CancellationError`.
  @discardableResult public func upload(
    _ request: Request<Asset>, fromFile file: URL, progress: (@Sendable (TransferProgress) -> Void)? = nil
  ) async throws -> Response<Asset> {
    try await GitHubFailure.translating { try await uploads.upload(for: request, fromFile: file, progress: progress) }
  }
}
