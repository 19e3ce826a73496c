package import CassetteHTTP

/// A fault or delay that a player applies to answers.
///
/// Faults do not change cassettes and stubs. They apply in the order in which they are given: latencies add up, and of
/// several faults that replace an answer, the first one that applies is used.
/// `on` selects requests by path: `/user`, `/users/{name}/repos` or `/files/*`, where a name in braces matches one
/// segment and an asterisk matches anything; a method may precede the path, as in `POST /user`. The query is ignored
/// unless the pattern has one. `first` limits the fault to the first matching requests, counted over all requests that
/// one player answers. Without `on` and `first`, the fault applies to every request. `after` is the number of bytes of
/// the body before the fault, by default half of the body; a body that is not longer is sent completely.
///
/// Negative durations and counts become zero; rates below one byte per second become one.
public struct CassetteFault: Sendable, CustomStringConvertible {
  /// A latency that is read from the recording.
  public enum RecordedLatency: Sendable {
    /// The recorded duration; no delay if the duration is unknown.
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

  /// The way the connection ends after a body was cut.
  package enum CutEnd: Sendable {
    case reset, close, silence, badChunk
  }

  package let effect: Effect
  package let pattern: FaultPattern?
  /// The conditions under which the fault applies to the selected requests.
  package internal(set) var terms = FaultTerms()
  /// The fault in Swift syntax.
  public internal(set) var description: String

  init(_ effect: Effect, _ name: String, _ arguments: [String?], on path: String?, first: Int?) {
    self.effect = effect
    pattern = path.map { FaultPattern($0) }
    terms.first = first.map { max(0, $0) }
    let limits = [path.map { "on: \"\($0)\"" }, first.map { "first: \($0)" }]
    let said = (arguments + limits).compactMap(\.self)
    description = Printable.escaped(said.isEmpty ? ".\(name)" : ".\(name)(\(said.joined(separator: ", ")))")
  }

  /// Applies the fault only to every n-th request: with 3, to the third, the sixth, and so on.
  public func every(_ count: Int) -> CassetteFault {
    var fault = self
    fault.terms.every = max(1, count)
    fault.description += ".every(\(max(1, count)))"
    return fault
  }

  /// Applies the fault with a probability from 0 to 1.
  ///
  /// With a seed, the fault affects the same requests in every run.
  public func probability(_ probability: Double) -> CassetteFault {
    var fault = self
    fault.terms.probability = min(max(0, probability), 1)
    fault.description += ".probability(\(min(max(0, probability), 1)))"
    return fault
  }

  /// Delays answers as long as they took when they were recorded: the head, and then the body.
  public static func latency(_ latency: RecordedLatency, on path: String? = nil, first count: Int? = nil)
    -> CassetteFault
  {
    CassetteFault(.recordedLatency, "latency", [".recorded"], on: path, first: count)
  }

  /// Delays answers; a client with a shorter timeout times out.
  public static func latency(_ duration: Duration, on path: String? = nil, first count: Int? = nil) -> CassetteFault {
    let (seconds, fraction) = duration.components
    let time = max(0, Double(seconds) + Double(fraction) / 1e18)
    return CassetteFault(.latency(time), "latency", [".seconds(\(time))"], on: path, first: count)
  }

  /// Makes requests time out: `URLError.timedOut` immediately inside the process, no answer from a server.
  ///
  /// Uses up no recording.
  public static func timeout(on path: String? = nil, first count: Int? = nil) -> CassetteFault {
    CassetteFault(.timeout, on: path, first: count)
  }

  /// Makes every request time out.
  public static var timeout: CassetteFault { timeout() }

  /// Resets the connection before an answer is sent: `URLError.networkConnectionLost`.
  ///
  /// Uses up no recording.
  public static func reset(on path: String? = nil, first count: Int? = nil) -> CassetteFault {
    CassetteFault(.reset, on: path, first: count)
  }

  /// Resets every connection before an answer is sent.
  public static var reset: CassetteFault { reset() }

  /// Truncates bodies: the head declares the full length, and the connection ends before the body is complete.
  public static func truncate(
    on path: String? = nil, after count: Int? = nil, first requests: Int? = nil
  ) -> CassetteFault { CassetteFault(.truncate, on: path, after: count, first: requests) }

  /// Truncates every body after half of its bytes.
  public static var truncate: CassetteFault { truncate() }

  /// Stops sending in the middle of the body and keeps the connection open.
  public static func stall(on path: String? = nil, after count: Int? = nil, first requests: Int? = nil) -> CassetteFault
  {
    CassetteFault(.stall, on: path, after: count, first: requests)
  }

  /// Sends a chunk without a size after the middle of the body.
  public static func badChunk(on path: String? = nil, after count: Int? = nil, first requests: Int? = nil)
    -> CassetteFault
  {
    CassetteFault(.badChunk, on: path, after: count, first: requests)
  }

  /// Sends bytes that are not HTTP instead of an answer: `URLError.cannotParseResponse`.
  public static func garbage(on path: String? = nil, first count: Int? = nil) -> CassetteFault {
    CassetteFault(.garbage, on: path, first: count)
  }

  /// Closes the connection without sending an answer: `URLError.badServerResponse`.
  public static func empty(on path: String? = nil, first count: Int? = nil) -> CassetteFault {
    CassetteFault(.empty, on: path, first: count)
  }

  /// Starts an answer whose content cannot be parsed: `URLError.cannotParseResponse`.
  public static func malformed(on path: String? = nil, first count: Int? = nil) -> CassetteFault {
    CassetteFault(.malformed, on: path, first: count)
  }

  /// Never sends an answer: `timeout` in a cassette.
  public static func never(on path: String? = nil, first count: Int? = nil) -> CassetteFault {
    CassetteFault(.never, on: path, first: count)
  }

  /// Answers with another status, 200 to 599, instead of the recording: `.status(429, first: 2)`.
  ///
  /// The header fields are names and values in order; the body is text. Uses up no recording: the recording that would
  /// have answered answers the next request.
  public static func status(
    _ status: Int, headers: KeyValuePairs<String, String> = [:], body: String = "", on path: String? = nil,
    first count: Int? = nil
  ) -> CassetteFault {
    precondition((200...599).contains(status), ".status(\(status)): the status must be from 200 to 599")
    return .status(status, fields: HTTPHeaders(headers.map { ($0.key, $0.value) }), body: body, on: path, first: count)
  }

  /// Limits the speed of bodies.
  public static func throttle(bytesPerSecond rate: Int, on path: String? = nil, first count: Int? = nil)
    -> CassetteFault
  {
    let rate = max(1, rate)
    return CassetteFault(.rate(rate), "throttle", ["bytesPerSecond: \(rate)"], on: path, first: count)
  }
}

extension CassetteFault {
  private init(_ kind: Kind, on path: String?, after: Int? = nil, first: Int?) {
    var terms = FaultTerms()
    (terms.after, terms.first) = (after, first)
    self.init(kind, on: path, terms)
  }

  /// Answers with another status instead of the recording, with the header fields unchanged.
  package static func status(
    _ status: Int, fields: HTTPHeaders, body: String, on path: String?, first count: Int?
  ) -> CassetteFault {
    let response = HTTPResponse(status: HTTPStatus(status), headers: fields, body: Array(body.utf8))
    return CassetteFault(.response(response), "status", ["\(status)"], on: path, first: count)
  }
}
