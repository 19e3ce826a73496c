import CassetteHTTP
import CassetteMatching
import CassettePlayback
import Cassettes
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension CassetteGate {
  /// Makes held answers fail, and opens the gate for later answers: `await gate.release(failing: .timedOut)`.
  ///
  /// Waits for an answer if none has arrived.
  ///
  /// - Parameter code: The error code for the tasks.
  public func release(failing code: URLError.Code) async { await release(failingWith: code.rawValue) }
}

extension CassetteStub {
  /// The answer of a stub.
  public struct Answer: Sendable {
    private enum Content: Sendable {
      case response(RecordedResponse)
      case failure(RecordedFailure)
      case made(@Sendable (URLRequest) -> Answer)
      /// The answer is invalid, for this reason.
      case broken(String)
    }

    private var content: Content
    private(set) var seconds = 0.0
    /// The gate that holds the answer; nil for an answer that is not held.
    private(set) var gate: CassetteGate?

    /// Answers with a status, and optionally with header fields and a body.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: The names and values of the header fields, in order. None by default.
    ///   - body: The body. Empty by default.
    /// - Returns: The answer.
    public static func status(_ status: Int, headers: KeyValuePairs<String, String> = [:], body: [UInt8] = []) -> Answer
    {
      let fields = HTTPHeaders(headers.map { ($0.key, $0.value) })
      let stored = body.isEmpty ? nil : Body.storing(body)
      return Answer(content: .response(RecordedResponse(status: HTTPStatus(status), headers: fields, body: stored)))
    }

    /// Answers with JSON, with the members in the order of the literal.
    ///
    /// - Parameters:
    ///   - value: The JSON, as literals: `["login": "kean", "id": 1]`.
    ///   - status: The status code. 200 by default.
    /// - Returns: The answer, with `Content-Type: application/json`.
    public static func json(_ value: CassetteStub.JSON, status: Int = 200) -> Answer {
      .status(status, headers: ["Content-Type": "application/json"], body: Array(value.text.utf8))
    }

    /// Answers with a value encoded as JSON, with sorted members by default.
    ///
    /// - Parameters:
    ///   - value: The value to encode.
    ///   - status: The status code. 200 by default.
    ///   - encoder: The encoder. By default, an encoder that sorts members and does not escape slashes.
    /// - Returns: The answer, with `Content-Type: application/json`.
    @_disfavoredOverload
    public static func json(_ value: some Encodable, status: Int = 200, by encoder: JSONEncoder? = nil) -> Answer {
      let usual = JSONEncoder()
      usual.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      do {
        let bytes = Array(try (encoder ?? usual).encode(value))
        return .status(status, headers: ["Content-Type": "application/json"], body: bytes)
      } catch {
        return .broken("\(type(of: value)) cannot be encoded as JSON: \(error)")
      }
    }

    /// Answers with bytes.
    ///
    /// - Parameters:
    ///   - data: The body.
    ///   - type: The media type. `application/octet-stream` by default.
    ///   - status: The status code. 200 by default.
    /// - Returns: The answer.
    public static func data(_ data: Data, type: String = "application/octet-stream", status: Int = 200) -> Answer {
      .status(status, headers: ["Content-Type": type], body: Array(data))
    }

    /// Returns an invalid answer, with a message that contains the error and the remedy.
    package static func broken(_ reason: String) -> Answer { Answer(content: .broken(reason)) }

    /// Answers with text.
    ///
    /// - Parameters:
    ///   - text: The body.
    ///   - type: The media type. `text/plain; charset=utf-8` by default.
    ///   - status: The status code. 200 by default.
    /// - Returns: The answer.
    public static func text(_ text: String, type: String = "text/plain; charset=utf-8", status: Int = 200) -> Answer {
      .status(status, headers: ["Content-Type": type], body: Array(text.utf8))
    }

    /// Fails the request with an error: `.failing(.timedOut)`.
    ///
    /// - Parameter code: The error code for the task.
    /// - Returns: The answer, which makes the request fail.
    public static func failing(_ code: URLError.Code) -> Answer {
      Answer(content: .failure(RecordedFailure(code: code.rawValue)))
    }

    /// Answers with the result of a closure, which is called for each request.
    ///
    /// The closure may contain expectations: an issue in it belongs to the test that sent the request or, if the
    /// request does not reveal its test, to the test of the stub.
    ///
    /// - Parameter make: Returns the answer to a request, whose body is in `httpBody`. Called on the session's queue,
    ///   so it must not block.
    /// - Returns: The answer.
    public static func answering(_ make: @escaping @Sendable (URLRequest) -> Answer) -> Answer {
      Answer(content: .made(make))
    }

    /// Returns the same answer with a delay.
    ///
    /// - Parameter duration: The delay. If it exceeds the request's `timeoutInterval`, the request times out.
    /// - Returns: The answer.
    public func delay(_ duration: Duration) -> Answer {
      var answer = self
      let (seconds, fraction) = duration.components
      answer.seconds = Double(seconds) + Double(fraction) / 1e18
      return answer
    }

    /// Returns the same answer, held until the test opens a gate: `.json(user).held(by: gate)`.
    ///
    /// - Parameter gate: The gate, `let gate = CassetteGate()`. A delay begins after the gate was opened.
    /// - Returns: The answer.
    public func held(by gate: CassetteGate) -> Answer {
      var answer = self
      answer.gate = gate
      return answer
    }

    /// Returns the same answer with another header field, also if the answer is the result of a closure.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - value: The value of the field.
    /// - Returns: The answer.
    public func header(_ name: String, _ value: String) -> Answer {
      var answer = self
      switch content {
      case .response(var response):
        response.headers.append(name, value)
        answer.content = .response(response)
      case .made(let make): answer.content = .made { make($0).header(name, value) }
      case .failure, .broken: break
      }
      return answer
    }

    /// True if a closure creates the answer.
    var isMade: Bool { if case .made = content { true } else { false } }

    /// The reason why the answer is invalid; nil for a valid answer.
    var problem: String? { if case .broken(let reason) = content { reason } else { nil } }

    /// Returns the answer in the form that is played.
    func response(isHead: Bool) throws(CassetteError) -> PlayedResponse {
      switch recorded {
      case .failure(let failure): PlayedResponse(failure)
      case .response(let response):
        try PlayedResponse(
          response, base: nil, origins: RecordingTable(CassetteLibrary()).origins, isHead: isHead, StandIns())
      }
    }

    /// The outcome for the deck; the result of a closure is not known in advance.
    var recorded: Interaction.Outcome {
      switch content {
      case .response(let response): .response(response)
      case .failure(let failure): .failure(failure)
      case .made, .broken: .response(RecordedResponse(status: 200))
      }
    }

    /// Returns the answer after calling closures.
    ///
    /// If a closure returns an answer with a closure, that is called, too, up to a limit.
    ///
    /// - `context`: The context in which closures are called; nil for the caller's context.
    func resolved(for request: URLRequest, in context: TaskContext?) -> Answer {
      var answer = self
      for _ in 0..<8 {
        guard case .made(let make) = answer.content else { break }
        let (delay, gate) = (answer.seconds, answer.gate)
        answer = context?.run { make(request) } ?? make(request)
        answer.seconds += delay
        answer.gate = answer.gate ?? gate
      }
      return answer
    }
  }
}
