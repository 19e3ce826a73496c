import CassetteSession
internal import CassetteSystem
package import Testing

/// A flag that is set once a test has failed, by an error or by an expectation.
package final class Verdict: Sendable {
  private let hasFailed = Flag()

  /// Creates one that has seen nothing fail.
  package init() {}

  private var failed: Bool { hasFailed.isSet }

  /// Runs a test, and takes note of the issues that fail it: an error that comes of a miss of its player is none of its
  /// own.
  package func watching(
    _ test: Test, _ testCase: Test.Case?, _ player: CassettePlayer? = nil, _ function: @Sendable () async throws -> Void
  ) async -> TestEnding {
    let listener: IssueHandlingTrait = .compactMapIssues { issue in
      self.note(issue)
      if case .errorCaught(let error) = issue.kind, let player,
        TestEnding.tells(error, of: player.ledger.misses)
      {
        return nil
      }
      return issue
    }
    do {
      try await listener.provideScope(for: test, testCase: testCase, performing: function)
    } catch {
      fail()
      return TestEnding(error)
    }
    return TestEnding(failed: failed)
  }

  private func fail() { hasFailed.set() }

  private func note(_ issue: Issue) {
    if issue.failsTest { fail() }
  }
}
