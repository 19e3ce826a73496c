internal import Cassettes

/// Reports of the recordings that have played, and their order.
extension RecordingTable {
  /// The number of entries that are recordings of cassettes.
  package var recordingCount: Int { entries.count { !$0.isFixture } }

  /// The recordings that no request has played, without fixtures.
  package var neverPlayed: [Int] { entries.indices.filter { !entries[$0].isFixture && firstPlayed($0) == nil } }

  /// Returns the pairs of recordings of one cassette that were first requested in an order other than recorded.
  ///
  /// The second recording of each pair was recorded after the first, but requested before it.
  ///
  /// - `withRules`: True to include recordings with rules.
  package func outOfOrder(withRules: Bool) -> [(first: Int, second: Int)] {
    var pairs: [(first: Int, second: Int)] = []
    var latest: (entry: Int, request: UInt64)?
    for number in entries.indices where !entries[number].isFixture {
      // Recordings with rules have no place in an order, unless a test defines one.
      if !withRules, rules(of: number) != nil || replay(of: number)?.when.isEmpty == false { continue }
      guard let request = firstPlayed(number) else { continue }
      if let latest, entries[latest.entry].cassette == entries[number].cassette, request < latest.request {
        pairs.append((latest.entry, number))
      } else {
        latest = (number, request)
      }
    }
    return pairs
  }

  /// The number of files in `fixtures/`; one file may answer two paths.
  package var fixtureCount: Int {
    Set(
      entries.indices.lazy.filter { self.entries[$0].isFixture && !self.isResource($0) }.map {
        self.entries[$0].interaction.id
      }
    ).count
  }
}
