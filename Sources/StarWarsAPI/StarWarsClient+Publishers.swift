#if canImport(Combine)
  public import Combine

  /// The publishers of results, for code that uses Combine.
  extension StarWarsClient {
    /// Returns a publisher of a resource, as in `client.publisher(\.film, 2)`.
    ///
    /// - Parameters:
    ///   - member: The member to call, once for each subscriber.
    ///   - id: The number of the resource.
    /// - Returns: A publisher of one value; cancelling its subscription cancels the request.
    public func publisher<Resource: Sendable>(
      _ member: KeyPath<StarWarsClient, One<Resource>>, _ id: Int
    ) -> AnyPublisher<Resource, any Error> {
      let one = self[keyPath: member]
      return publisher { _ in try await one(id) }
    }

    /// Returns a publisher of a result, as in `client.publisher { try await $0.search(.planets, "hoth") }`.
    ///
    /// - Parameter ask: The function that calls the client, once for each subscriber.
    /// - Returns: A publisher of one value; cancelling its subscription cancels the request.
    public func publisher<Value: Sendable>(
      _ ask: @escaping @Sendable (StarWarsClient) async throws -> Value
    ) -> AnyPublisher<Value, any Error> {
      Deferred {
        var task: Task<Void, Never>?
        // `Future` calls its closure immediately, so `task` is set when the initializer returns.
        let answer = Future<Value, any Error> { promise in
          // Combine protects the promise with a lock, but does not declare it `Sendable`.
          nonisolated(unsafe) let promise = promise
          task = get(ask) { promise($0) }
        }
        return answer.handleEvents(receiveCancel: { [task] in task?.cancel() })
      }
      .eraseToAnyPublisher()
    }
  }
#endif
