package import CassettePlayback
public import CassetteSession

/// A player that a test can control while it runs: a mock server, or the cassettes of a session.
///
/// ```swift
/// server.stub(.get("/users/kean"), .json(["login": "kean"]))
/// server.scenarios["cart"] = "full"
/// try await client.add(user)
/// server.verify(.post("/users"), .times(1))
/// ```
/// An expectation that is not met fails the test at the line of the call.
public protocol CassetteSteeredPlayer: Sendable {
  /// The requests received so far, in order; only the first thousand are kept.
  var requests: [CassetteSentRequest] { get }
  /// The access to the player's internals, for this package.
  var steering: CassetteSteering { get }
}

/// The access to the internals of a player that tests control.
public struct CassetteSteering: Sendable {
  package let deck: Deck
  package let gates: AnswerGates
  package let add: @Sendable (CassetteStub) throws(AddedStub.Refusal) -> Void

  /// Creates the access to a deck, and to the stubs of its player.
  package init(
    _ deck: Deck, _ gates: AnswerGates, add: @escaping @Sendable (CassetteStub) throws(AddedStub.Refusal) -> Void
  ) {
    (self.deck, self.gates, self.add) = (deck, gates, add)
  }
}

extension CassettePlayer: CassetteSteeredPlayer {
  /// The player of the running test's cassettes and stubs, which answers `URLSession.cassette`.
  public static var current: CassettePlayer { (CassetteScope.active ?? .nowhere).player }

  /// The access to the player's internals, for this package.
  public var steering: CassetteSteering {
    CassetteSteering(deck, gates) { stub throws(AddedStub.Refusal) in try self.add(now: stub) }
  }
}

/// A number of requests that a test expects.
public struct CassetteRequestCount: Sendable, Hashable {
  let count: ExpectedCount

  /// Expects exactly this number of requests.
  public static func times(_ count: Int) -> CassetteRequestCount {
    CassetteRequestCount(count: ExpectedCount(atLeast: count, atMost: count))
  }
  /// Expects this number of requests or more.
  public static func atLeast(_ count: Int) -> CassetteRequestCount {
    CassetteRequestCount(count: ExpectedCount(atLeast: count))
  }
  /// Expects this number of requests or fewer, including none.
  public static func atMost(_ count: Int) -> CassetteRequestCount {
    CassetteRequestCount(count: ExpectedCount(atLeast: 0, atMost: count))
  }
  /// Expects exactly one request.
  public static var once: CassetteRequestCount { times(1) }
  /// Expects no request.
  public static var never: CassetteRequestCount { times(0) }
}
