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
  /// What carries the requests.
  public let api: APIClient

  /// A client.
  ///
  /// - Parameters:
  ///   - baseURL: GitHub, a GitHub Enterprise Server, or a mock server.
  ///   - token: A personal access token, if there is one.
  ///   - session: What the session is made of; `.cassette` in a test.
  ///   - configure: Changes whatever else a client is made of, such as `tokens` that expire and are refreshed.
  public init(
    baseURL: URL? = URL(string: "https://api.github.com"), token: String? = nil,
    session: URLSessionConfiguration = .default, configure: (inout APIClient.Configuration) -> Void = { _ in }
  ) {
    api = APIClient(baseURL: baseURL) { configuration in
      configuration.session = session
      // The version of the API is part of the media type.
      configuration.headers = ["Accept": "application/vnd.github.v3+json"]
      configuration.encoder = .api(snakeCase: true)
      configuration.apiKey = token.map { .header("Authorization", "Bearer \($0)") }
      configure(&configuration)
    }
  }

  /// Sends a request.
  ///
  /// - Throws: ``GitHubFailure``, or `CancellationError`.
  public func send<Value: Decodable & Sendable>(_ request: Request<Value>) async throws -> Response<Value> {
    do { return try await api.send(request) } catch { throw GitHubFailure.make(of: error) }
  }

  /// Sends a request of whose answer nothing but the success matters.
  ///
  /// - Throws: ``GitHubFailure``, or `CancellationError`.
  @discardableResult public func send(_ request: Request<Void>) async throws -> Response<Void> {
    do { return try await api.send(request) } catch { throw GitHubFailure.make(of: error) }
  }

  /// The decoded content of the answer to a request.
  ///
  /// - Throws: ``GitHubFailure``, or `CancellationError`.
  public func value<Value: Decodable & Sendable>(for request: Request<Value>) async throws -> Value {
    try await send(request).value
  }

  /// Writes the bytes of an asset to a file; what was left of an earlier try is not fetched again.
  ///
  /// - Throws: ``GitHubFailure``, or `CancellationError`.
  @discardableResult public func download(
    _ request: Request<Data>, to file: URL, progress: (@Sendable (TransferProgress) -> Void)? = nil
  ) async throws -> Response<URL> {
    do { return try await api.download(request, to: file, progress: progress) } catch {
      throw GitHubFailure.make(of: error)
    }
  }
}

/// Why a request of ``GitHub`` failed.
public enum GitHubFailure: Error, Sendable {
  /// The request makes no URL.
  case invalidURL
  /// Something that is not GitHub's to say: no connection, or content that is none of its own.
  case unexpected(any Error)
  /// GitHub said no, and why, if it did.
  case status(Int, GitHubError?)

  /// What an error of the client means here; a cancellation stays one.
  static func make(of error: any Error) -> any Error {
    guard let error = error as? APIError else { return error }
    switch error.reason {
    case .invalidURL: return GitHubFailure.invalidURL
    case .status(let status):
      var said = error.body(as: GitHubError.self)
      said?.rateLimit = RateLimit(error.header)
      return GitHubFailure.status(status, said)
    default: return GitHubFailure.unexpected(error)
    }
  }
}
