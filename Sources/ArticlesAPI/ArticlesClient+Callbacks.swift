public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A client for code that waits for no `async` function.
extension ArticlesClient {
  /// Receives the result of a request, on any thread; `CancellationError` when its task was cancelled first.
  public typealias Completion<Value> = @Sendable (Result<Value, any Error>) -> Void

  /// Sends a route and calls back.
  ///
  /// ```swift
  /// let task = client.send(.articles()) { result in … }
  /// task.cancel()
  /// ```
  ///
  /// - Returns: A task that can be cancelled.
  @discardableResult public func send(
    _ route: Route, _ completion: @escaping Completion<(Data, HTTPURLResponse)>
  ) -> Task<Void, Never> {
    run(completion) { try await send(route) }
  }

  /// Sends a request and calls back.
  ///
  /// - Returns: A task that can be cancelled.
  @discardableResult public func send(
    _ request: URLRequest, _ completion: @escaping Completion<(Data, HTTPURLResponse)>
  ) -> Task<Void, Never> {
    run(completion) { try await send(request) }
  }

  /// Sends a route, decodes its answer, and calls back.
  ///
  /// ```swift
  /// client.value(for: .article(1)) { (result: Result<Article, any Error>) in … }
  /// ```
  ///
  /// - Returns: A task that can be cancelled.
  @discardableResult public func value<Value: Decodable & Sendable>(
    for route: Route, _ completion: @escaping Completion<Value>
  ) -> Task<Void, Never> {
    run(completion) { try await value(for: route) }
  }

  private func run<Value: Sendable>(
    _ completion: @escaping Completion<Value>, _ work: @escaping @Sendable () async throws -> Value
  ) -> Task<Void, Never> {
    Task {
      do { completion(.success(try await work())) } catch { completion(.failure(error)) }
    }
  }
}
