internal import Cassettes

extension SessionCursors {
  /// The maximum number of bytes that all sessions together may change or add.
  static let mostResourceBytes = 256 << 20

  /// Stores the state of a resource, by position.
  ///
  /// - Returns: False if the state would exceed the limit for all sessions.
  mutating func keep(_ state: any ResourceElements, of resource: Int, in session: String) -> Bool {
    var bytes = resourceBytes
    let isKept = withCursor(of: session) { cursor in
      bytes += state.ownSize - (cursor.resources[resource]?.ownSize ?? 0)
      guard bytes <= Self.mostResourceBytes else { return false }
      cursor.resources[resource] = state
      return true
    }
    if isKept { resourceBytes = bytes }
    return isKept
  }
}
