public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The functions with callbacks, for code without `async` functions.
extension ArticlesClient {
  /// A closure that receives the result on any thread, which is a `CancellationError` if the task was cancelled before.
  public typealias Completion<Value> = @Sendable (Result<Value, any Error>) -> Void

  /// Sends a route and calls `completion` with the response.
  ///
  /// ```swift
  /// let task = client.send(.articles()) { result in … }
  /// task.cancel()
  /// ```
  ///
  /// - Returns: The task, which can be cancelled.
  @discardableResult public func send(
    _ route: Route, _ completion: @escaping Completion<(Data, HTTPURLResponse)>
  ) -> Task<Void, Never> {
    run(completion) { try await send(route) }
  }

  /// Sends a request and calls `completion` with the response.
  ///
  /// - Returns: The task, which can be cancelled.
  @discardableResult public func send(
    _ request: URLRequest, _ completion: @escaping Completion<(Data, HTTPURLResponse)>
  ) -> Task<Void, Never> {
    run(completion) { try await send(request) }
  }

  /// Sends a route and calls `completion` with the decoded response.
  ///
  /// ```swift
  /// client.value(for: .article(1)) { (result: Result<Article, any Error>) in … }
  /// ```
  ///
  /// - Returns: The task, which can be cancelled.
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
