import CassetteSession

/// A cassette that a test began with `beginCassette`, and that answers `URLSession.cassette` until the test ends.
///
/// Only one cassette can be active at a time, because XCTest runs one test at a time.
final class TestCassette: Sendable {
  private let scope: CassetteScope
  private let report: Report
  private let title: String
  private let shared: SharedSession.Claim?
  private let hasFailed: @Sendable () -> Bool

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

  /// Ends the cassette: writes the recording, and reports problems at the line where the cassette was created.
  func end() {
    scope.leave()
    shared?.end()
    report.end(scope.player, of: title, scope.strictness, TestEnding(failed: hasFailed()))
    if let refusal = report.refusal(scope.denial, TestEnding()) { report.fail(refusal) }
  }
}
