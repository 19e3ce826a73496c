import Foundation
import Testing

/// What a piece of a test reports, kept from failing this one.
func issues(_ found: Found = Found(), _ body: () async throws -> Void) async throws -> [Issue] {
  try await withKnownIssue(isIntermittent: true) {
    try await body()
  } matching: { issue in
    found.add(issue)
    return true
  }
  return found.all
}

/// Issues, gathered from wherever they are reported.
final class Found: @unchecked Sendable {
  // Sendable unchecked: guarded by the lock.
  private let lock = NSLock()
  private var issues: [Issue] = []
  private let (stream, signal) = AsyncStream.makeStream(of: Void.self)

  func add(_ issue: Issue) {
    lock.withLock { issues.append(issue) }
    signal.yield()
  }

  /// Returns when there is an issue.
  func first() async {
    for await _ in stream { return }
  }

  var all: [Issue] { lock.withLock { issues } }
}
