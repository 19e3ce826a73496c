package import Cassettes

extension Cassette {
  /// Returns the ids of recordings that differ from an earlier version, including their rules.
  package func edited(since earlier: Cassette) -> Set<String> {
    let known = Dictionary(earlier.interactions.map { ($0.id, $0) }) { $1 }
    let edited = interactions.filter { now in known[now.id].map { !Self.isSame($0, now) } ?? true }
    return Set(edited.map(\.id))
  }

  private static func isSame(_ one: Interaction, _ other: Interaction) -> Bool {
    let bytes = [one, other].map { try? CassetteFile.bytes(of: Cassette(name: "", interactions: [$0])) }
    return bytes[0] != nil && bytes[0] == bytes[1]
  }
}
