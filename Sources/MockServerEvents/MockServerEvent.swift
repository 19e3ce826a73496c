public import CassetteHTTP
public import CassettePlayback
internal import CassetteSecrets
public import Cassettes

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An event on a server: a request, an answer, or something it noticed.
public struct MockServerEvent: Sendable, CustomStringConvertible {
  /// The kind of event; later versions may add cases.
  public enum Kind: Sendable {
    /// A request was received, its body complete.
    case request(HTTPRequest)
    /// A request was answered, a miss included.
    case answer(Answer)
    /// No recording answers a request.
    case miss(Miss)
    /// A recording answered that differs from the request.
    case approximate(Approximation)
    /// Bytes that are no request were answered with this status.
    case refused(HTTPStatus)
    /// Changed files are served from now on.
    case reload(recordings: Int, fixtures: Int)
    /// A changed file does not read: the last good version is still served.
    case fileBroken(CassetteError)
    /// A recording's answer could not be made.
    case answerBroken(CassetteError)
    /// An exchange breaks the contract of a specification.
    case contract
    /// A client and the server did not agree on TLS, or the proxy does not do what a client asked for.
    case handshakeRefused
    /// The recorder left something out, or could not reach an origin.
    case recording
    /// A number of events is missing here, because the reader was too slow.
    case lost(Int)
  }

  /// The time at which it happened.
  public var time: Date { Date(timeIntervalSince1970: Double(nanoseconds) / 1e9) }
  /// The kind of event, with its facts.
  public let kind: Kind
  /// The event in words: an explanation of one or more lines, secrets masked.
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

  /// Tells that so many events are missing before another.
  package init(lost count: Int, before event: MockServerEvent) {
    nanoseconds = event.nanoseconds
    kind = .lost(count)
    words = "\(count) events are missing here: they came faster than they were read"
  }
}

extension MockServerEvent {
  /// A request and its answer.
  public struct Answer: Sendable, CustomStringConvertible {
    /// The source of an answer.
    public enum Outcome: String, Sendable {
      /// A recording or a fixture.
      case played
      /// An answer that recordings imply: the methods of a resource, a preflight.
      case derived
      /// A fault that takes the answer's place.
      case fault
      /// Nothing was recorded for it.
      case miss
      /// A specification: an example, or a value made from a schema.
      case specified = "spec"
      /// The live server; the exchange is kept.
      case recorded
      /// The live server; the exchange is not kept.
      case notRecorded = "not recorded"
      /// The live server could not be asked, or gave no answer.
      case unreachable
      /// A recording whose answer could not be made.
      case broken
    }

    /// The number of the request; requests are counted from 1.
    public let number: UInt64
    /// The request's method.
    public let method: HTTPMethod
    /// The request's target, at a proxy with its origin; secrets masked.
    public let target: String
    /// The session that the request names in `X-Mock-Session`; empty without one.
    public let session: String
    /// The status of the answer; nil when the connection ended without one.
    public let status: HTTPStatus?
    /// The number of bytes of content that were sent.
    public let sentBytes: Int
    /// The time from the complete request to the answer, with the delay that a recording or a fault asks for.
    public let duration: Duration
    /// The source of the answer.
    public let outcome: Outcome
    /// The `id` of the recording that answered.
    public let recording: String?
    /// The name of its cassette; `fixtures` for a fixture.
    public let cassette: String?
    /// The parts in which the request differs from the recording, as `body $.id`; nil for none.
    public let approximation: String?
    /// The effect of a fault, the failure that was played, or the reason why the live server was not reached.
    public let detail: String?

    /// Number, method, target, status and where the answer comes from, in one line.
    public var description: String {
      Printable.escaped("\(number) \(method) \(target) \(status.map { "\($0.code)" } ?? "no answer") \(words)")
    }

    private var words: String {
      let approximate = approximation.map { " (approximate: \($0))" } ?? ""
      return switch outcome {
      case .played: [recording.map { $0 + approximate }, detail].compactMap(\.self).joined(separator: " ")
      case .fault: (detail ?? outcome.rawValue) + approximate
      case .specified: "spec \(detail ?? "")"
      case .unreachable: "upstream: \(detail ?? outcome.rawValue)"
      default: outcome.rawValue
      }
    }
  }
}
