public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The ways to ask: `configure` is called where the caller is; making, sending and decoding are done elsewhere.
extension APIClient {
  /// Sends a request and decodes the answer; an optional type is nil when it has no content, as with 204.
  ///
  /// - Parameters:
  ///   - request: What is asked.
  ///   - delegate: A delegate of this task alone, asked before the session's.
  ///   - configure: Changes the request that is sent, once, before the delegate of the client does.
  /// - Returns: The decoded content, and all that came with it.
  /// - Throws: ``APIError``, an error of Foundation, ``ClientFailure``, or what a delegate throws.
  nonisolated(nonsending) public func send<Value: Decodable>(
    _ request: Request<Value>, delegate: (any URLSessionDataDelegate)? = nil,
    configure: ((inout URLRequest) throws -> Void)? = nil
  ) async throws -> Response<Value> {
    try await decoded(perform(request, Options(delegate: delegate), configure), for: request)
  }

  /// Sends a request of whose answer nothing but the success matters.
  @discardableResult nonisolated(nonsending) public func send(
    _ request: Request<Void>, delegate: (any URLSessionDataDelegate)? = nil,
    configure: ((inout URLRequest) throws -> Void)? = nil
  ) async throws -> Response<Void> {
    try await perform(request, Options(delegate: delegate), configure).map { _ in }
  }

  /// Sends a request and returns the decoded content of the answer.
  nonisolated(nonsending) public func value<Value: Decodable>(for request: Request<Value>) async throws -> Value {
    try await send(request).value
  }

  /// Sends a request and returns the content of the answer as it is.
  nonisolated(nonsending) public func data<Value>(
    for request: Request<Value>, delegate: (any URLSessionDataDelegate)? = nil,
    configure: ((inout URLRequest) throws -> Void)? = nil
  ) async throws -> Response<Data> {
    try await perform(request, Options(delegate: delegate), configure)
  }

  /// Sends a file as the content of a request, whose own body is not sent, and reports the progress.
  nonisolated(nonsending) public func upload<Value: Decodable>(
    for request: Request<Value>, fromFile file: URL, delegate: (any URLSessionTaskDelegate)? = nil,
    progress: TransferProgress.Handler? = nil, configure: ((inout URLRequest) throws -> Void)? = nil
  ) async throws -> Response<Value> {
    let options = Options(way: .uploadFile(file), progress: progress, delegate: delegate)
    return try await decoded(perform(request, options, configure), for: request)
  }

  /// Sends a file as the content of a request of whose answer nothing but the success matters.
  @discardableResult nonisolated(nonsending) public func upload(
    for request: Request<Void>, fromFile file: URL, delegate: (any URLSessionTaskDelegate)? = nil,
    progress: TransferProgress.Handler? = nil, configure: ((inout URLRequest) throws -> Void)? = nil
  ) async throws -> Response<Void> {
    let options = Options(way: .uploadFile(file), progress: progress, delegate: delegate)
    return try await perform(request, options, configure).map { _ in }
  }

  /// Sends data as the content of a request, whose own body is not sent, and reports the progress.
  nonisolated(nonsending) public func upload<Value: Decodable>(
    for request: Request<Value>, from data: Data, delegate: (any URLSessionTaskDelegate)? = nil,
    progress: TransferProgress.Handler? = nil, configure: ((inout URLRequest) throws -> Void)? = nil
  ) async throws -> Response<Value> {
    let options = Options(way: .upload(data), progress: progress, delegate: delegate)
    return try await decoded(perform(request, options, configure), for: request)
  }

  /// Sends data as the content of a request of whose answer nothing but the success matters.
  @discardableResult nonisolated(nonsending) public func upload(
    for request: Request<Void>, from data: Data, delegate: (any URLSessionTaskDelegate)? = nil,
    progress: TransferProgress.Handler? = nil, configure: ((inout URLRequest) throws -> Void)? = nil
  ) async throws -> Response<Void> {
    let options = Options(way: .upload(data), progress: progress, delegate: delegate)
    return try await perform(request, options, configure).map { _ in }
  }

  /// Returns a response with its content decoded as nothing, bytes, text, or JSON.
  @concurrent func decoded<Value: Decodable>(
    _ response: Response<Data>, for request: Request<Value>
  ) async throws -> Response<Value> {
    try decoded(response) { data in
      if data.isEmpty, let optional = Value.self as? any ExpressibleByNilLiteral.Type,
        let none = optional.init(nilLiteral: ()) as? Value
      {
        return none
      }
      if let value = data as? Value { return value }
      if Value.self is String.Type || Value.self is String?.Type {
        guard let value = String(data: data, encoding: .utf8) as? Value else { throw URLError(.badServerResponse) }
        return value
      }
      return try decoder(for: request).decode(Value.self, from: data)
    }
  }

  /// Returns a response with its content decoded; an error keeps the exchange.
  func decoded<Value>(_ response: Response<Data>, _ decode: (Data) throws -> Value) throws -> Response<Value> {
    do { return try response.map(decode) } catch { throw response.exchange.noted(in: error) }
  }

  /// The decoder of a request: the delegate's or the client's.
  func decoder<Value>(for request: Request<Value>) -> JSONDecoder {
    let chosen = (configuration.delegate as? any DecoderDelegate)?.client(self, decoderForRequest: request)
    return chosen ?? configuration.decoder
  }
}
