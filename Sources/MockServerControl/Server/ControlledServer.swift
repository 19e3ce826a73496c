package import CassetteHTTP
package import CassettePlayback
internal import CassetteRecording
package import CassetteSecrets
internal import CassetteSystem
package import Cassettes
package import MockServerSockets
package import MockServerUpstream
internal import MockServerWire

/// The interface of the server that the control API inspects and controls.
package protocol ControlledServer: Sendable {
  /// The clients that may use the API.
  var access: ControlAccess { get }
  /// The listening address of the server.
  var address: SocketAddress { get }
  /// The port of the inspector; nil if no browser can use it.
  var inspectorPort: Int? { get }
  /// The scheme, which is `https` if clients use TLS.
  var scheme: String { get }
  /// The scheme and authority of the server.
  var url: String { get }
  /// The deck that selects the response to each request.
  var deck: Deck { get }
  /// The rings of the event loops, whose journals have the last requests.
  var journals: [EventRing] { get }
  /// The time at which the server started, in nanoseconds since 1970.
  var startedAt: Int { get }
  /// The number of times files were loaded, and the result of the last one.
  var loads: ControlLoads { get }
  /// The number of misses, and the last misses.
  var misses: (total: Int, last: [Miss]) { get }
  /// The number of approximate answers, and the last ones.
  var approximations: (total: Int, last: [Approximation]) { get }
  /// The redaction that knows the secrets of recorded exchanges; nil if the server does not record.
  var redaction: RedactionPass? { get }
  /// True if the journal shows secrets.
  var showsSecrets: Bool { get }
  /// The folder of cassettes; nil if only single files are served.
  var folder: String? { get }
  /// The recorder; nil if the server does not record.
  var recorder: Recorder? { get }
  /// The origins that a call may send requests to.
  var upstreams: UpstreamAccess { get }
  /// True if the server must not write to files.
  var isReadOnly: Bool { get }
  /// True if changed files are loaded while the server runs.
  var isWatching: Bool { get }
  /// The gates that hold answers.
  var gates: AnswerGates { get }
  /// The state of the control API between calls.
  var memory: ControlMemory { get }
  /// The exports to formats of other tools, by format name.
  var exports: [String: ControlExport] { get }

  /// Replaces the server's secrets in a body with their aliases.
  func hiding(_ body: [UInt8]) -> [UInt8]
  /// Resets all sessions, or one session.
  func reset(session: String?)
  /// Runs a long job on a background thread.
  func run(_ job: @escaping @Sendable () -> Void)
  /// Returns descriptions of an exchange's violations of the server's contract.
  func breaches(of request: HTTPRequest, answeredBy recording: Interaction?) -> [String]
  /// Returns the recording table with a number while a journal may refer to it; nil afterwards.
  func table(_ number: Int) -> RecordingTable?
}

/// The clients that may use the control API.
package enum ControlAccess: Sendable, Equatable {
  /// Any client on this machine.
  case open
  /// Clients that send `Authorization: Bearer` with this token.
  case token(String)
}

/// An export to a format of another tool.
package struct ControlExport: Sendable {
  package let mediaType: String
  let write: @Sendable (Cassette) throws(CassetteError) -> [UInt8]

  /// Creates an export.
  package init(mediaType: String, write: @escaping @Sendable (Cassette) throws(CassetteError) -> [UInt8]) {
    (self.mediaType, self.write) = (mediaType, write)
  }
}

/// The number of times a server has loaded its files, and the result of the last load.
package struct ControlLoads: Sendable, Equatable {
  /// The generation: 1 at the start, and one more for every edit that is served.
  package var generation = 1
  /// The files changed by the last edit.
  package var files: [String] = []
  /// The reason why the last edit is not served; nil if it is.
  package var problem: String?
  /// The number of edits that could not be loaded.
  package var failures = 0

  /// Creates the state of a server that has just started.
  package init() {}
}

/// A request in the journal with its parsed head.
struct JournalRecord: Sendable {
  let entry: RequestJournal.Entry
  /// The request as received, with the kept part of its body; nil if the head cannot be parsed.
  let request: HTTPRequest?

  init(_ entry: RequestJournal.Entry) {
    self.entry = entry
    request = Self.parse(entry.head, entry.body)
  }

  /// Parses a kept head without limits, because it was within the limits when it was received.
  private static func parse(_ head: [UInt8], _ body: [UInt8]) -> HTTPRequest? {
    var parser = RequestParser(limits: ParserLimits(requestLine: .max, head: .max, fields: .max, body: .max))
    do throws(ParseError) {
      guard try parser.parse(head.span) else { return nil }
    } catch { return nil }
    return HTTPRequest(head: parser.head, bytes: head.span, body: body)
  }

  /// True if the complete body was kept.
  var isWhole: Bool { entry.body.count == entry.bodyLength }

  /// The session named by the request; empty without a session.
  var session: String { request?.headers["X-Mock-Session"] ?? "" }

  /// The outcome as a single word.
  var outcome: String {
    switch entry.outcome {
    case .played: entry.status > 0 ? "played" : "failed"
    case .stub: entry.status > 0 ? "stub" : "failed"
    case .derived(let how, _): how == "fault" ? "fault" : "played"
    case .specified: "spec"
    case .recorded: entry.status > 0 ? "recorded" : "failed"
    case .miss: "miss"
    case .refused: "refused"
    }
  }

  static let outcomes = ["played", "stub", "fault", "spec", "recorded", "failed", "miss", "refused"]
}

extension RequestJournal.Entry {
  /// The session that it named; empty for none.
  package var session: String { JournalRecord(self).session }
}
