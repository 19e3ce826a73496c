internal import CassetteSystem

/// The long files in which no link of the recorded origins was found, by ``BodyFile/identity``.
package final class FilesWithoutLinks: Sendable {
  private let files = Locked<Set<String>>([])

  /// True if the file was searched before.
  package func contains(_ file: BodyFile) -> Bool {
    guard let identity = file.identity else { return false }
    return files.withLock { $0.contains(identity) }
  }

  /// Adds a file that was searched to its end.
  package func insert(_ file: BodyFile) {
    guard let identity = file.identity else { return }
    files.withLock { _ = $0.insert(identity) }
  }
}
