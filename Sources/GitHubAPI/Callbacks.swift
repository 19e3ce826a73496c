public import APIClientKit
public import Dispatch

/// Functions for code that does not use `await`.
///
/// A cancellation results in ``GitHubFailure/unexpected(_:)``.
extension GitHubClient {
  /// Sends a request and returns its decoded response or the failure.
  public func result<Value: Decodable & Sendable>(of request: Request<Value>) async -> Result<Value, GitHubFailure> {
    await result { try await value(for: request) }
  }

  /// Sends a request and returns its success or the failure.
  public func result(of request: Request<Void>) async -> Result<Void, GitHubFailure> {
    await result { try await send(request).value }
  }

  /// Sends a request and calls `completion` once on a queue, even if the returned task is cancelled.
  @discardableResult public func send<Value: Decodable & Sendable>(
    _ request: Request<Value>, queue: DispatchQueue = .main,
    completion: @escaping @Sendable (Result<Value, GitHubFailure>) -> Void
  ) -> Task<Void, Never> {
    Task {
      let result = await result(of: request)
      queue.async { completion(result) }
    }
  }

  /// Sends a request without decoding its response, and calls `completion` once on a queue, even if the returned task
  /// is cancelled.
  @discardableResult public func send(
    _ request: Request<Void>, queue: DispatchQueue = .main,
    completion: @escaping @Sendable (Result<Void, GitHubFailure>) -> Void
  ) -> Task<Void, Never> {
    Task {
      let result = await result(of: request)
      queue.async { completion(result) }
    }
  }

  private func result<Value: Sendable>(_ ask: () async throws -> Value) async -> Result<Value, GitHubFailure> {
    do { return .success(try await ask()) } catch let failure as GitHubFailure { return .failure(failure) } catch {
      return .failure(.unexpected(error))
    }
  }
}
