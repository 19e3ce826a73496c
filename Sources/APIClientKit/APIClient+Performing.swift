import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The sending of requests, with retries.
extension APIClient {
  /// The options of a single call.
  struct Options: Sendable {
    var way = Way.data
    var progress: TransferProgress.Handler?
    var delegate: (any URLSessionTaskDelegate)?
    /// The user's token; nil to use that of the client.
    var tokens: Tokens?
  }

  /// Sends a request, and repeats it until it succeeds or neither the rule nor a delegate asks for another attempt.
  nonisolated(nonsending) func perform<Value>(
    _ request: Request<Value>, _ options: Options, _ configure: ((inout URLRequest) throws -> Void)? = nil
  ) async throws -> Response<Data> {
    if let obstacle = configuration.obstacle { throw ClientFailure.unsupported(obstacle) }
    var made = try await makeURLRequest(for: request)
    try configure?(&made)
    do { return try await perform(made, of: request, options) } catch is CancellationError where Task.isCancelled {
      // As in Get, a cancelled request always throws the same error, even while waiting for a delegate or a pause.
      throw Exchange(request: made, secrets: secrets).noted(in: URLError(.cancelled))
    }
  }

  @concurrent private func perform<Value>(
    _ made: URLRequest, of request: Request<Value>, _ options: Options
  ) async throws -> Response<Data> {
    // Downloads are not cached, because the result is a file.
    let cache = if case .data = options.way { request.cache } else { CachePolicy.reload }
    var attempts = 1
    var refused: Tokens.Ticket?
    while true {
      let (wanted, ticket) = try await signed(made, of: request, options, after: refused)
      if cache == .cacheOnly {
        guard let kept = validators.kept(for: wanted).flatMap(Response.init) else { throw ClientFailure.notCached }
        return kept
      }
      if Task.isCancelled { throw Exchange(request: wanted, secrets: secrets).noted(in: URLError(.cancelled)) }
      let exchange = await load(wanted, options, cache)
      do {
        return try validated(exchange)
      } catch {
        let failure = exchange.noted(in: error)
        if Task.isCancelled { throw exchange.noted(in: URLError(.cancelled)) }
        if exchange.status == 401, let ticket, ticket.isRefreshable, refused == nil {
          refused = ticket
        } else {
          guard try await isWorthAnother(request.method, failure, exchange, attempts) else { throw failure }
          attempts += 1
        }
      }
    }
  }

  private func load(_ wanted: URLRequest, _ options: Options, _ cache: CachePolicy) async -> Exchange {
    let asked = cache == .revalidate ? validators.asking(wanted) : wanted
    var exchange = await transport.load(
      asked, options.way, in: session, secrets, options.progress, options.delegate)
    if case .upload(let data) = options.way { exchange.request.httpBody = data }
    configuration.observe?(exchange)
    return cache == .revalidate ? validators.settle(exchange, for: wanted) : exchange
  }

  private func validated(_ exchange: Exchange) throws -> Response<Data> {
    if let error = exchange.error { throw error }
    guard let response = Response(exchange), let http = exchange.response else { throw URLError(.badServerResponse) }
    if let delegate = configuration.delegate as? any ValidationDelegate {
      try delegate.client(self, validateResponse: http, data: exchange.data, task: response.task)
    } else if !(200..<300).contains(http.statusCode) {
      throw APIError.unacceptableStatusCode(http.statusCode)
    }
    return response
  }

  private func isWorthAnother(
    _ method: HTTPMethod, _ failure: any Error, _ exchange: Exchange, _ attempts: Int
  ) async throws -> Bool {
    if let retry = configuration.retry, try await retry.waits(after: failure, of: method, attempts: attempts) {
      return true
    }
    guard let delegate = configuration.delegate as? any RetryDelegate, let task = exchange.task else { return false }
    return try await delegate.client(self, shouldRetry: task, error: failure, attempts: attempts)
  }
}
