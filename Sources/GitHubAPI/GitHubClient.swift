public import APIClientKit
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A client that sends the requests of ``GitHub``.
///
/// ```swift
/// let client = GitHubClient(token: "…")
/// let user = try await client.value(for: GitHub.users("kean").get)
/// ```
public struct GitHubClient: Sendable {
  /// The client that sends the requests.
  public let api: APIClient
  /// The client for the host that receives the files of releases.
  let uploads: APIClient

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - baseURL: The base URL of GitHub (the default), of a GitHub Enterprise Server (`https://HOST/api/v3`) or of a
  ///     mock server.
  ///   - token: The personal access token; nil (the default) for anonymous requests.
  ///   - session: The configuration of the session, such as `.cassette` in a test.
  ///   - configure: A function that changes other parts of the configuration, such as `tokens` that are refreshed.
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

  /// Returns the base URL for uploads, which differs from that of the API for GitHub and GitHub Enterprise Server.
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

  /// Sends a request and decodes the response.
  ///
  /// - Throws: ``GitHubFailure``, or `CancellationError`.
  public func send<Value: Decodable & Sendable>(_ request: Request<Value>) async throws -> Response<Value> {
    try await GitHubFailure.translating { try await api.send(request) }
  }

  /// Sends a request whose response has no content.
  ///
  /// - Throws: ``GitHubFailure``, or `CancellationError`.
  @discardableResult public func send(_ request: Request<Void>) async throws -> Response<Void> {
    try await GitHubFailure.translating { try await api.send(request) }
  }

  /// Sends a request and returns the decoded content of the response.
  ///
  /// - Throws: ``GitHubFailure``, or `CancellationError`.
  public func value<Value: Decodable & Sendable>(for request: Request<Value>) async throws -> Value {
    try await send(request).value
  }

  /// Downloads an asset to a file, continuing an earlier incomplete download.
  ///
  /// - Throws: ``GitHubFailure``, or `CancellationError`.
  @discardableResult public func download(
    _ request: Request<Data>, to file: URL, progress: (@Sendable (TransferProgress) -> Void)? = nil
  ) async throws -> Response<URL> {
    try await GitHubFailure.translating { try await api.download(for: request, to: file, progress: progress) }
  }

  /// Uploads data as a file of a release, with the credentials of the client.
  ///
  /// - Throws: ``GitHubFailure``, or `CancellationError`.
  @discardableResult public func upload(
    _ request: Request<Asset>, from data: Data, progress: (@Sendable (TransferProgress) -> Void)? = nil
  ) async throws -> Response<Asset> {
    try await GitHubFailure.translating { try await uploads.upload(for: request, from: data, progress: progress) }
  }

  /// Uploads a file as a file of a release, with the credentials of the client.
  ///
  /// - Throws: ``GitHubFailure``, or `CancellationError`.
  @discardableResult public func upload(
    _ request: Request<Asset>, fromFile file: URL, progress: (@Sendable (TransferProgress) -> Void)? = nil
  ) async throws -> Response<Asset> {
    try await GitHubFailure.translating { try await uploads.upload(for: request, fromFile: file, progress: progress) }
  }
}
