package import CassetteSecrets
package import Cassettes
package import MockServerSockets
internal import MockServerTLS

/// The settings by which a server records: the upstream, the cassette, and what is kept.
package struct RecordingSettings: Sendable {
  /// The upstream to ask; nil where each request says so, at a proxy.
  package var upstream: UpstreamOrigin?
  /// The prefix of the targets that the upstream is asked for, unless they begin with it; `/v2`, or nothing.
  package var path = ""
  /// The proxies that lead to the origins.
  package var proxies = OutgoingProxies()
  /// The cassette's file; it need not exist.
  package var cassette: String
  /// `record` to ask about everything, `recordMissing` only for what no recording answers.
  package var mode = CassetteMode.record
  /// The failure that an exchange survives from the moment its client has the last byte.
  package enum Durability: String, CaseIterable, Sendable {
    /// The end of this process, however it comes; a loss of power from a tenth of a second later.
    case process
    /// A loss of power: each exchange waits for the disk.
    case power
  }

  /// The failure that an exchange survives once its client has it.
  package var durability = Durability.process
  /// True if failures replace what was recorded.
  package var keepsFailures = false
  /// True if a recording that is recorded again gets a new text and date, even if its answer is unchanged.
  package var renewsDates = false
  /// True if recordings that nothing asked for are removed at the end.
  package var prunes = false
  /// The redaction of secrets before anything is kept.
  package var redaction = CassetteRedaction.standard
  /// The seconds that a connection may take to come about.
  package var connectSeconds = 10.0
  /// The seconds that an upstream may say nothing while it owes an answer.
  package var silenceSeconds = 120.0
  /// Asks for the addresses of names; the system unless told.
  package var lookUp: Resolver.LookUp?
  /// Makes the secure channel to an `https` upstream.
  package var secure: (@Sendable (_ descriptor: Int32, _ host: String) throws(SecurityError) -> any SecureChannel)?

  /// Makes the secure channel to an origin; nil where there is to be none.
  package func channel(to origin: UpstreamOrigin) -> ((Int32) throws(SecurityError) -> any SecureChannel)? {
    guard origin.isSecure else { return nil }
    let secure = secure
    return { descriptor throws(SecurityError) in
      guard let secure else { throw SecurityError("https is not available here") }
      return try secure(descriptor, origin.host)
    }
  }

  /// Asks an `https` upstream over TLS, trusting whom the system trusts.
  ///
  /// - Throws: When there is no TLS to be had.
  package mutating func trustSystem() throws(SecurityError) {
    guard upstream?.isSecure == true else { return }
    let context = try TLSContext(trusting: nil, identity: nil, isInsecure: false)
    secure = { descriptor, host throws(SecurityError) in try context.connect(descriptor, to: host) }
  }

  /// The origins of the command line beside the upstream: what a person named may be any address.
  package var named: [UpstreamOrigin] = []

  /// Tells whether a person named an origin, and not a client.
  package func isNamed(_ origin: UpstreamOrigin) -> Bool { origin == upstream || named.contains(origin) }

  /// Creates settings.
  ///
  /// - Parameters:
  ///   - upstream: Whom to ask; nil where each request says so.
  ///   - cassette: The cassette's file.
  package init(upstream: UpstreamOrigin?, cassette: String) {
    self.upstream = upstream
    self.cassette = cassette
  }
}

/// The progress of a recording.
package struct RecordingProgress: Hashable, Sendable {
  /// Exchanges that were kept.
  package var exchanges = 0
  /// The bytes of content that came from upstream.
  package var bytes = 0
  /// Exchanges that are new in the cassette, or not what they were.
  package var new = 0
  /// Exchanges that are what they were.
  package var unchanged = 0
  /// Requests that upstream did not answer.
  package var failed = 0
  /// Answers that reached the client and could not be kept.
  package var refused = 0

  package init() {}
}
