package import Cassettes

extension Cassette {
  /// The number of recordings examined to find out whether tests share a cassette.
  private static let sample = 64

  /// Returns the cassette for one of the tests that share it, with the test's recordings before those of others.
  ///
  /// If several tests have recorded the same request, each test gets its own response.
  ///
  /// - `test`: The name of the test, as in ``RecordedFacts/by``.
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
