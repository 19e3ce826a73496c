import CassetteSession
internal import CassetteSystem
package import Testing

/// A flag that is set when a test has failed because of an error or an expectation.
package final class Verdict: Sendable {
  private let hasFailed = Flag()

  /// Creates a verdict without a failure.
  package init() {}

  private var failed: Bool { hasFailed.isSet }

  /// Runs a test and observes the issues that fail it.
  ///
  /// An error caused by a miss of the test's player is not counted as a failure of the test.
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
