internal import Cassettes

/// The recordings that have played, and their order.
extension RecordingTable {
  /// The number of entries that are recordings of cassettes.
  package var recordingCount: Int { entries.count { !$0.isFixture } }

  /// The recordings that no request has played, fixtures aside.
  package var neverPlayed: [Int] { entries.indices.filter { !entries[$0].isFixture && marks.first($0) == nil } }

  /// The pairs of one cassette's recordings that were first asked for in another order than recorded.
  ///
  /// Of each pair the second, which is recorded behind the first, was asked for before it.
  ///
  /// - Parameter withRules: Whether recordings with rules are judged, too.
  /// - Returns: The pairs.
  package func outOfOrder(withRules: Bool) -> [(first: Int, second: Int)] {
    var pairs: [(first: Int, second: Int)] = []
    var latest: (entry: Int, request: UInt64)?
    for number in entries.indices where !entries[number].isFixture {
      // What answers by rules has no place in an order, unless a test says that it has.
      if !withRules, rules(of: number) != nil || replay(of: number)?.when.isEmpty == false { continue }
      guard let request = marks.first(number) else { continue }
      if let latest, entries[latest.entry].cassette == entries[number].cassette, request < latest.request {
        pairs.append((latest.entry, number))
      } else {
        latest = (number, request)
      }
    }
    return pairs
  }

  /// The number of files of `fixtures/`; one file may answer under two paths.
  package var fixtureCount: Int {
    Set(
      entries.indices.lazy.filter { self.entries[$0].isFixture && !self.isResource($0) }.map {
        self.entries[$0].interaction.id
      }
    ).count
  }
}
