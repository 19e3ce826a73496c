import CassetteHTTP
internal import CassetteSecrets
internal import CassetteSystem
internal import Cassettes

/// Orders recordings in a cassette, independent of the order in which they were recorded.
extension RecordingMerge {
  /// The placement of an exchange.
  enum Place {
    /// A new recording; `behind` is the old recording that the same request repeats, if any.
    case new(Interaction, behind: Int?)
    /// A repetition of an old recording, which is kept unchanged if there is no replacement.
    case again(Interaction?, Int)
    /// A repetition of an old recording that another test of this session already repeated.
    case shared(Int)

    /// The index of the old recording that the exchange repeats.
    var partner: Int? { if case .again(_, let partner) = self { partner } else { nil } }

    /// True if the resulting recording equals the one of another test.
    func holds(_ other: Interaction?, or old: Interaction) -> Bool {
      guard case .again(let mine, _) = self else { return false }
      return mine == nil && other == nil || RecordingComparison.isSame(mine ?? old, other ?? old)
    }
  }

  /// Assembles a cassette from the old recordings in their order, each new recording after its predecessor.
  mutating func result(
    _ cassette: Cassette, _ keys: [String?], _ places: [Place], _ outcomes: [Outcome],
    _ asked: (all: Set<Int>, unanswered: [String])
  ) throws(CassetteError) -> Result {
    var cassette = cassette
    var again: [Int: Interaction] = [:]
    for case .again(let interaction?, let partner) in places { again[partner] = interaction }
    let behind = followers(keys, places)
    var result = Result(
      cassette: cassette, sources: [], outcomes: outcomes, asked: asked.all, unanswered: asked.unanswered)
    result.replaced = Set(again.keys)
    cassette.interactions = []
    func append(_ interaction: Interaction, _ source: Int?) {
      cassette.interactions.append(interaction)
      result.sources.append(source)
    }
    for interaction in behind[-1] ?? [] { append(interaction, nil) }
    for (index, before) in old.interactions.enumerated() {
      var kept = before
      if let interaction = again[index] {
        kept = interaction
      } else {
        // The recording is kept, but newly known secrets are redacted.
        let after = try pass.redacting(before, onlyKnown: true)
        if !RecordingComparison.isSame(before, after) {
          result.reredacted.append(before.id)
          kept = after
        }
      }
      append(kept, index)
      for interaction in behind[index] ?? [] { append(interaction, nil) }
    }
    cassette.origin = cassette.origin.map { pass.redacting($0, as: .url) }
    result.cassette = cassette
    return result
  }

  /// Returns the new recordings by the index of the old recording that precedes them; -1 for the beginning.
  private func followers(_ keys: [String?], _ places: [Place]) -> [Int: [Interaction]] {
    let tags = old.interactions.map { $0.recorded?.by }
    var behind: [Int: [Interaction]] = [:]
    var first: [String?: Int] = [:]
    for (key, place) in zip(keys, places) {
      guard let partner = place.partner else { continue }
      first[key] = min(first[key] ?? .max, partner)
    }
    /// The index of the previous exchange of each test.
    var last: [String?: Int] = [:]
    for (key, place) in zip(keys, places) {
      switch place {
      case .again(_, let partner), .shared(let partner): last[key] = partner
      case .new(let interaction, let partner):
        let position = partner ?? last[key] ?? Self.beginning(of: key, before: first[key], tags)
        let settled = Self.advanced(position, for: key, tags)
        behind[settled, default: []].append(interaction)
        last[key] = settled
      }
    }
    return behind
  }

  /// Returns the index after which a test is inserted whose first exchange is new.
  private static func beginning(of key: String?, before first: Int?, _ tags: [String?]) -> Int {
    if let first {
      var position = first - 1
      while let key, position >= 0, let tag = tags[position], TestOrder.precedes(key, tag) { position -= 1 }
      return position
    }
    guard let key else { return tags.count - 1 }
    let earlier = tags.lastIndex { tag in tag.map { !TestOrder.precedes(key, $0) } ?? false }
    let later = tags.firstIndex { tag in tag.map { TestOrder.precedes(key, $0) } ?? false }
    return earlier ?? later.map { $0 - 1 } ?? tags.count - 1
  }

  /// Skips the recordings of preceding tests after a recording without a test.
  private static func advanced(_ position: Int, for key: String?, _ tags: [String?]) -> Int {
    guard let key, position >= 0, tags[position] == nil else { return position }
    var position = position
    while position + 1 < tags.count, let tag = tags[position + 1], TestOrder.precedes(tag, key) { position += 1 }
    return position
  }
}

/// The order of tests in a shared cassette: by name, with numbers compared by value.
package enum TestOrder {
  /// True if a test's recordings precede another test's: `item(2)` is before `item(10)`.
  package static func precedes(_ one: String, _ other: String) -> Bool {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    var (left, right) = (one[...], other[...])
    while let first = left.first, let second = right.first {
      let numbers = (left.prefix(while: \.isDigit), right.prefix(while: \.isDigit))
      if !numbers.0.isEmpty, !numbers.1.isEmpty {
        let values = (numbers.0.drop { $0 == 0x30 }, numbers.1.drop { $0 == 0x30 })
        if values.0.count != values.1.count { return values.0.count < values.1.count }
        if !values.0.elementsEqual(values.1) { return values.0.lexicographicallyPrecedes(values.1) }
        left = left.dropFirst(numbers.0.count)
        right = right.dropFirst(numbers.1.count)
      } else {
        if first != second { return first < second }
        left = left.dropFirst()
        right = right.dropFirst()
      }
    }
    if left.isEmpty != right.isEmpty { return left.isEmpty }
    // `a01` and `a1` are different tests.
    return one.lexicographicallyPrecedes(other)
  }
}
