package import CassetteHTTP
package import CassettePlayback
package import CassetteRecording
package import Cassettes
package import MockServerSockets
package import MockServerUpstream

/// The server that the control API tells of and steers: all that it may ask it.
package protocol ControlledServer: Sendable {
  /// The clients that may use the API.
  var access: ControlAccess { get }
  /// The address at which the server listens.
  var address: SocketAddress { get }
  /// `https` where clients speak TLS.
  var scheme: String { get }
  /// Scheme and authority.
  var url: String { get }
  /// Decides what answers.
  var deck: Deck { get }
  /// The last requests, by event loop.
  var journals: [RequestJournal] { get }
  /// Nanoseconds since 1970.
  var startedAt: Int { get }
  /// The number of times files were loaded, and the result of the last one.
  var loads: ControlLoads { get }
  /// The number of requests that were misses, and the last of them.
  var misses: (total: Int, last: [Miss]) { get }
  /// The number of answers that were approximations, and the last of them.
  var approximations: (total: Int, last: [Approximation]) { get }
  /// Knows the secrets of what is recorded; nil where nothing is.
  var redaction: StreamedRedaction? { get }
  /// True if the journal shows secrets.
  var showsSecrets: Bool { get }
  /// The folder of cassettes; nil when only single files are served.
  var folder: String? { get }
  /// The recorder; nil if nothing is recorded.
  var recorder: Recorder? { get }
  /// The origins that a call may send requests to.
  var upstreams: UpstreamAccess { get }
  /// True to write to no file.
  var isReadOnly: Bool { get }
  /// True if edits of files are served.
  var isWatching: Bool { get }
  /// The gates that hold answers.
  var gates: AnswerGates { get }
  /// The state between calls.
  var memory: ControlMemory { get }
  /// Writes exchanges in formats of other tools, by their names.
  var exports: [String: ControlExport] { get }

  /// A text without the secrets that the server was given.
  func hiding(_ body: [UInt8]) -> [UInt8]
  /// Begins everything anew, or one session.
  func reset(session: String?)
  /// Runs what may take long beside the event loops.
  func run(_ job: @escaping @Sendable () -> Void)
  /// Finds in what an exchange breaks the contract that it is held to, in words.
  func breaches(of request: HTTPRequest, answeredBy recording: Interaction?) -> [String]
  /// The table of a number, as long as something in a journal may be of it.
  func table(_ number: Int) -> RecordingTable?
}

/// The clients that may use the control API.
package enum ControlAccess: Sendable, Equatable {
  /// Anybody on this machine.
  case open
  /// Clients that send `Authorization: Bearer` with this token.
  case token(String)
}

/// Writes exchanges in a format of another tool.
package struct ControlExport: Sendable {
  package let mediaType: String
  package let write: @Sendable (Cassette) throws(CassetteError) -> [UInt8]

  /// An export of a media type.
  package init(mediaType: String, write: @escaping @Sendable (Cassette) throws(CassetteError) -> [UInt8]) {
    (self.mediaType, self.write) = (mediaType, write)
  }
}

/// The number of times a server has loaded its files, with the result of the last one.
package struct ControlLoads: Sendable, Equatable {
  /// 1 at the start, and one more with every edit that is served.
  package var generation = 1
  /// The files that the last edit changed.
  package var files: [String] = []
  /// The reason why an edit since then is not served; nil when there is none.
  package var problem: String?
  /// The number of edits that could not be read.
  package var failures = 0

  /// Loads of a server that has just started.
  package init() {}
}
