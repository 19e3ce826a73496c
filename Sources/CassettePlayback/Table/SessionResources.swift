internal import Cassettes

extension SessionCursors {
  /// The most bytes that all sessions together may have changed or added.
  static let mostResourceBytes = 256 << 20

  /// Keeps the state of a resource, by its position.
  ///
  /// - Returns: False if all sessions together would have too much.
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
