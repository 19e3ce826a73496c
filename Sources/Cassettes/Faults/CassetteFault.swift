package import CassetteHTTP

/// A fault or delay that is put between a recording and a client.
///
/// Faults are laid over cassettes and stubs, which stay as they are. They apply in the order they are given: latencies
/// add up, and of several that take an answer's place the first whose turn it is does.
///
/// `on` says which requests: a path as `/user`, `/users/{name}/repos` or `/files/*`, where a name in braces stands for
/// one segment and an asterisk for anything; a method may stand before it, as in `POST /user`. The query plays no part
/// unless the pattern has one. `first` says how many of those requests, counted over all that one player answers; without
/// either it is for all. `after` says behind how many bytes of a body, without it behind half of them; a body that is no
/// longer stays whole.
///
/// Durations, counts and rates that are negative are taken for nothing, a rate for one byte a second at least.
public struct CassetteFault: Sendable, CustomStringConvertible {
  /// A latency that is taken from the recording itself.
  public enum RecordedLatency: Sendable {
    /// As long as it took when it was recorded; no time when that is not known.
    case recorded
  }

  package enum Effect: Sendable {
    case latency(Double)
    case recordedLatency
    case failure(RecordedFailure)
    case response(HTTPResponse)
    case cut(after: Int?, CutEnd)
    case rate(Int)
  }

  /// The way the connection ends after a body is cut.
  package enum CutEnd: Sendable {
    case reset, close, silence, badChunk
  }

  package let effect: Effect
  package let pattern: FaultPattern?
  /// The terms on which it applies, of the requests that it is for.
  package internal(set) var terms = FaultTerms()
  /// The fault as it is written in code.
  public internal(set) var description: String

  init(_ effect: Effect, _ name: String, _ arguments: [String?], on path: String?, first: Int?) {
    self.effect = effect
    pattern = path.map { FaultPattern($0) }
    terms.first = first.map { max(0, $0) }
    let limits = [path.map { "on: \"\($0)\"" }, first.map { "first: \($0)" }]
    let said = (arguments + limits).compactMap(\.self)
    description = Printable.escaped(said.isEmpty ? ".\(name)" : ".\(name)(\(said.joined(separator: ", ")))")
  }

  /// Applies the fault only each time that a number of requests has come: 3 is the third request, the sixth and so on.
  public func every(_ count: Int) -> CassetteFault {
    var fault = self
    fault.terms.every = max(1, count)
    fault.description += ".every(\(max(1, count)))"
    return fault
  }

  /// Applies the fault as often as a probability from 0 to 1 says: from a seed, requests meet it alike in every run.
  public func probability(_ probability: Double) -> CassetteFault {
    var fault = self
    fault.terms.probability = min(max(0, probability), 1)
    fault.description += ".probability(\(min(max(0, probability), 1)))"
    return fault
  }

  /// Answers take as long as they did when they were recorded: their head, and then their body.
  public static func latency(_ latency: RecordedLatency, on path: String? = nil, first count: Int? = nil)
    -> CassetteFault
  {
    CassetteFault(.recordedLatency, "latency", [".recorded"], on: path, first: count)
  }

  /// Answers come later; a client that waits less long times out.
  public static func latency(_ duration: Duration, on path: String? = nil, first count: Int? = nil) -> CassetteFault {
    let (seconds, fraction) = duration.components
    let time = max(0, Double(seconds) + Double(fraction) / 1e18)
    return CassetteFault(.latency(time), "latency", [".seconds(\(time))"], on: path, first: count)
  }

  /// Requests time out: `URLError.timedOut` at once inside the process, silence from a server; no recording is used up.
  public static func timeout(on path: String? = nil, first count: Int? = nil) -> CassetteFault {
    CassetteFault(.failure(RecordedFailure(code: -1001)), "timeout", [], on: path, first: count)
  }

  /// Every request times out.
  public static var timeout: CassetteFault { timeout() }

  /// Breaks the connection before anything is answered: `URLError.networkConnectionLost`; no recording is used up.
  public static func reset(on path: String? = nil, first count: Int? = nil) -> CassetteFault {
    CassetteFault(.failure(RecordedFailure(code: -1005)), "reset", [], on: path, first: count)
  }

  /// Every connection breaks before anything is answered.
  public static var reset: CassetteFault { reset() }

  /// Bodies break off: the head says the whole length, and the connection ends before it is there.
  public static func truncate(
    on path: String? = nil, after count: Int? = nil, first requests: Int? = nil
  ) -> CassetteFault { cut(.reset, "truncate", on: path, after: count, first: requests) }

  /// Every body breaks off in its middle.
  public static var truncate: CassetteFault { truncate() }

  /// Bodies stop in the middle, and the connection stays open: nothing more comes.
  public static func stall(on path: String? = nil, after count: Int? = nil, first requests: Int? = nil) -> CassetteFault
  {
    cut(.silence, "stall", on: path, after: count, first: requests)
  }

  /// Sends a chunk without a size after the middle of the body.
  public static func badChunk(on path: String? = nil, after count: Int? = nil, first requests: Int? = nil)
    -> CassetteFault
  {
    cut(.badChunk, "badChunk", on: path, after: count, first: requests)
  }

  /// Sends bytes that are no HTTP in the place of an answer: `URLError.cannotParseResponse`.
  public static func garbage(on path: String? = nil, first count: Int? = nil) -> CassetteFault {
    CassetteFault(.failure(.garbage), "garbage", [], on: path, first: count)
  }

  /// Answers with another status, 200 to 599, in place of the recording: `.status(429, first: 2)`.
  ///
  /// Header fields are names and values in order, the content is text. No recording is used up by it: the one that
  /// would have answered waits for the next request.
  public static func status(
    _ status: Int, headers: KeyValuePairs<String, String> = [:], body: String = "", on path: String? = nil,
    first count: Int? = nil
  ) -> CassetteFault {
    precondition((200...599).contains(status), ".status(\(status)): the status of an answer is 200 to 599")
    return .status(status, fields: HTTPHeaders(headers.map { ($0.key, $0.value) }), body: body, on: path, first: count)
  }

  /// Bodies come slowly.
  public static func throttle(bytesPerSecond rate: Int, on path: String? = nil, first count: Int? = nil)
    -> CassetteFault
  {
    let rate = max(1, rate)
    return CassetteFault(.rate(rate), "throttle", ["bytesPerSecond: \(rate)"], on: path, first: count)
  }
}

extension CassetteFault {
  private static func cut(_ end: CutEnd, _ name: String, on path: String?, after count: Int?, first: Int?)
    -> CassetteFault
  {
    let count = count.map { max(0, $0) }
    return CassetteFault(.cut(after: count, end), name, [count.map { "after: \($0)" }], on: path, first: first)
  }

  /// Another status in place of the answer, its fields as they are.
  package static func status(
    _ status: Int, fields: HTTPHeaders, body: String, on path: String?, first count: Int?
  ) -> CassetteFault {
    let response = HTTPResponse(status: HTTPStatus(status), headers: fields, body: Array(body.utf8))
    return CassetteFault(.response(response), "status", ["\(status)"], on: path, first: count)
  }
}
