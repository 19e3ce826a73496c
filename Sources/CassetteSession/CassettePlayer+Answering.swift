public import CassetteHTTP
internal import CassetteSystem
import Cassettes
public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The answer of a player to one request, for clients without `URLSession`.
public struct CassetteAnswer: Sendable {
  /// The chunks of a body, as they arrive.
  public struct Body: AsyncSequence, Sendable {
    let pieces: AsyncThrowingStream<Data, any Error>

    /// Creates an iterator over the chunks; a body can be read once.
    public func makeAsyncIterator() -> AsyncThrowingStream<Data, any Error>.Iterator { pieces.makeAsyncIterator() }

    /// Returns the whole body.
    ///
    /// - Throws: `URLError` if the recorded body is incomplete, or the network fails while recording.
    public func collect() async throws -> Data {
      var data = Data()
      for try await piece in self { data += piece }
      return data
    }
  }

  /// The status code.
  public let status: Int
  /// The header fields in the order of the recording.
  public let headers: CassetteSentRequest.Headers
  /// The body without its content coding, in chunks.
  public let body: Body
  /// The trailer fields (RFC 9110 §6.5), which a client delivers after the body.
  public let trailers: CassetteSentRequest.Headers
}

extension CassettePlayer {
  /// Answers a request of a client that does not use `URLSession`, or records the response of the network.
  ///
  /// ```swift
  /// let answer = try await CassettePlayer.current.answer("GET", url)
  /// for try await piece in answer.body { … }
  /// ```
  /// Uses the same recordings, stubs and recorders as the player's sessions. The client itself handles redirects,
  /// cookies and challenges, and receives the answer to each request.
  ///
  /// - Parameters:
  ///   - method: The method's name.
  ///   - url: The absolute URL.
  ///   - headers: The header fields, in the order in which they are sent. None by default.
  ///   - body: The body. Empty by default.
  /// - Returns: The head of the answer, and the body as it arrives.
  /// - Throws: `URLError` for a request without an answer, which also fails the test, and for recorded failures.
  public func answer(
    _ method: String, _ url: URL, headers: CassetteSentRequest.Headers = [], body: Data = Data()
  ) async throws -> CassetteAnswer {
    var request = URLRequest(url: url)
    request.httpMethod = method
    for field in headers { request.addValue(field.value, forHTTPHeaderField: field.name) }
    if case .closed(let closing) = destination {
      let message = "\(Loader.line(of: request)) \(closing.reason): it cannot be answered"
      closing.late?(message, false)
      throw URLError.make(NSURLErrorResourceUnavailable, url: url, message: message)
    }
    if let text = refusal(of: PlayingTest.current, request) {
      throw URLError.make(NSURLErrorResourceUnavailable, url: url, message: text)
    }
    beginFlight()
    defer { endFlight() }
    let content = Array(body)
    var asked = HTTPRequest(request, body: content)
    if asked != nil { asked?.headers = headers }
    let context = PlayingTest.current != nil && StubTable.hasClosures.isSet ? TaskContext() : nil
    switch play(request, content: content, defaults: nil, in: context, as: asked) {
    case .live(let call): return try await answer(of: call)
    case .result(let result):
      if let gate = result.gate { try await Self.pass(gate, url) }
      try await pause(result.delay)
      switch result.outcome {
      case .failure(let error): throw error
      case .response(let delivery): return answer(delivery)
      }
    }
  }

  /// Waits for a number of seconds on the player's clock.
  private func pause(_ seconds: Double) async throws {
    guard seconds > 0 else { return }
    try await (clock ?? ContinuousClock()).sleep(for: .seconds(seconds))
  }

  private static func pass(_ gate: CassetteGate, _ url: URL) async throws {
    let failure = await withCheckedContinuation { continuation in gate.hold { continuation.resume(returning: $0) } }
    if let failure { throw URLError.make(failure, url: url) }
  }

  private func answer(_ delivery: ExchangeResult.Delivery) -> CassetteAnswer {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Data.self)
    let task = Task {
      do {
        for piece in delivery.pieces {
          try await pause(piece.after)
          if !piece.data.isEmpty { continuation.yield(piece.data) }
        }
        continuation.finish(throwing: delivery.brokenOff.map { URLError.make($0, url: delivery.response.url) })
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { _ in task.cancel() }
    return CassetteAnswer(
      status: delivery.response.statusCode, headers: delivery.headers, body: CassetteAnswer.Body(pieces: stream),
      trailers: delivery.trailers)
  }

  /// Sends a request to the network in a mode that does so, and records the exchange like that of a session.
  private func answer(of call: LiveCall) async throws -> CassetteAnswer {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Data.self)
    let head = Locked<CheckedContinuation<HTTPURLResponse, any Error>?>(nil)
    let response = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (waiting: CheckedContinuation<HTTPURLResponse, any Error>) in
        head.withLock { $0 = waiting }
        call.begin { event in
          switch event {
          case .head(let response): head.withLock { $0.take() }?.resume(returning: response)
          case .data(let bytes): continuation.yield(Data(bytes))
          case .end(let error):
            let failure = error ?? URLError.make(NSURLErrorBadServerResponse, url: call.request.url)
            head.withLock { $0.take() }?.resume(throwing: failure)
            continuation.finish(throwing: error)
          }
        }
        send(call)
      }
    } onCancel: {
      call.cancel()
      head.withLock { $0.take() }?.resume(throwing: CancellationError())
    }
    // If the body is not read to its end, the exchange is not recorded, as with a cancelled task.
    continuation.onTermination = { reason in if case .cancelled = reason { call.cancel() } }
    return CassetteAnswer(
      status: response.statusCode, headers: HTTPHeaders(received: response, keepsLength: true),
      body: CassetteAnswer.Body(pieces: stream), trailers: [])
  }
}
