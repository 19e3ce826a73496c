internal import CassetteSystem

/// The long body files without links to the recorded origins, by ``BodyFile/identity``.
package final class FilesWithoutLinks: Sendable {
  private let files = Locked<Set<String>>([])

  /// True if the file was searched before and has no links.
  package func contains(_ file: BodyFile) -> Bool {
    guard let identity = file.identity else { return false }
    return files.withLock { $0.contains(identity) }
  }

  /// Adds a file that was searched completely.
  package func insert(_ file: BodyFile) {
    guard let identity = file.identity else { return }
    files.withLock { _ = $0.insert(identity) }
  }
}
