public import CassetteSession
internal import CassetteSystem
import Cassettes
import Testing

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// A cassette that a test began in `setUp`, with `beginCassette`.
///
/// ```swift
/// final class ProfileTests: XCTestCase {
///   override func setUp() async throws { try beginCassette("github-user") }
///
///   func testProfile() async throws {
///     let github = GitHub(session: .cassette)
///   }
/// }
/// ```
/// The cassette answers `URLSession.cassette` until the test ends, or until ``end()`` is called. Only one cassette can be
/// active at a time, because XCTest runs one test at a time.
public final class TestCassette: Sendable {
  private let scope: CassetteScope
  private let report: Report
  private let title: String
  private let shared: SharedSession.Claim?
  private let hasFailed: @Sendable () -> Bool
  private let isOver = Locked(false)

  init(
    _ scope: CassetteScope, _ title: String, _ played: CassettePlayedSession, _ report: Report,
    hasFailed: @escaping @Sendable () -> Bool
  ) {
    self.scope = scope
    self.report = report
    self.title = title
    self.hasFailed = hasFailed
    shared = played == .shared ? SharedSession.claim(for: scope.player) : nil
    scope.begin()
  }

  /// The session that the cassette answers.
  public var session: URLSession { scope.session }

  /// The configuration of sessions that the cassette answers.
  public var configuration: URLSessionConfiguration { .cassette(scope.player) }

  /// The requests received so far, in order.
  public var requests: [CassetteSentRequest] { scope.player.requests }

  /// Ends the cassette: writes the recording, and reports problems at the line where the cassette was created.
  ///
  /// Further calls have no effect.
  public func end() {
    let wasOver = isOver.withLock { isOver in
      defer { isOver = true }
      return isOver
    }
    if wasOver { return }
    scope.leave()
    shared?.end()
    report.end(scope.player, of: title, scope.strictness, TestEnding(failed: hasFailed()))
    if let refusal = report.refusal(scope.denial, TestEnding()) { report.fail(refusal) }
  }
}
