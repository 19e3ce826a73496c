/// The activity of a file that may be written to right now.
package struct FileActivity: Equatable, Sendable {
  /// True if a write to the file has begun and not ended.
  package var isWritten: Bool
  /// The number of changes seen, as far back as is known: two equal numbers enclose a time without one.
  package var changes: UInt64

  /// Creates the activity of a file that is not being written.
  package init(isWritten: Bool = false, changes: UInt64 = 0) {
    self.isWritten = isWritten
    self.changes = changes
  }

  /// Tells what is known of a file, by the path it has in its folder.
  package typealias Lookup = (_ path: String) -> FileActivity
}
