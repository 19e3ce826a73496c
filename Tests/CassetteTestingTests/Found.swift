import Foundation
import Testing

/// Returns the issues that a body records, without failing the current test.
func issues(_ found: Found = Found(), _ body: () async throws -> Void) async throws -> [Issue] {
  try await withKnownIssue(isIntermittent: true) {
    try await body()
  } matching: { issue in
    found.add(issue)
    return true
  }
  return found.all
}

/// Collects issues that are recorded on any thread.
final class Found: @unchecked Sendable {
  // `@unchecked Sendable`: the lock guards all properties.
  private let lock = NSLock()
  private var issues: [Issue] = []
  private let (stream, signal) = AsyncStream.makeStream(of: Void.self)

  func add(_ issue: Issue) {
    lock.withLock { issues.append(issue) }
    signal.yield()
  }

  /// Waits until an issue has been added.
  func first() async {
    for await _ in stream { return }
  }

  var all: [Issue] { lock.withLock { issues } }
}
