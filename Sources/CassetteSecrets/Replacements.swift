internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem

/// The replacements in some bytes, from left to right and without overlaps.
struct Replacements {
  /// The replacement for a range.
  enum Replacement {
    /// A secret's alias.
    case alias(Int)
    /// A secret's alias for a JSON number: quoted in JSON, bare in other text.
    case number(Int, isQuoted: Bool)
    /// A note that replaces a body whose scan was abandoned.
    case givenUp
    /// Nothing: the remaining pieces of a secret that is split.
    case nothing
    /// Encoded content, a part of which is encoded again with secrets replaced.
    indirect case wrapped([UInt8], Range<Int>, Replacements, ScannedText.Wrapping)
  }

  typealias Entry = (range: Range<Int>, replacement: Replacement)

  private var entries: [Entry] = []
  private var isSettled = true
  /// The ranges of secrets that are split, each from the first piece to the last.
  private var spans: [Range<Int>] = []
  /// The escaping of custom replacements in this body or field.
  var spelling = SecretSpelling.raw
  /// The ranges that are never replaced.
  var kept: [Range<Int>] = []

  var isEmpty: Bool { entries.isEmpty }

  /// Adds a replacement; ``settle()`` sorts all replacements.
  mutating func insert(_ range: Range<Int>, _ replacement: Replacement) {
    guard !range.isEmpty, !kept.contains(where: { $0.overlaps(range) }) else { return }
    isSettled = isSettled && range.lowerBound >= entries.last?.range.upperBound ?? 0
    entries.append((range, replacement))
  }

  /// Adds the replacement of a split value: its first piece is replaced, and the other pieces are removed.
  mutating func insert(_ ranges: [Range<Int>], _ replacement: Replacement) {
    guard let first = ranges.first, let last = ranges.last else { return }
    for range in ranges.dropFirst() { insert(range, .nothing) }
    if ranges.count > 1 { spans.append(first.lowerBound..<last.upperBound) }
    insert(first, replacement)
  }

  /// Adds the replacements in the payloads of messages.
  mutating func insert(_ inner: Replacements, of payloads: [UInt8], in stream: AmazonEventStream, _ bytes: [UInt8]) {
    var start = 0
    for message in stream.messages {
      let part = start..<start + message.payload.count
      start = part.upperBound + 1
      guard
        let next = inner.entries[inner.entries.partitioningIndex { $0.range.upperBound > part.lowerBound }...].first,
        next.range.lowerBound < part.upperBound
      else { continue }
      insert(message.range, .wrapped(payloads, part, inner, .message(message, old: Array(bytes[message.range]))))
    }
  }

  /// Sorts the replacements and removes overlaps.
  ///
  /// If one contains another, the larger wins; if two overlap partially, they are merged and the one added first wins.
  mutating func settle() {
    guard !isSettled else { return }
    isSettled = true
    let sorted = entries.enumerated().sorted {
      let (one, other) = ($0.element.range, $1.element.range)
      return (one.lowerBound, -one.upperBound, $0.offset) < (other.lowerBound, -other.upperBound, $1.offset)
    }
    entries = []
    var first = 0
    for (order, entry) in sorted {
      guard let last = entries.last?.range, last.upperBound > entry.range.lowerBound else {
        entries.append(entry)
        first = order
        continue
      }
      guard entry.range.upperBound > last.upperBound else { continue }
      if order < first { (entries[entries.count - 1].replacement, first) = (entry.replacement, order) }
      entries[entries.count - 1].range = last.lowerBound..<entry.range.upperBound
    }
  }

  /// Returns the range around an offset that must not be divided, because its replacements belong together.
  func around(_ place: Int) -> Range<Int> {
    let all = entries.map(\.range) + spans
    var around = place..<place
    while let next = all.first(where: {
      $0.lowerBound < around.upperBound && $0.upperBound > around.lowerBound && around.clamped(to: $0) != $0
    }) {
      around = min(around.lowerBound, next.lowerBound)..<max(around.upperBound, next.upperBound)
    }
    return around
  }

  /// Returns the alias that replaces all bytes, or nil if other bytes remain.
  func whole(of count: Int) -> Replacement? {
    guard entries.count == 1, entries[0].range == 0..<count, case .alias = entries[0].replacement else { return nil }
    return entries[0].replacement
  }

  // MARK: Results

  /// Returns the pieces of the bytes with all replacements applied; a replacement across a boundary goes into its first
  /// piece.
  func applied(to bytes: [UInt8], _ lengths: [Int], _ table: inout SecretTable) -> [[UInt8]] {
    var end = 0
    return (lengths.isEmpty ? [bytes.count] : lengths).map { length in
      end += length
      return applied(to: bytes, in: end - length..<end, leavingOutRests: true, &table)
    }
  }

  /// Returns a part of the bytes with all replacements applied.
  ///
  /// A replacement that starts before the part is applied again, or removed if `leavingOutRests` is set.
  func applied(
    to bytes: [UInt8], in part: Range<Int>, leavingOutRests: Bool = false, _ table: inout SecretTable
  ) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(part.count)
    var at = part.lowerBound
    for entry in entries[entries.partitioningIndex { $0.range.upperBound > at }...] {
      if entry.range.lowerBound >= part.upperBound { break }
      if entry.range.lowerBound > at { output += bytes[at..<entry.range.lowerBound] }
      if !leavingOutRests || entry.range.lowerBound >= part.lowerBound {
        output += self.bytes(of: entry.replacement, &table)
      }
      at = entry.range.upperBound
    }
    return at < part.upperBound ? output + bytes[at..<part.upperBound] : output
  }

  private func bytes(of replacement: Replacement, _ table: inout SecretTable) -> [UInt8] {
    switch replacement {
    case .nothing: return []
    case .givenUp: return Array("\(SecretNames.mask): \(RedactionPass.givenUp)".utf8)
    case .alias(let secret): return table.substitute(for: secret).map(spelling.spelled) ?? table.alias(of: secret)
    case .number(let secret, let isQuoted):
      if let text = table.substitute(for: secret) {
        return JSONNumber(text[...]) == nil ? JSONString.encode(String(decoding: text, as: UTF8.self)) : text
      }
      let alias = table.alias(of: secret, asNumber: true)
      return isQuoted ? [UInt8(ascii: "\"")] + alias + [UInt8(ascii: "\"")] : alias
    case .wrapped(let content, let part, let inner, let wrapping):
      return wrapping.wrap(inner.applied(to: content, in: part, leavingOutRests: true, &table))
    }
  }
}

/// The escaping of values in a body, field or URL.
package enum SecretSpelling: CaseIterable, Sendable {
  case raw, percent, json

  /// Escapes a value.
  package func spelled(_ value: [UInt8]) -> [UInt8] {
    switch self {
    case .raw: value
    case .json: Array(JSONString.encode(String(decoding: value, as: UTF8.self)).dropFirst().dropLast())
    case .percent: PercentEncoding.encode(value)
    }
  }
}
