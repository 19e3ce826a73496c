public import APIClientKit
public import Dispatch

/// Requests for code that does not use `await` yet; a cancellation is ``GitHubFailure/unexpected(_:)``.
extension GitHubClient {
  /// Returns the value of a request, or the reason why there is none.
  public func result<Value: Decodable & Sendable>(of request: Request<Value>) async -> Result<Value, GitHubFailure> {
    await result { try await value(for: request) }
  }

  /// Tells whether a request succeeded, or why not.
  public func result(of request: Request<Void>) async -> Result<Void, GitHubFailure> {
    await result { try await send(request).value }
  }

  /// Sends a request and calls back on a queue, once, also when the returned task is cancelled.
  @discardableResult public func send<Value: Decodable & Sendable>(
    _ request: Request<Value>, queue: DispatchQueue = .main,
    completion: @escaping @Sendable (Result<Value, GitHubFailure>) -> Void
  ) -> Task<Void, Never> {
    Task {
      let result = await result(of: request)
      queue.async { completion(result) }
    }
  }

  /// Sends a request without an answer to decode and calls back on a queue, once, also when the returned task is cancelled.
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
