package import Cassettes

extension Cassette {
  /// The number of recordings that are looked at to tell whether tests share a cassette.
  private static let sample = 64

  /// Returns the cassette for one of the tests that share it: its own recordings come before those of others.
  ///
  /// Of a request that several tests have recorded, each is answered by what it recorded itself.
  ///
  /// - Parameter test: The test's name, as ``RecordedFacts/by`` has it.
  /// - Returns: The same recordings, in the order in which they are preferred.
  package func preferring(_ test: String) -> Cassette {
    guard interactions.prefix(Self.sample).contains(where: { $0.recorded?.by != nil }) else { return self }
    let tags = interactions.map { $0.recorded?.by }
    guard tags.contains(test) else { return self }
    var cassette = self
    let isOwn = { (index: Int) in tags[index] == nil || tags[index] == test }
    cassette.interactions =
      interactions.indices.filter(isOwn).map { interactions[$0] }
      + interactions.indices.filter { !isOwn($0) }.map { interactions[$0] }
    return cassette
  }
}
