public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The functions that send requests.
///
/// `configure` runs in the caller's context, everything else concurrently.
extension APIClient {
  /// Sends a request and decodes the response.
  ///
  /// An optional value is nil if the response has no content, as with 204.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - delegate: A delegate for this task, which takes precedence over that of the session.
  ///   - configure: A function that changes the session's request once, before the delegate of the client does.
  /// - Returns: The response with its decoded content.
  /// - Throws: ``APIError``, an error of Foundation, ``ClientFailure``, or an error that a delegate throws.
  nonisolated(nonsending) public func send<Value: Decodable>(
    _ request: Request<Value>, delegate: (any URLSessionDataDelegate)? = nil,
    configure: ((inout URLRequest) throws -> Void)? = nil
  ) async throws -> Response<Value> {
    try await decoded(perform(request, Options(delegate: delegate), configure), for: request)
  }

  /// Sends a request and ignores the content of the response.
  @discardableResult nonisolated(nonsending) public func send(
    _ request: Request<Void>, delegate: (any URLSessionDataDelegate)? = nil,
    configure: ((inout URLRequest) throws -> Void)? = nil
  ) async throws -> Response<Void> {
    try await perform(request, Options(delegate: delegate), configure).map { _ in }
  }

  /// Sends a request and returns the decoded content of the response.
  nonisolated(nonsending) public func value<Value: Decodable>(for request: Request<Value>) async throws -> Value {
    try await send(request).value
  }

  /// Sends a request and returns the content of the response without decoding.
  nonisolated(nonsending) public func data<Value>(
    for request: Request<Value>, delegate: (any URLSessionDataDelegate)? = nil,
    configure: ((inout URLRequest) throws -> Void)? = nil
  ) async throws -> Response<Data> {
    try await perform(request, Options(delegate: delegate), configure)
  }

  /// Uploads a file as the content of a request, instead of its body, and reports the progress.
  nonisolated(nonsending) public func upload<Value: Decodable>(
    for request: Request<Value>, fromFile file: URL, delegate: (any URLSessionTaskDelegate)? = nil,
    progress: TransferProgress.Handler? = nil, configure: ((inout URLRequest) throws -> Void)? = nil
  ) async throws -> Response<Value> {
    let options = Options(way: .uploadFile(file), progress: progress, delegate: delegate)
    return try await decoded(perform(request, options, configure), for: request)
  }

  /// Uploads a file as the content of a request, and ignores the content of the response.
  @discardableResult nonisolated(nonsending) public func upload(
    for request: Request<Void>, fromFile file: URL, delegate: (any URLSessionTaskDelegate)? = nil,
    progress: TransferProgress.Handler? = nil, configure: ((inout URLRequest) throws -> Void)? = nil
  ) async throws -> Response<Void> {
    let options = Options(way: .uploadFile(file), progress: progress, delegate: delegate)
    return try await perform(request, options, configure).map { _ in }
  }

  /// Uploads data as the content of a request, instead of its body, and reports the progress.
  nonisolated(nonsending) public func upload<Value: Decodable>(
    for request: Request<Value>, from data: Data, delegate: (any URLSessionTaskDelegate)? = nil,
    progress: TransferProgress.Handler? = nil, configure: ((inout URLRequest) throws -> Void)? = nil
  ) async throws -> Response<Value> {
    let options = Options(way: .upload(data), progress: progress, delegate: delegate)
    return try await decoded(perform(request, options, configure), for: request)
  }

  /// Uploads data as the content of a request, and ignores the content of the response.
  @discardableResult nonisolated(nonsending) public func upload(
    for request: Request<Void>, from data: Data, delegate: (any URLSessionTaskDelegate)? = nil,
    progress: TransferProgress.Handler? = nil, configure: ((inout URLRequest) throws -> Void)? = nil
  ) async throws -> Response<Void> {
    let options = Options(way: .upload(data), progress: progress, delegate: delegate)
    return try await perform(request, options, configure).map { _ in }
  }

  /// Returns a response with its content decoded as an empty value, data, text or JSON.
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

  /// Returns a response with its content decoded.
  ///
  /// An error contains the exchange.
  func decoded<Value>(_ response: Response<Data>, _ decode: (Data) throws -> Value) throws -> Response<Value> {
    do { return try response.map(decode) } catch { throw response.exchange.noted(in: error) }
  }

  /// Returns the decoder for a request: that of the delegate, or otherwise that of the client.
  func decoder<Value>(for request: Request<Value>) -> JSONDecoder {
    let chosen = (configuration.delegate as? any DecoderDelegate)?.client(self, decoderForRequest: request)
    return chosen ?? configuration.decoder
  }
}
