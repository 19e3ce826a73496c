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

/// The player and settings that a test's traits have set up, for as long as it runs.
final class CassetteScope: Sendable {
  @TaskLocal static var current: CassetteScope?

  /// The scope that an XCTestCase began in `setUp`: its test runs in another task, and no other test beside it.
  private static let begun = Locked<CassetteScope?>(nil)

  let player: CassettePlayer
  private let made = Locked<URLSession?>(nil)
  private let strictest: Locked<CassetteStrictness>
  private let denied = Locked<NetworkDenial?>(nil)

  init(_ player: CassettePlayer, _ strictness: CassetteStrictness) {
    self.player = player
    strictest = Locked(strictness)
  }

  /// Keeps the process off the network until the scope's end, where the test or the environment says so.
  func denyNetwork(_ isExplicit: Bool) throws(CassetteError) {
    guard try NetworkDenial.isDeniedForTests() || isExplicit else { return }
    RecordingConclusion.schedule()
    let denial = NetworkDenial()
    let former = denied.withLock { denied in
      defer { denied = denial }
      return denied
    }
    _ = former?.end()
  }

  /// The block that keeps the process off the network; nil when nothing does.
  var denial: NetworkDenial? { denied.withLock { $0 } }

  /// The scope of the running test.
  static var active: CassetteScope? { current ?? (Test.current == nil ? begun.withLock { $0 } : nil) }

  /// Runs a part of a test that this scope is for: requests and the closures of stubs belong to the test.
  func run<Result>(
    for name: String, at location: SourceLocation, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    // A scope within a test belongs to that test. A detached task and XCTest have no test to name.
    let test = Test.current.map { test in
      PlayingTest(
        "\"\(name)\" (\(location.fileID):\(location.line))",
        id: RecordingTest(test, Test.Case.current, at: location).name)
    }
    return try await PlayingTest.$current.withValue(PlayingTest.current ?? test) {
      try await CassetteScope.$current.withValue(self) {
        player.joinTest()
        return try await body()
      }
    }
  }

  /// Makes this the scope of the running XCTestCase, or of none any more.
  func begin() { Self.begun.withLock { $0 = self } }

  /// Ends what ``begin()`` began, unless another has begun meanwhile.
  func leave() { Self.begun.withLock { if $0 === self { $0 = nil } } }

  /// The session of the test, made when it is first asked for.
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

  /// A session outside of every test: each of its requests says so.
  static let nowhere: CassetteScope = {
    let player = CassettePlayer(name: "URLSession.cassette")
    player.end("was sent through URLSession.cassette outside of a test with .cassette(…), or in a detached task")
    return CassetteScope(player, .relaxed)
  }()
}

extension CassettePlayer {
  /// The player of the running test's cassettes and stubs; nil outside of one.
  package static var ofTest: CassettePlayer? { CassetteScope.active?.player }
}

extension URLSession {
  /// The session that the running test's cassettes and stubs answer.
  ///
  /// Every test, and every case of a parameterised one, has its own. It is read from a task-local: in detached tasks and
  /// dispatch queues take it along instead of reading it there.
  public static var cassette: URLSession { (CassetteScope.active ?? .nowhere).session }
}

extension URLSessionConfiguration {
  /// A configuration whose sessions are answered by the running test's cassettes and stubs.
  public static var cassette: URLSessionConfiguration { .cassette((CassetteScope.active ?? .nowhere).player) }
}
