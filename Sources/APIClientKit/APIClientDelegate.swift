public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Has a say in each request of a client; everything has a default.
public protocol APIClientDelegate: Sendable {
  /// Changes a request just before it is sent, each time it is.
  func client(_ client: APIClient, willSendRequest request: inout URLRequest) async throws

  /// Whether to try again after a task has failed, at least the first of its attempts; throws to end with another error.
  func client(
    _ client: APIClient, shouldRetry task: URLSessionTask, error: APIError, attempts: Int
  ) async throws -> Bool

  /// Throws when a response is not what the client takes for a success: a status from 200 to 299.
  func client(_ client: APIClient, validateResponse response: HTTPURLResponse, data: Data) throws

  /// The URL of a request that is not to be found under the base URL; nil for the usual one.
  func client<Response>(_ client: APIClient, makeURLFor request: Request<Response>) throws -> URL?

  /// What encodes the body of a request; nil for the client's encoder.
  func client<Response>(_ client: APIClient, encoderFor request: Request<Response>) -> JSONEncoder?

  /// What decodes the response to a request; nil for the client's decoder.
  func client<Response>(_ client: APIClient, decoderFor request: Request<Response>) -> JSONDecoder?
}

extension APIClientDelegate {
  /// Changes nothing.
  public func client(_ client: APIClient, willSendRequest request: inout URLRequest) async throws {}
  /// Never tries again.
  public func client(
    _ client: APIClient, shouldRetry task: URLSessionTask, error: APIError, attempts: Int
  ) async throws -> Bool { false }
  /// Takes statuses from 200 to 299.
  public func client(_ client: APIClient, validateResponse response: HTTPURLResponse, data: Data) throws {
    guard (200..<300).contains(response.statusCode) else { throw APIError.Reason.status(response.statusCode) }
  }
  /// Under the base URL.
  public func client<Response>(_ client: APIClient, makeURLFor request: Request<Response>) throws -> URL? { nil }
  /// The client's encoder.
  public func client<Response>(_ client: APIClient, encoderFor request: Request<Response>) -> JSONEncoder? { nil }
  /// The client's decoder.
  public func client<Response>(_ client: APIClient, decoderFor request: Request<Response>) -> JSONDecoder? { nil }
}

/// All defaults.
struct NoDelegate: APIClientDelegate {}
