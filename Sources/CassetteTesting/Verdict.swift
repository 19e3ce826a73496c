import Synchronization
import Testing

/// Whether a test has failed, by an error or by an expectation.
final class Verdict: Sendable {
  private let hasFailed = Atomic(false)

  var failed: Bool { hasFailed.load(ordering: .acquiring) }

  /// Runs a test, and takes note of the issues that fail it.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - testCase: Its case.
  ///   - function: The test itself.
  /// - Throws: What the test throws.
  func watching(
    _ test: Test, _ testCase: Test.Case?, _ function: @Sendable () async throws -> Void
  ) async throws {
    let listener: IssueHandlingTrait = .compactMapIssues { issue in
      self.note(issue)
      return issue
    }
    do {
      try await listener.provideScope(for: test, testCase: testCase, performing: function)
    } catch {
      fail()
      throw error
    }
  }

  private func fail() { hasFailed.store(true, ordering: .releasing) }

  private func note(_ issue: Issue) {
    #if compiler(>=6.3)
      if issue.isFailure { fail() }
    #else
      fail()
    #endif
  }
}
