import CassetteHTTP
internal import CassetteSecrets
internal import CassetteSystem
internal import Cassettes

/// Ordering recordings in a cassette, whoever recorded first.
extension RecordingMerge {
  /// The place of one exchange.
  enum Place {
    /// It is a new recording; behind an old one, if that was asked for again just before it.
    case new(Interaction, behind: Int?)
    /// It takes the place of an old recording, which stays as it is when there is nothing to take it.
    case again(Interaction?, Int)
    /// It is an old recording that another test was answered by.
    case shared(Int)

    /// The old recording that it takes the place of.
    var partner: Int? { if case .again(_, let partner) = self { partner } else { nil } }

    /// Tells whether what stands there then is the same as what another test came to.
    func holds(_ other: Interaction?, or old: Interaction) -> Bool {
      guard case .again(let mine, _) = self else { return false }
      return mine == nil && other == nil || RecordingComparison.isSame(mine ?? old, other ?? old)
    }
  }

  /// Puts a cassette together: old recordings in their order, each new one behind what was asked before it.
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
        // Kept, but not what is now known to be a secret.
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

  /// New recordings, by the old one that they stand behind; -1 for the beginning.
  private func followers(_ keys: [String?], _ places: [Place]) -> [Int: [Interaction]] {
    let tags = old.interactions.map { $0.recorded?.by }
    var behind: [Int: [Interaction]] = [:]
    var first: [String?: Int] = [:]
    for (key, place) in zip(keys, places) {
      guard let partner = place.partner else { continue }
      first[key] = min(first[key] ?? .max, partner)
    }
    /// The place of the test's exchange before, for each test.
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

  /// Finds the place of a test's recordings that asks for something new first.
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

  /// Moves on to the test's place behind a recording that is nobody's: several tests stand there in their order.
  private static func advanced(_ position: Int, for key: String?, _ tags: [String?]) -> Int {
    guard let key, position >= 0, tags[position] == nil else { return position }
    var position = position
    while position + 1 < tags.count, let tag = tags[position + 1], TestOrder.precedes(tag, key) { position += 1 }
    return position
  }
}

/// The order of tests in a cassette that they share: by name, numbers by their value.
package enum TestOrder {
  /// Tells whether a test's recordings stand before another's: `item(2)` before `item(10)`.
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
    // `a01` and `a1` are two tests.
    return one.lexicographicallyPrecedes(other)
  }
}
