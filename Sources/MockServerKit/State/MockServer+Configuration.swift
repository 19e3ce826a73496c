public import CassetteHTTP
public import CassetteOpenAPI
package import CassettePlayback
public import Cassettes
public import MockServerControl
package import MockServerSockets
package import MockServerUpstream
public import MockServerWire

extension MockServer {
  /// The settings of a server: what it serves, where it listens and what it allows.
  public struct Configuration: Sendable {
    /// The level of the log.
    public typealias Log = MockServerLogLevel
    /// The format of the log's lines.
    public typealias LogFormat = MockServerControl.MockServerLogFormat
    /// The answers that web pages from other origins may read.
    public typealias CORSPolicy = MockServerWire.CORSPolicy
    /// The origin of a web page, such as `https://app.example.com`.
    public typealias WebOrigin = MockServerWire.WebOrigin

    /// The clients that may call `/__mock/`.
    public enum Admin: Sendable, Equatable {
      /// All clients on this machine; for servers on a loopback address.
      case open
      /// Clients that send `Authorization: Bearer` with this token.
      case token(String)
      /// No client: the paths belong to the recordings.
      case off
    }

    /// Folders of cassettes, or single cassettes.
    public var cassettes: [String]
    /// The folder of fixtures; nil takes `fixtures/` in each folder of cassettes.
    public var fixtures: String?
    /// The address to listen on; only this machine reaches the default.
    public var host: String
    /// The port to listen on; 0 lets the system choose.
    public var port: Int
    /// The port of the inspector, which pages at `port` cannot use; 0 lets the system choose.
    public var inspectorPort = 0
    /// True to keep recorded links unchanged instead of rewriting them to this server.
    public var keepsLinks = false
    /// OpenAPI documents that answer requests without a recording; the first document with the path answers.
    public var specifications: [String] = []
    /// How recordings and their requests are checked against the specifications; nil checks only generated answers.
    public var contract: MockServerContractMode?
    /// The factor by which recorded gaps in streams are shortened; 0 removes them.
    public var speed = 1.0
    /// The status of the answer to a request that no recording answers.
    public var missStatus: HTTPStatus = 404
    /// The rules for comparing requests with recordings; a file's own level overrides them.
    public var matching = CassetteMatchingOptions()
    /// The secrets that replace `{{secret:N}}` in answers, by number; stand-ins are sent for all others.
    ///
    /// They apply to all cassettes, and are masked in logs, journals and explanations.
    public var secrets: [Int: String] = [:]
    /// The level of the log: the requests for which a line is written.
    public var log = Log.misses
    /// The format of the log's lines.
    public var logFormat = MockServerLogFormat.text
    /// A closure that writes lines of the log, several at a time, each with its line feed; nil disables the log.
    ///
    /// It is called on its own thread, about 20 ms after the logged events, and may block without delaying any answer.
    /// ``MockServer/events`` provides the same events as values.
    public var logOutput: (@Sendable ([UInt8]) -> Void)?
    /// Returns the width in columns of the terminal that shows the log table; nil for a file or a pipe.
    package var logColumns: @Sendable () -> Int? = { nil }
    /// True to use colors in the log table.
    package var logColors = false
    /// The number of event loops; nil for one per processor.
    public var loops: Int?
    /// True to reload changed files without a restart.
    public var watches = true
    /// True to prevent `/__mock/` from writing files.
    public var isReadOnly = false
    /// The clients that may call `/__mock/`.
    public var admin = Admin.open
    /// True if the journal shows secrets unmasked; only to clients on this machine.
    public var showsSecrets = false
    /// The maximum number of bytes of a request body that the journal stores.
    public var journalBodyBytes = 64 << 10
    /// The settings of playback: the random seed, the clock, and the latency of answers.
    public var playback = PlaybackSettings()
    /// The policy for pages of other origins that may read answers; the default permits pages served from this machine.
    public var cors = CORSPolicy()
    /// The faults and delays between the recordings and clients.
    public var faults: [CassetteFault] = []
    /// The limits on a request.
    public var limits = ParserLimits()
    /// The maximum number of elements (values, fields or lines) of a request's body that are compared one by one.
    ///
    /// A body with more matches only a recorded body with the same bytes.
    public var maxElements = 1_000_000
    /// The maximum number of connections that are served at the same time; further ones wait.
    public var connections = 10_000
    /// The time without a request after which a connection is closed.
    public var idleTimeout = Duration.seconds(75)
    /// The time within which a request's head must arrive.
    public var headTimeout = Duration.seconds(10)
    /// True if the level of `matching` overrides a file's level: true for tests, false for commands.
    package var insistsOnMatching = false
    /// The cassettes written in code, which take precedence over files.
    package var made: [Cassette] = []
    /// Returns the answer of code for a recording of ``made``, or nil to play the recording.
    ///
    /// It is called on an event loop, or on another thread for a long answer, and must not block.
    package var answering:
      (@Sendable (HTTPRequest, Playback) throws(CassetteError) -> (PlayedResponse?, seconds: Double)?)?
    /// The gates that hold answers, for tests.
    package var gates = AnswerGates()
    /// The settings for recording from upstream, instead of playback or for requests that no recording answers.
    package var recording: RecordingSettings?
    /// Origins that `accept` may send requests to in addition to those of the cassettes; credentials are allowed.
    package var origins: [UpstreamOrigin] = []
    /// Resolves the host names of origins for `accept`; nil uses the system's resolver.
    var lookUp: Resolver.LookUp?
    /// The settings of a forward proxy; nil for a server that is addressed directly.
    package var proxy: ProxySettings?
    /// The identity for clients that speak TLS; nil for plain HTTP.
    package var security: ServingSecurity?
    /// A closure that is called before the deck plans an answer, on the same thread, so that a test can delay a
    /// request.
    var willMatch: (@Sendable (HTTPRequest) -> Void)?
    /// The additional formats of the journal besides JSON and cassettes, by name.
    package var exports: [String: ControlExport] = [:]
    /// True to use the portable event loop even if a faster one is available.
    package var usesDispatch = false

    /// Creates a configuration with safe defaults.
    ///
    /// - Parameters:
    ///   - cassettes: Folders of cassettes, or single cassettes.
    ///   - host: The address to listen on.
    ///   - port: The port to listen on; 0 lets the system choose.
    public init(cassettes: [String] = [], host: String = "127.0.0.1", port: Int = 8080) {
      self.cassettes = cassettes
      self.host = host
      self.port = port
    }
  }
}

/// The settings of a forward proxy, whose clients name the origin of each request (RFC 9112 §3.2.2).
package struct ProxySettings: Sendable {
  /// The authority that issues certificates, so that https requests can be recorded and played; nil disables https.
  package var authority: LocalAuthority?
  /// The certificate file of the authority, which clients have to trust.
  package var trusted: String?
  /// The reason for the missing authority, for clients that request a tunnel.
  package var lack = "this proxy has no certificates"
  /// The permitted origins; empty for all.
  package var origins: [UpstreamOrigin] = []

  package init() {}

  /// Returns true if requests to an origin are permitted.
  func allows(_ origin: UpstreamOrigin) -> Bool { origins.isEmpty || origins.contains(origin) }
}

extension ParserLimits {
  /// The minimum limits during recording, because the limits of the origin are unknown.
  static let recording = ParserLimits(requestLine: 64 << 10, head: 256 << 10, fields: 1_000)

  /// Returns limits that also admit the recorded requests, in any spelling and with additional fields.
  func admitting(_ measures: RequestMeasures) -> ParserLimits {
    var limits = self
    // Each byte of a target may be percent-encoded; the rest is for method and version.
    limits.requestLine = max(requestLine, 3 * measures.target + 64)
    // Clients may send as many unrecorded fields as the default limits permit.
    if 2 * measures.fieldBytes > head { limits.head = max(head, measures.fieldBytes + ParserLimits().head) }
    if limits.requestLine > requestLine { limits.head = max(limits.head, limits.requestLine + ParserLimits().head) }
    if 2 * measures.fields > fields { limits.fields = max(fields, measures.fields + ParserLimits().fields) }
    // JSON may contain other whitespace, and a form other escapes.
    limits.body = max(body, 4 * measures.body)
    return limits
  }

  /// Returns limits that are at least as wide as others.
  func widened(to other: ParserLimits) -> ParserLimits {
    ParserLimits(
      requestLine: max(requestLine, other.requestLine), head: max(head, other.head), fields: max(fields, other.fields),
      body: max(body, other.body))
  }
}
