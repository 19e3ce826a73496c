internal import CassetteSystem

/// The long body files in which a search found nothing, so that each file is searched once and not for every request.
package final class SearchedFiles: Sendable {
  private let files = Locked<Set<FileIdentity>>([])

  package init() {}

  /// Searches a file unless an earlier search found nothing in it.
  ///
  /// Only one thread searches at a time.
  ///
  /// - `search`: Returns true if something is found.
  ///
  /// Returns true if something was found.
  package func finds(
    in file: BodyFile, _ search: () throws(CassetteError) -> Bool
  ) throws(CassetteError) -> Bool {
    try files.withLock { files throws(CassetteError) in
      if files.contains(file.identity) { return false }
      if try search() { return true }
      files.insert(file.identity)
      return false
    }
  }
}
