#if canImport(Combine)
  public import Combine

  /// A client for code that subscribes.
  extension StarWarsClient {
    /// Publishes one resource: `client.publisher(\.film, 2)`.
    ///
    /// - Parameters:
    ///   - member: The member that is asked, once for each subscriber.
    ///   - id: The number of the resource.
    /// - Returns: A publisher of one value; cancelling its subscription cancels the request.
    public func publisher<Resource: Sendable>(
      _ member: KeyPath<StarWarsClient, One<Resource>>, _ id: Int
    ) -> AnyPublisher<Resource, any Error> {
      let one = self[keyPath: member]
      return publisher { _ in try await one(id) }
    }

    /// Publishes the client's answer to a request: `client.publisher { try await $0.search(.planets, "hoth") }`.
    ///
    /// - Parameter ask: Asks the client, once for each subscriber.
    /// - Returns: A publisher of one value; cancelling its subscription cancels the request.
    public func publisher<Value: Sendable>(
      _ ask: @escaping @Sendable (StarWarsClient) async throws -> Value
    ) -> AnyPublisher<Value, any Error> {
      Deferred {
        var task: Task<Void, Never>?
        // It takes the promise at once: the task is there when it returns.
        let answer = Future<Value, any Error> { promise in
          // Combine guards it with a lock, and does not say so.
          nonisolated(unsafe) let promise = promise
          task = get(ask) { promise($0) }
        }
        return answer.handleEvents(receiveCancel: { [task] in task?.cancel() })
      }
      .eraseToAnyPublisher()
    }
  }
#endif
