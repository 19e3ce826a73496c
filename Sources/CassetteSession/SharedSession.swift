internal import CassetteSystem
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// `URLSession.shared`, answered from the deck of whichever test asks.
///
/// One session and so one class serve all tests: whose request it is, is told by the task-local of whoever resumes it.
/// Before a test asks for it nothing is touched; from then on nothing on the shared session reaches the network until the
/// process ends.
package enum SharedSession {
  /// The player that answers, with the cookies of its requests here: those of the session are everybody's.
  final class Use: Sendable {
    let player: CassettePlayer
    let configuration = URLSessionConfiguration.ephemeral

    init(_ player: CassettePlayer) { self.player = player }
  }

  /// The player of requests made here; read where a task is resumed.
  @TaskLocal static var current: Use?

  /// Lets a player answer requests on the shared session for as long as the body runs, where it was called.
  package static func answer<Result>(
    by player: CassettePlayer, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    open()
    // Another trait of the same test has begun.
    if current?.player === player { return try await body() }
    let use = Use(player)
    #if !canImport(FoundationNetworking)
      claims.withLock { $0.append(use) }
      defer { claims.withLock { $0.removeAll { $0 === use } } }
    #endif
    return try await $current.withValue(use, operation: body)
  }

  /// The shared session answered from one place to another, where no body encloses what uses it.
  package final class Claim: Sendable {
    fileprivate let use: Use

    fileprivate init(_ player: CassettePlayer) { use = Use(player) }

    /// Gives the session up: what is asked from now on fails by name.
    package func end() { claims.withLock { $0.removeAll { $0 === use } } }
  }

  /// Lets a player answer requests on the shared session of which no task-local tells whose they are, until the claim
  /// ends.
  package static func claim(for player: CassettePlayer) -> Claim {
    open()
    let claim = Claim(player)
    claims.withLock { $0.append(claim.use) }
    return claim
  }

  private static let claims = Locked<[Use]>([])

  /// Claims the session once; what was claimed is never given back, or a late request would find the network.
  private static func open() {
    isOpen.withLock { isOpen in
      guard !isOpen else { return }
      isOpen = true
      #if canImport(FoundationNetworking)
        // The session's own configuration and no copy: `registerClass` would come behind the native protocols.
        let configuration = URLSession.shared.configuration
        configuration.protocolClasses = [SharedURLProtocol.self] + (configuration.protocolClasses ?? [])
        // With a cache to ask first, protocols are made on another thread, where the task-local is not seen.
        configuration.urlCache = nil
      #else
        _ = URLProtocol.registerClass(SharedURLProtocol.self)
      #endif
    }
  }

  #if !canImport(FoundationNetworking)
    /// Is asked before a class that was registered since: the last one is asked first.
    static func comeFirst() {
      isOpen.withLock { isOpen in
        guard isOpen else { return }
        URLProtocol.unregisterClass(SharedURLProtocol.self)
        _ = URLProtocol.registerClass(SharedURLProtocol.self)
      }
    }
  #endif

  private static let isOpen = Locked(false)

  /// Returns the player of a request that is made here, or the reason why nobody answers.
  static func use() -> (Use?, refusal: String) {
    #if canImport(FoundationNetworking)
      if let current { return (current, unclaimed) }
      // One at a time is begun without a body around it.
      return (claims.withLock { $0.last }, unclaimed)
    #else
      claims.withLock { ($0.count == 1 ? $0.first : nil, $0.isEmpty ? unclaimed : ambiguous) }
    #endif
  }

  private static let unclaimed =
    "was sent on URLSession.shared from where no test is known that asked for it: outside of a test with "
    + ".cassette(…, session: .shared), after its end, from a detached task or from a dispatch queue"
  #if !canImport(FoundationNetworking)
    private static let ambiguous =
      "was sent on URLSession.shared while several tests answer it, which cannot be told apart on this platform: "
      + "put them into a suite that is .serialized"
  #endif
}

/// The protocol class of `URLSession.shared`.
final class SharedURLProtocol: CassetteURLProtocol {
  /// The player, looked up when the protocol is made, which is where its task is resumed.
  private let made = SharedSession.use()
  /// The denial to tell of the request, where the network is denied.
  private let denial = NetworkDenial.current

  /// A test may have ended since.
  override var route: SessionProtocolClasses.Route? {
    let destination =
      made.0?.player.destination ?? .closed(SessionProtocolClasses.Closing(reason: made.refusal, late: refuse))
    return SessionProtocolClasses.Route(destination: destination, configuration: made.0?.configuration)
  }

  /// Reports a request that nothing answers, where the network is denied.
  private var refuse: @Sendable (String, Bool) -> Void {
    { [request, denial] _, _ in
      guard DeniedURLProtocol.canInit(with: request) else { return }
      NetworkDenial.note(DeniedURLProtocol.words(for: request), of: denial)
    }
  }
}
