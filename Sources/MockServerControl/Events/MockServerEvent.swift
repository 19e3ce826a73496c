public import CassetteHTTP
public import CassettePlayback
internal import CassetteSecrets
public import Cassettes

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An event on a server: a request, a response or a problem.
public struct MockServerEvent: Sendable, CustomStringConvertible {
  /// The kind of event.
  ///
  /// Later versions may add cases.
  public enum Kind: Sendable {
    /// A request was received with its complete body.
    case request(HTTPRequest)
    /// A response was sent, or the request had no match.
    case answer(Answer)
    /// No recording matches a request.
    case miss(Miss)
    /// A recording was played for a request that differs from it.
    case approximate(Approximation)
    /// A request was rejected with this status, because it is invalid, incomplete or not supported.
    case refused(HTTPStatus)
    /// Changed files were loaded and are served from now on.
    case reload(recordings: Int, fixtures: Int)
    /// A changed file could not be parsed.
    ///
    /// The last valid version is still served.
    case fileBroken(CassetteError)
    /// The response of a recording could not be created.
    case answerBroken(CassetteError)
    /// An exchange violates a specification.
    case contract
    /// A TLS handshake failed, or the proxy does not support a client's request.
    case handshakeRefused
    /// The recorder skipped an exchange, or could not reach an origin.
    case recording
    /// A number of events was dropped because they were not read fast enough.
    case lost(Int)
  }

  /// The time of the event.
  public var time: Date { Date(timeIntervalSince1970: Double(nanoseconds) / 1e9) }
  /// The kind of event, with its facts.
  public let kind: Kind
  /// A description of the event in one or more lines, with secrets masked.
  public var description: String {
    switch kind {
    case .request(let request): "\(request.method) \(SecretNames.masked(url: request.pathAndQuery))"
    case .answer(let answer): answer.description
    default: words
    }
  }

  /// The time in nanoseconds since 1970.
  let nanoseconds: Int
  private let words: String

  package init(_ kind: Kind, at nanoseconds: Int, _ words: String = "") {
    self.nanoseconds = nanoseconds
    self.kind = kind
    self.words = words
  }

  /// Creates an event that reports dropped events.
  package init(lost count: Int, before event: MockServerEvent) {
    nanoseconds = event.nanoseconds
    kind = .lost(count)
    words = "\(count) events were dropped because they were not read fast enough"
  }

  /// A request and its response.
  public struct Answer: Sendable, CustomStringConvertible {
    /// The source of a response.
    public enum Outcome: String, Sendable {
      /// A recording or a fixture.
      case played
      /// A response that recordings imply, such as the allowed methods of a resource or a preflight response.
      case derived
      /// A fault that replaces the response.
      case fault
      /// No recording matches the request.
      case miss
      /// A specification: an example, or a value generated from a schema.
      case specified = "spec"
      /// The live server; the exchange was recorded.
      case recorded
      /// The live server; the exchange was not recorded.
      case notRecorded = "not recorded"
      /// The live server, which could not be reached or sent no response.
      case unreachable
      /// A recording whose response could not be created.
      case broken
    }

    /// The number of the request, counted from 1.
    public let number: UInt64
    /// The method of the request.
    public let method: HTTPMethod
    /// The target of the request with secrets masked; at a proxy, including the origin.
    public let target: String
    /// The session named in the `X-Mock-Session` field; empty if the request has no such field.
    public let session: String
    /// The status of the response; nil if the connection was closed without a response.
    public let status: HTTPStatus?
    /// The number of bytes of content that were sent.
    public let sentBytes: Int
    /// The time from the complete request to the response, including delays of recordings and faults.
    public let duration: Duration
    /// The source of the response.
    public let outcome: Outcome
    /// The `id` of the recording that answered.
    public let recording: String?
    /// The name of the recording's cassette; `fixtures` for a fixture.
    public let cassette: String?
    /// The parts in which the request differs from the recording, such as `body $.id`; nil for none.
    public let approximation: String?
    /// The effect of a fault, the recorded failure, or the reason why the live server was not reached.
    public let detail: String?

    /// The number, method, target, status and source of the response in one line.
    public var description: String {
      Printable.escaped("\(number) \(method) \(target) \(status.map { "\($0.code)" } ?? "no answer") \(words)")
    }

    /// The recording that answered, as `cassette/id`.
    var recordingName: String? { recording.map { id in cassette.map { "\($0)/\(id)" } ?? id } }

    private var words: String {
      let approximate = approximation.map { " (approximate: \($0))" } ?? ""
      return switch outcome {
      case .played: [recordingName.map { $0 + approximate }, detail].compactMap(\.self).joined(separator: " ")
      case .fault: (detail ?? outcome.rawValue) + approximate
      case .specified: "spec \(detail ?? "")"
      case .unreachable: "upstream: \(detail ?? outcome.rawValue)"
      default: outcome.rawValue
      }
    }
  }
}
