package import Cassettes
public import Foundation
import HTTP

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// An exchange made in code, where a file is too much.
///
/// It joins the recordings of the cassettes, under the same rules: several answers play one after the other, and the
/// last one again and again. File and line of the stub are its place in every message.
public struct Stub: Sendable {
  /// Which requests it answers.
  public struct Request: Sendable {
    let method: HTTPMethod
    let url: String

    /// Requests of any method.
    ///
    /// - Parameters:
    ///   - method: The method's name.
    ///   - url: Path and query, or a whole URL.
    /// - Returns: What is asked for.
    public static func method(_ method: String, _ url: String) -> Request {
      Request(method: HTTPMethod(method), url: url)
    }
    /// `GET` of a path and query, or of a whole URL.
    public static func get(_ url: String) -> Request { method("GET", url) }
    /// `HEAD` of a path and query, or of a whole URL.
    public static func head(_ url: String) -> Request { method("HEAD", url) }
    /// `POST` to a path and query, or to a whole URL.
    public static func post(_ url: String) -> Request { method("POST", url) }
    /// `PUT` to a path and query, or to a whole URL.
    public static func put(_ url: String) -> Request { method("PUT", url) }
    /// `PATCH` of a path and query, or of a whole URL.
    public static func patch(_ url: String) -> Request { method("PATCH", url) }
    /// `DELETE` of a path and query, or of a whole URL.
    public static func delete(_ url: String) -> Request { method("DELETE", url) }
  }

  static let cassette = "stubs"

  let request: Request
  let answers: [Answer]
  let place: SourcePlace

  /// A stub.
  ///
  /// - Parameters:
  ///   - request: What it answers.
  ///   - answers: What it says, one after the other; the last one again and again.
  ///   - filePath: The file it is written in.
  ///   - line: The line it is written in.
  ///   - column: The column it is written in.
  public init(
    _ request: Request, _ answers: Answer..., filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(request, answers, place: SourcePlace(file: filePath, line: line, column: column))
  }

  package init(_ request: Request, _ answers: [Answer], place: SourcePlace) {
    self.request = request
    self.answers = answers.isEmpty ? [.status(200)] : answers
    self.place = place
  }

  /// A readable name: `get-users-kean`.
  var id: String {
    let path = request.url.prefix { $0 != "?" }
    let words = path.split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    return "\(request.method.rawValue.lowercased())-\(words.isEmpty ? "root" : words)"
  }

  func interaction(id: String, _ answer: Answer) -> Interaction {
    var interaction = Interaction(id: id, method: request.method, url: request.url, outcome: answer.recorded)
    interaction.place = place
    return interaction
  }
}

extension Stub {
  /// What a stub says.
  public struct Answer: Sendable {
    private enum Content: Sendable {
      case response(RecordedResponse)
      case failure(RecordedFailure)
      case made(@Sendable (URLRequest) -> Answer)
    }

    private var content: Content
    private(set) var seconds = 0.0

    /// A status and nothing else, or with fields and a body.
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

    /// JSON, members in the order they are written.
    ///
    /// - Parameters:
    ///   - value: The JSON, as literals: `["login": "kean", "id": 1]`.
    ///   - status: The status code.
    /// - Returns: An answer with `Content-Type: application/json`.
    public static func json(_ value: StubJSON, status: Int = 200) -> Answer {
      .status(status, headers: ["Content-Type": "application/json"], body: Array(value.text.utf8))
    }

    /// Text.
    ///
    /// - Parameters:
    ///   - text: The content.
    ///   - type: The media type.
    ///   - status: The status code.
    /// - Returns: An answer.
    public static func text(_ text: String, type: String = "text/plain; charset=utf-8", status: Int = 200) -> Answer {
      .status(status, headers: ["Content-Type": type], body: Array(text.utf8))
    }

    /// No answer but an error: `.failing(.timedOut)`.
    ///
    /// - Parameter code: The error the task ends with.
    /// - Returns: An answer that is none.
    public static func failing(_ code: URLError.Code) -> Answer {
      Answer(content: .failure(RecordedFailure(code: code.rawValue)))
    }

    /// An answer made for each request.
    ///
    /// - Parameter make: Takes the request, its body in `httpBody`; called on the session's queue, so that it must not block.
    /// - Returns: An answer.
    public static func answering(_ make: @escaping @Sendable (URLRequest) -> Answer) -> Answer {
      Answer(content: .made(make))
    }

    /// The same answer, later.
    ///
    /// - Parameter duration: How long it takes; beyond the request's `timeoutInterval` the request times out instead.
    /// - Returns: An answer.
    public func delay(_ duration: Duration) -> Answer {
      var answer = self
      let (seconds, fraction) = duration.components
      answer.seconds = Double(seconds) + Double(fraction) / 1e18
      return answer
    }

    /// Whether a closure answers.
    var isMade: Bool { if case .made = content { true } else { false } }

    /// The answer as it is played.
    func performance(isHead: Bool) throws(CassetteError) -> Performance {
      switch recorded {
      case .failure(let failure): .failure(failure)
      case .response(let response):
        .response(try Performance.plain(response, base: nil, origins: Reel(CassetteLibrary()).origins, isHead: isHead))
      }
    }

    /// What the deck shows of it: what a closure says is not known beforehand.
    var recorded: Interaction.Outcome {
      switch content {
      case .response(let response): .response(response)
      case .failure(let failure): .failure(failure)
      case .made: .response(RecordedResponse(status: 200))
      }
    }

    /// The answer itself, closures called; one that answers with a closure is called once more, and no further.
    func settled(for request: URLRequest) -> Answer {
      var answer = self
      for _ in 0..<8 {
        guard case .made(let make) = answer.content else { break }
        let delay = answer.seconds
        answer = make(request)
        answer.seconds += delay
      }
      return answer
    }
  }
}
