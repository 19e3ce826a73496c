/// The plays that one loop counts, by table and number of the recording; protected by the journal's lock.
package struct PlayTally: Sendable {
  /// The maximum number of stub names, because clients may use any names.
  private static let mostStubs = 20_000

  /// The number of the table that is currently played.
  private var table = 0
  private var current: [Int] = []
  private var earlier: [Int: [Int]] = [:]
  /// The number of plays of each stub, by id.
  package private(set) var stubs: [String: Int] = [:]

  /// The number of plays of each recording, by table number and recording number.
  package var recordings: [Int: [Int]] { earlier.merging([table: current]) { _, new in new } }

  /// Counts a play.
  @inline(__always)
  mutating func count(_ outcome: RequestJournal.Outcome, of table: Int) {
    switch outcome {
    case .played(let entry, _, _, _):
      if table != self.table { turn(to: table) }
      if entry >= current.count { current += [Int](repeating: 0, count: entry + 1 - current.count) }
      current[entry] &+= 1
    case .stub(let id, _, _):
      if stubs[id] != nil || stubs.count < Self.mostStubs { stubs[id, default: 0] &+= 1 }
    case .derived, .specified, .recorded, .miss, .refused: break
    }
  }

  private mutating func turn(to table: Int) {
    earlier = recordings
    (self.table, current) = (table, earlier.removeValue(forKey: table) ?? [])
  }

  /// Returns the counts and resets them.
  mutating func take() -> PlayTally {
    defer {
      current = [Int](repeating: 0, count: current.count)
      (earlier, stubs) = ([:], [:])
    }
    return self
  }
}
