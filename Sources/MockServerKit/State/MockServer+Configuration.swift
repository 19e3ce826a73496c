public import CassetteHTTP
package import CassettePlayback
public import CassetteSpecification
public import Cassettes
package import MockServerControl
public import MockServerEvents
package import MockServerSockets
package import MockServerTLS
package import MockServerUpstream
public import MockServerWire

extension MockServer {
  /// The settings of a server: what it serves, where it listens and what it allows.
  public struct Configuration: Sendable {
    /// The level of the log.
    public typealias Log = MockServerLogLevel
    /// The format of the log's lines.
    public typealias LogFormat = MockServerEvents.MockServerLogFormat
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
    /// True to give recorded links as they are instead of leading to this server.
    public var keepsLinks = false
    /// OpenAPI documents that answer what no recording does; the first that has a path answers it.
    public var specifications: [String] = []
    /// The way recordings and their requests are held to the specifications; nil holds only what a specification answers.
    public var contract: MockServerContractMode?
    /// The speed of the gaps in streams, as a multiple of the recorded one; 0 leaves them out.
    public var speed = 1.0
    /// The status of the answer to a request that no recording answers.
    public var missStatus: HTTPStatus = 404
    /// The rules for comparing requests with recordings; a file's own level wins.
    public var matching = CassetteMatchingOptions()
    /// Real values that are sent in the place of `{{secret:N}}`, by the number; stand-ins are sent for all others.
    ///
    /// They hold for all cassettes, and are in no log, journal or explanation.
    public var secrets: [Int: String] = [:]
    /// The level of the log: the requests for which a line is written.
    public var log = Log.misses
    /// The format of the log's lines.
    public var logFormat = MockServerLogFormat.text
    /// A closure that writes lines of the log, several at a time, each with its line feed; nil writes none.
    ///
    /// It is called on a thread of its own, some 20 ms after what the lines tell of, and may take its time: no answer waits
    /// for it. ``MockServer/events`` tells the same as values.
    public var logOutput: (@Sendable ([UInt8]) -> Void)?
    /// The columns of the terminal that a table of the log is written to; nil for a file or a pipe.
    package var logColumns: @Sendable () -> Int? = { nil }
    /// True to write a table of the log in colours.
    package var logColours = false
    /// The number of event loops; nil for one per processor.
    public var loops: Int?
    /// True to serve changed files without a restart.
    public var watches = true
    /// True to keep `/__mock/` from writing to any file.
    public var isReadOnly = false
    /// The clients that may call `/__mock/`.
    public var admin = Admin.open
    /// True if the journal shows secrets as they were sent; only to this machine.
    public var showsSecrets = false
    /// The number of bytes of a request's body that the journal keeps.
    public var journalBodyBytes = 64 << 10
    /// The settings of playback: chance, the clock, and time that passes in answers.
    public var playback = PlaybackSettings()
    /// The rule for pages of other origins that may read answers: those served from this machine, unless told otherwise.
    public var cors = CORSPolicy()
    /// The faults and delays between the recordings and clients.
    public var faults: [CassetteFault] = []
    /// The limits on a request.
    public var limits = ParserLimits()
    /// The number of connections that are served at a time; more of them wait.
    public var connections = 10_000
    /// The time without a request after which a connection is closed.
    public var idleTimeout = Duration.seconds(75)
    /// The time that a request's head may take to arrive.
    public var headTimeout = Duration.seconds(10)
    /// True if the level of `matching` wins over a file's: a test's word does, a command's does not.
    package var insistsOnMatching = false
    /// Cassettes made in code, which come before those of files.
    package var made: [Cassette] = []
    /// Makes the answer where a recording of ``made`` was chosen, nil for as it is recorded.
    ///
    /// It is called on an event loop, or on another thread for a long answer, and must not block.
    package var answering:
      (@Sendable (HTTPRequest, Playback) throws(CassetteError) -> (PlayedResponse?, seconds: Double)?)?
    /// The gates that hold answers, for tests.
    package var gates = AnswerGates()
    /// The settings for asking upstream and recording, in place of playing or where no recording answers.
    package var recording: RecordingSettings?
    /// Origins that `accept` may send requests to in addition to those of the cassettes; credentials are allowed.
    package var origins: [UpstreamOrigin] = []
    /// Resolves the host names of origins for `accept`; nil uses the system's resolver.
    package var lookUp: Resolver.LookUp?
    /// The settings of a forward proxy; nil for a server that is asked itself.
    package var proxy: ProxySettings?
    /// The identity for clients that speak TLS; nil for plain HTTP.
    package var security: ServingSecurity?
    /// A closure that is called before the deck is asked, on the thread that asks it: a test holds a request back.
    package var willMatch: (@Sendable (HTTPRequest) -> Void)?
    /// The formats of the journal, by name, beside JSON and cassettes.
    package var exports: [String: ControlExport] = [:]
    /// Runs the portable event loop also where there is a faster one.
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
