import CassetteHTTP
import CassetteMatching
import CassettePlayback
import Cassettes
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension CassetteGate {
  /// Lets the answers that are held fail, and opens the gate for later answers: `await gate.release(failing: .timedOut)`.
  ///
  /// It waits for an answer to fail if none has arrived.
  ///
  /// - Parameter code: The error that the tasks end with.
  public func release(failing code: URLError.Code) async { await release(failingWith: code.rawValue) }
}

extension CassetteStub {
  /// The answer of a stub.
  public struct Answer: Sendable {
    private enum Content: Sendable {
      case response(RecordedResponse)
      case failure(RecordedFailure)
      case made(@Sendable (URLRequest) -> Answer)
      /// No answer can be made, for this reason.
      case broken(String)
    }

    private var content: Content
    private(set) var seconds = 0.0
    /// The gate that holds the answer; nil for an answer that is given at once.
    private(set) var gate: CassetteGate?

    /// Answers with a status, and fields and a body if there are any.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: Names and values, in order.
    ///   - body: The content.
    /// - Returns: An answer.
    public static func status(_ status: Int, headers: KeyValuePairs<String, String> = [:], body: [UInt8] = []) -> Answer
    {
      let fields = HTTPHeaders(headers.map { ($0.key, $0.value) })
      let stored = body.isEmpty ? nil : Body.storing(body)
      return Answer(content: .response(RecordedResponse(status: HTTPStatus(status), headers: fields, body: stored)))
    }

    /// Answers with JSON, members in the order they are written.
    ///
    /// - Parameters:
    ///   - value: The JSON, as literals: `["login": "kean", "id": 1]`.
    ///   - status: The status code.
    /// - Returns: An answer with `Content-Type: application/json`.
    public static func json(_ value: CassetteStub.JSON, status: Int = 200) -> Answer {
      .status(status, headers: ["Content-Type": "application/json"], body: Array(value.text.utf8))
    }

    /// Answers with JSON made of a value; members in the order of their names.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - status: The status code.
    ///   - encoder: Encodes the value; nil for one of the usual kind.
    /// - Returns: An answer with `Content-Type: application/json`.
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
    ///   - data: The content.
    ///   - type: The media type.
    ///   - status: The status code.
    /// - Returns: An answer.
    public static func data(_ data: Data, type: String = "application/octet-stream", status: Int = 200) -> Answer {
      .status(status, headers: ["Content-Type": type], body: Array(data))
    }

    /// Returns an answer that cannot be given, with the reason: what is wrong, and what to type.
    package static func broken(_ reason: String) -> Answer { Answer(content: .broken(reason)) }

    /// Answers with text.
    ///
    /// - Parameters:
    ///   - text: The content.
    ///   - type: The media type.
    ///   - status: The status code.
    /// - Returns: An answer.
    public static func text(_ text: String, type: String = "text/plain; charset=utf-8", status: Int = 200) -> Answer {
      .status(status, headers: ["Content-Type": type], body: Array(text.utf8))
    }

    /// Fails with an error instead of answering: `.failing(.timedOut)`.
    ///
    /// - Parameter code: The error the task ends with.
    /// - Returns: An answer that is none.
    public static func failing(_ code: URLError.Code) -> Answer {
      Answer(content: .failure(RecordedFailure(code: code.rawValue)))
    }

    /// Answers with what a closure makes of each request.
    ///
    /// The closure may contain expectations: an issue in it belongs to the test that sent the request or, if the request
    /// does not reveal its test, to the test of the stub.
    ///
    /// - Parameter make: Takes the request, its body in `httpBody`; called on the session's queue, so that it must not block.
    /// - Returns: An answer.
    public static func answering(_ make: @escaping @Sendable (URLRequest) -> Answer) -> Answer {
      Answer(content: .made(make))
    }

    /// Returns the same answer, given later.
    ///
    /// - Parameter duration: How long it takes; beyond the request's `timeoutInterval` the request times out instead.
    /// - Returns: An answer.
    public func delay(_ duration: Duration) -> Answer {
      var answer = self
      let (seconds, fraction) = duration.components
      answer.seconds = Double(seconds) + Double(fraction) / 1e18
      return answer
    }

    /// Returns the same answer, held until the test opens a gate: `.json(user).held(by: gate)`.
    ///
    /// - Parameter gate: The gate, `let gate = CassetteGate()`; a delay begins when it opens.
    /// - Returns: An answer.
    public func held(by gate: CassetteGate) -> Answer {
      var answer = self
      answer.gate = gate
      return answer
    }

    /// Returns the same answer with one more header field; an answer made by a closure gets it, too.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - value: Its value.
    /// - Returns: An answer.
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

    /// True if a closure answers.
    var isMade: Bool { if case .made = content { true } else { false } }

    /// The reason why it cannot be given; nil for one that can.
    var problem: String? { if case .broken(let reason) = content { reason } else { nil } }

    /// The answer as it is played.
    func response(isHead: Bool) throws(CassetteError) -> PlayedResponse {
      switch recorded {
      case .failure(let failure): PlayedResponse(failure)
      case .response(let response):
        try PlayedResponse(
          response, base: nil, origins: RecordingTable(CassetteLibrary()).origins, isHead: isHead, StandIns())
      }
    }

    /// The outcome that the deck shows: a closure's answer is not known beforehand.
    var recorded: Interaction.Outcome {
      switch content {
      case .response(let response): .response(response)
      case .failure(let failure): .failure(failure)
      case .made, .broken: .response(RecordedResponse(status: 200))
      }
    }

    /// The answer itself, closures called; one that answers with a closure is called once more, and no further.
    ///
    /// - Parameters:
    ///   - request: The request that is answered.
    ///   - context: The context in which closures are called; nil for that of the caller.
    /// - Returns: An answer without a closure.
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
