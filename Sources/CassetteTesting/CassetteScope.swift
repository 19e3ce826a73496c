package import CassetteSession
internal import CassetteSystem
internal import Cassettes
import Testing

#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// The player and settings of a running test, created by the test's traits.
final class CassetteScope: Sendable {
  @TaskLocal static var current: CassetteScope?

  /// The scope that an XCTestCase began in `setUp`.
  ///
  /// The test runs in another task, and no other test runs at the same time.
  private static let begun = Locked<CassetteScope?>(nil)

  let player: CassettePlayer
  private let made = Locked<URLSession?>(nil)
  private let strictest: Locked<CassetteStrictness>
  private let denied = Locked<NetworkDenial?>(nil)

  init(_ player: CassettePlayer, _ strictness: CassetteStrictness) {
    self.player = player
    strictest = Locked(strictness)
  }

  /// Denies the network to the process until the end of the scope, if the test or the environment requests it.
  func denyNetwork(_ isExplicit: Bool) throws(CassetteError) {
    guard try NetworkDenial.isDeniedForTests() || isExplicit else { return }
    RecordingConclusion.schedule()
    NetworkDenial.find(Report.accusation)
    let denial = NetworkDenial()
    let former = denied.withLock { denied in
      defer { denied = denial }
      return denied
    }
    _ = former?.end()
  }

  /// The denial of the network; nil if the network is allowed.
  var denial: NetworkDenial? { denied.withLock { $0 } }

  /// The scope of the running test.
  static var active: CassetteScope? { current ?? (Test.current == nil ? begun.withLock { $0 } : nil) }

  /// Runs a part of a test in this scope, so that requests and closures of stubs belong to the test.
  func run<Result>(
    for name: String, at location: SourceLocation, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    // A nested scope belongs to the enclosing test. In a detached task and in XCTest, the test is unknown.
    let test = Test.current.map { test in
      let id = RecordingTest(test, Test.Case.current, at: location).name
      let arguments = id.hasSuffix("]") ? id.lastIndex(of: "[").map { id[$0...] } ?? "" : ""
      return PlayingTest("\"\(name)\"\(arguments) (\(location.fileID):\(location.line))", id: id)
    }
    return try await PlayingTest.$current.withValue(PlayingTest.current ?? test) {
      try await CassetteScope.$current.withValue(self) {
        player.joinTest()
        return try await body()
      }
    }
  }

  /// Makes this the scope of the running XCTestCase.
  func begin() { Self.begun.withLock { $0 = self } }

  /// Removes the scope set by ``begin()``, unless another scope has replaced it.
  func leave() { Self.begun.withLock { if $0 === self { $0 = nil } } }

  /// The session of the test, created on first access.
  var session: URLSession {
    made.withLock { made in
      if let made { return made }
      let session = player.session()
      made = session
      return session
    }
  }

  var strictness: CassetteStrictness {
    get { strictest.withLock { $0 } }
    set { strictest.withLock { $0 = newValue } }
  }

  /// The scope used outside of tests; each request on its session fails with an explanation.
  static let nowhere: CassetteScope = {
    let player = CassettePlayer(name: "URLSession.cassette")
    player.end(
      "was sent through a URLSession.cassette that was read outside of a test with .cassette(…), in a detached task, or "
        + "before beginCassette: in XCTest, create the client in setUp, after beginCassette"
    ) { message, _ in
      // Properties of an XCTestCase are created before setUp, and the task of the request does not know its test.
      begun.withLock { $0 }?.player.note(problem: message)
    }
    return CassetteScope(player, .relaxed)
  }()
}

extension CassettePlayer {
  /// The player of the running test's cassettes and stubs; nil outside of a test.
  package static var ofTest: CassettePlayer? { CassetteScope.active?.player }
}

extension URLSession {
  /// The session that is answered by the running test's cassettes and stubs.
  ///
  /// Every test, and every case of a parameterized test, has its own session. The property reads a task-local value: in
  /// detached tasks and dispatch queues, capture the session instead of reading the property there.
  public static var cassette: URLSession { (CassetteScope.active ?? .nowhere).session }
}

extension URLSessionConfiguration {
  /// The configuration of sessions that are answered by the running test's cassettes and stubs.
  public static var cassette: URLSessionConfiguration { .cassette((CassetteScope.active ?? .nowhere).player) }
}
