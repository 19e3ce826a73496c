/// What is known of a file that may be written to right now.
package struct FileActivity: Equatable, Sendable {
  /// Whether somebody has begun to write and not come to the end.
  package var isWritten: Bool
  /// How many changes were seen, as far back as is known: two equal numbers enclose a time without one.
  package var changes: UInt64

  /// Creates what is known of a file nobody writes to.
  package init(isWritten: Bool = false, changes: UInt64 = 0) {
    self.isWritten = isWritten
    self.changes = changes
  }

  /// Tells what is known of a file, by the path it has in its folder.
  package typealias Lookup = (_ path: String) -> FileActivity
}
