/// The write activity of a file.
package struct FileActivity: Equatable, Sendable {
  /// True if a write to the file has begun and not ended.
  package var isWritten: Bool
  /// The number of known changes.
  ///
  /// If it is equal at two times, the file did not change in between.
  package var changes: UInt64

  /// Creates the activity of a file that is not being written.
  package init(isWritten: Bool = false, changes: UInt64 = 0) {
    self.isWritten = isWritten
    self.changes = changes
  }

  /// Returns the activity of a file by its path in the folder.
  package typealias Lookup = (_ path: String) -> FileActivity
}
