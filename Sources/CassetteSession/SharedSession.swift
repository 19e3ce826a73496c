internal import CassetteSystem
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Answers `URLSession.shared` from the player of the current test.
///
/// All tests share one session and therefore one protocol class: the test of a request is identified by a task-local
/// value of the task that resumes it. Nothing is changed before the first test uses the shared session; afterwards, no
/// request on it reaches the network until the process ends.
package enum SharedSession {
  /// The player that answers, with a separate cookie storage for its requests.
  final class Use: Sendable {
    let player: CassettePlayer
    let configuration = URLSessionConfiguration.ephemeral

    init(_ player: CassettePlayer) { self.player = player }
  }

  /// The player of requests in the current task; read where a task is resumed.
  @TaskLocal static var current: Use?

  /// Makes a player answer requests on the shared session while the body runs.
  package static func answer<Result>(
    by player: CassettePlayer, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    open()
    // Another trait of the same test has already set the player.
    if current?.player === player { return try await body() }
    let use = Use(player)
    #if !canImport(FoundationNetworking)
      claims.withLock { $0.append(use) }
      defer { claims.withLock { $0.removeAll { $0 === use } } }
    #endif
    return try await $current.withValue(use, operation: body)
  }

  /// A claim on the shared session that is begun and ended explicitly, for tests without an enclosing body.
  package final class Claim: Sendable {
    fileprivate let use: Use

    fileprivate init(_ player: CassettePlayer) { use = Use(player) }

    /// Ends the claim: later requests fail with an explanation.
    package func end() { claims.withLock { $0.removeAll { $0 === use } } }
  }

  /// Makes a player answer requests on the shared session without a task-local player, until the claim ends.
  package static func claim(for player: CassettePlayer) -> Claim {
    open()
    let claim = Claim(player)
    claims.withLock { $0.append(claim.use) }
    return claim
  }

  private static let claims = Locked<[Use]>([])
  private static let refused = Locked<[String]>([])

  /// The first hundred requests on the shared session whose test is unknown, which failed; no test reports them.
  package static var unattributed: [String] { refused.withLock { $0 } }

  fileprivate static func note(_ request: URLRequest) {
    let line = Loader.line(of: request)
    refused.withLock { if $0.count < 100, !$0.contains(line) { $0.append(line) } }
  }

  /// Installs the protocol class once.
  ///
  /// It is never removed, because a late request would then reach the network.
  private static func open() {
    isOpen.withLock { isOpen in
      guard !isOpen else { return }
      isOpen = true
      #if canImport(FoundationNetworking)
        // The session's own configuration, not a copy: `registerClass` would add the class after the native protocols.
        let configuration = URLSession.shared.configuration
        configuration.protocolClasses = [SharedURLProtocol.self] + (configuration.protocolClasses ?? [])
        // With a cache, protocols are created on another thread, where the task-local value is not available.
        configuration.urlCache = nil
      #else
        _ = URLProtocol.registerClass(SharedURLProtocol.self)
      #endif
    }
  }

  #if !canImport(FoundationNetworking)
    /// Registers the class again, because the class that was registered last is asked first.
    static func comeFirst() {
      isOpen.withLock { isOpen in
        guard isOpen else { return }
        URLProtocol.unregisterClass(SharedURLProtocol.self)
        _ = URLProtocol.registerClass(SharedURLProtocol.self)
      }
    }
  #endif

  private static let isOpen = Locked(false)

  /// Returns the player for a request in the current task, and the reason to refuse the request if there is none.
  static func use() -> (Use?, refusal: String) {
    #if canImport(FoundationNetworking)
      if let current { return (current, unclaimed) }
      // Without an enclosing body, there is only one claim at a time.
      return (claims.withLock { $0.last }, unclaimed)
    #else
      claims.withLock { ($0.count == 1 ? $0.first : nil, $0.isEmpty ? unclaimed : ambiguous) }
    #endif
  }

  private static let unclaimed =
    "was sent on URLSession.shared by code of an unknown test: outside of a test with .cassette(…, session: .shared), "
    + "after its end, from a detached task or from a dispatch queue"
  #if !canImport(FoundationNetworking)
    private static let ambiguous =
      "was sent on URLSession.shared while several tests use it, which this platform cannot distinguish: put the tests "
      + "into a .serialized suite"
  #endif
}

/// The protocol class of `URLSession.shared`.
final class SharedURLProtocol: CassetteURLProtocol {
  /// The player, read when the protocol is created, which happens where its task is resumed.
  private let made = SharedSession.use()
  private let sentBy = NetworkDenial.Sender()

  /// Evaluated for each request, because the test may have ended since.
  override var route: SessionProtocolClasses.Route? {
    let destination =
      made.0?.player.destination ?? .closed(SessionProtocolClasses.Closing(reason: made.refusal, late: refuse))
    return SessionProtocolClasses.Route(destination: destination, configuration: made.0?.configuration)
  }

  /// Reports a request without a player at the end of the run, or at once if the network is denied.
  private var refuse: @Sendable (String, Bool) -> Void {
    { [request, sentBy] _, _ in
      SharedSession.note(request)
      guard DeniedURLProtocol.canInit(with: request) else { return }
      NetworkDenial.note(DeniedURLProtocol.words(for: request), of: sentBy)
    }
  }
}
