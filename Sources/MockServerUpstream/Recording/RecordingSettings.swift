internal import CassetteHTTP
internal import CassetteRecording
package import CassetteSecrets
internal import CassetteSystem
package import Cassettes
package import MockServerSockets

/// The settings of a recording server: the upstream, the cassette and the data to record.
package struct RecordingSettings: Sendable {
  /// The upstream; nil for a forward proxy, where each request names its origin.
  package var upstream: UpstreamOrigin?
  /// The path prefix of the upstream, such as `/v2`, which is added to targets that do not start with it.
  ///
  /// Empty by default.
  package var path = ""
  /// The forward proxies for connections to origins.
  package var proxies = OutgoingProxies()
  /// The path of the cassette file, which need not exist.
  package var cassette: String
  /// The mode: `record` for all requests, or `recordMissing` only for requests that match no recording.
  package var mode = CassetteMode.record
  /// The failures that an exchange survives once the client has received the last byte.
  package enum Durability: String, CaseIterable, Sendable {
    /// The end of this process, for any reason.
    ///
    /// A loss of power is survived after a tenth of a second.
    case process
    /// A loss of power.
    ///
    /// Each exchange waits until it is on the disk.
    case power
  }

  /// The failure that an exchange survives once the client has received it.
  package var durability = Durability.process
  /// True if failures replace existing recordings.
  package var keepsFailures = false
  /// True if a recording that is recorded again is rewritten with a new date even if its response is unchanged.
  package var renewsDates = false
  /// True if recordings that no request used are removed at the end.
  package var prunes = false
  /// The redaction applied before data is stored.
  package var redaction = CassetteRedaction.standard
  /// The maximum time in seconds to open a connection.
  package var connectSeconds = 10.0
  /// The maximum time in seconds without data from upstream while a response is due.
  package var silenceSeconds = 120.0
  /// The function that resolves host names; nil for the system's resolver.
  var lookUp: Resolver.LookUp?
  /// The function that creates the TLS channel to an `https` upstream.
  package var secure: (@Sendable (_ descriptor: Int32, _ host: String) throws(SecurityError) -> any SecureChannel)?

  /// Returns the function that creates the TLS channel to an origin; nil if the scheme is `http`.
  package func channel(to origin: UpstreamOrigin) -> ((Int32) throws(SecurityError) -> any SecureChannel)? {
    guard origin.isSecure else { return nil }
    let secure = secure
    return { descriptor throws(SecurityError) in
      guard let secure else { throw SecurityError("https is not available here") }
      return try secure(descriptor, origin.host)
    }
  }

  /// Uses TLS with the system's certificate authorities if the upstream is `https`.
  package mutating func trustSystem() throws(SecurityError) {
    guard upstream?.isSecure == true else { return }
    let context = try TLSContext(trusting: nil, identity: nil, isInsecure: false)
    secure = { descriptor, host throws(SecurityError) in try context.connect(descriptor, to: host) }
  }

  /// The origins named on the command line besides the upstream, whose addresses may be link-local.
  package var named: [UpstreamOrigin] = []

  /// Returns true if the user named an origin.
  ///
  /// False if only a client did.
  package func isNamed(_ origin: UpstreamOrigin) -> Bool { origin == upstream || named.contains(origin) }

  /// Creates settings.
  ///
  /// - `upstream`: The upstream; nil if each request names its origin.
  package init(upstream: UpstreamOrigin?, cassette: String) {
    self.upstream = upstream
    self.cassette = cassette
  }
}

/// The counters of a recording.
package struct RecordingProgress: Hashable, Sendable {
  /// The number of recorded exchanges.
  package var exchanges = 0
  /// The number of bytes of content received from upstream.
  package var bytes = 0
  /// The number of exchanges that are new or changed in the cassette.
  package var new = 0
  /// The number of exchanges that are unchanged in the cassette.
  package var unchanged = 0
  /// The number of requests that got no response from upstream.
  package var failed = 0
  /// The number of responses that reached the client and could not be recorded.
  package var refused = 0

  init() {}
}

/// Predicts during a recording which exchanges are unchanged.
///
/// Each exchange is compared with the recordings of the same request. The final decision is made at the end, when all
/// exchanges are known.
final class RecordingForecast: Sendable {
  private let cassette: Cassette
  /// The recordings that were not requested again so far, by request.
  private let waiting: Locked<[String: [Interaction]]>
  private let pass = RedactionPass(.standard)

  /// Creates a forecast.
  init(of cassette: Cassette) {
    waiting = Locked(Dictionary(grouping: cassette.interactions, by: Self.key))
    var empty = cassette
    empty.interactions = []
    self.cassette = empty
  }

  private static func key(of interaction: Interaction) -> String {
    "\(interaction.method.rawValue) \(SecretAlias.neutral(interaction.pathAndQuery).text)"
  }

  /// True if an exchange appears unchanged; each recording is used once.
  ///
  /// Returns true if only volatile details differ.
  func isUnchanged(_ journaled: Interaction) -> Bool {
    let isOver = waiting.withLock { $0.isEmpty }
    if isOver { return false }
    let key = Self.key(of: journaled)
    guard let known = waiting.withLock({ $0[key] }) else { return false }
    func take(_ place: Int) { waiting.withLock { _ = $0[key]?.remove(at: place) } }
    // Most exchanges are identical.
    if let first = known.first, RecordingComparison.isSameButURL(first, journaled) {
      take(0)
      return true
    }
    var before = cassette
    before.interactions = known
    var merge = RecordingMerge(into: before, .standard, of: pass)
    guard let result = try? merge.merged([RecordingMerge.Sent(interaction: journaled)]), let place = result.asked.first
    else { return false }
    take(place)
    return result.outcomes == [.unchanged]
  }
}
