internal import Cassettes

/// The state of a resource in one session, and which it is of all its states.
struct ResourceCopy: Sendable {
  var state: any ResourceElements
  var version: UInt64
}

extension SessionCursors {
  /// The most bytes that all sessions together may have changed or added.
  static let mostResourceBytes = 256 << 20

  /// The result of storing a resource's new state.
  enum Keeping {
    case kept
    /// Another request was faster.
    case changed
    /// All sessions together have too much.
    case full
  }

  /// Keeps the state of a resource, unless it is not the one any more that it was made of.
  mutating func keep(
    _ state: any ResourceElements, of resource: Int, in session: String, unlessChangedSince version: UInt64?
  ) -> Keeping {
    var bytes = resourceBytes
    let result: Keeping = withCursor(of: session) { cursor in
      guard cursor.resources[resource]?.version == version else { return .changed }
      bytes += state.ownSize - (cursor.resources[resource]?.state.ownSize ?? 0)
      guard bytes <= Self.mostResourceBytes else { return .full }
      cursor.resources[resource] = ResourceCopy(state: state, version: (version ?? 0) &+ 1)
      return .kept
    }
    if result == .kept { resourceBytes = bytes }
    return result
  }
}
