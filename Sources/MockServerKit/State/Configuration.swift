public import CassetteHTTP
package import CassettePlayback
public import Cassettes
package import MockServerControl
public import MockServerEvents
package import MockServerTLS
package import MockServerUpstream

/// What a server serves, where it listens and what it allows.
public struct Configuration: Sendable {
  /// What is written for each request.
  public typealias Log = LogLevel
  /// How lines of the log are written.
  public typealias LogFormat = MockServerEvents.LogFormat

  /// Who may call `/__mock/`.
  public enum Admin: Sendable, Equatable {
    /// Anybody on this machine; for servers on a loopback address.
    case open
    /// Whoever sends `Authorization: Bearer` with this token.
    case token(String)
    /// Nobody: the paths belong to the recordings.
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
  /// Whether recorded links are given as they are instead of leading to this server.
  public var keepsLinks = false
  /// How many times as fast as recorded the gaps in streams play; 0 leaves them out.
  public var speed = 1.0
  /// The status of the answer to a request that no recording answers.
  public var missStatus: HTTPStatus = 404
  /// How requests are compared with recordings; what a file says of its own level wins.
  public var matching = Matching()
  /// Real values that go out in the place of `{{secret:N}}`, by the number; stand-ins go out for all others.
  ///
  /// They hold for all cassettes, and are in no log, journal or explanation.
  public var secrets: [Int: String] = [:]
  /// What is written for each request.
  public var log = Log.misses
  /// How lines of the log are written.
  public var logFormat = LogFormat.text
  /// Writes lines of the log, several at a time, each with its line feed; nil writes none.
  ///
  /// It is called on a thread of its own, some 20 ms after what the lines tell of, and may take its time: no answer waits
  /// for it. ``MockServer/events`` tells the same as values.
  public var logOutput: (@Sendable ([UInt8]) -> Void)?
  /// How many event loops run; nil runs one per processor.
  public var loops: Int?
  /// Whether changed files are served without a restart.
  public var watches = true
  /// Who may call `/__mock/`.
  public var admin = Admin.open
  /// Whether the journal shows secrets as they were sent; only to this machine.
  public var showsSecrets = false
  /// How much of a request's body the journal keeps, in bytes.
  public var journalBodyBytes = 64 << 10
  /// Chance, the clock, and time that passes in answers.
  public var playback = PlaybackSettings()
  /// Which pages of other origins may read answers: those served from this machine, unless told otherwise.
  public var cors = CORSPolicy()
  /// What goes wrong, or takes its time, on the way from the recordings to clients.
  public var faults: [Fault] = []
  /// What a request may measure.
  public var limits = ParserLimits()
  /// How many connections are served at a time; more of them wait.
  public var connections = 10_000
  /// After how many seconds without a request a connection is closed.
  public var idleSeconds = 75.0
  /// How many seconds a head may take to arrive.
  public var headSeconds = 10.0
  /// Whether the level of `matching` wins over a file's: a test's word does, a command's does not.
  package var insistsOnMatching = false
  /// Cassettes made in code, which come before those of files.
  package var made: [Cassette] = []
  /// Makes the answer where a recording of ``made`` was chosen, nil for as it is recorded.
  ///
  /// It is called on a loop and must not block.
  package var answering:
    (@Sendable (HTTPRequest, Playback) throws(CassetteError) -> (PlannedResponse?, seconds: Double)?)?
  /// Whom to ask and what to record, in place of playing or where no recording answers.
  package var recording: RecordingSettings?
  /// How to be a forward proxy; nil for a server that is asked itself.
  package var proxy: ProxySettings?
  /// Who to be for clients that speak TLS; nil for plain HTTP.
  package var security: ServingSecurity?
  /// Called before the deck is asked, on the thread that asks it: a test holds a request back with it.
  package var willMatch: (@Sendable (HTTPRequest) -> Void)?
  /// What the journal can be written as, beside JSON and cassettes.
  package var exports: [String: ControlExport] = [:]
  /// Runs the portable event loop also where there is a faster one.
  package var usesDispatch = false

  /// A configuration with safe defaults.
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
