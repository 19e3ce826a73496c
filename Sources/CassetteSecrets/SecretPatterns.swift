internal import CassetteSystem

/// Finds known secrets in all their spellings.
///
/// Percent escapes, backslash escapes and HTML character references are decoded before the search. Each secret is sought
/// verbatim, form-encoded, in base64 at three alignments in two alphabets, and in hexadecimal.
struct SecretPatterns: Sendable {
  /// A spelling of a secret.
  private struct Pattern {
    /// The number of base64 characters before and after it that contain bits of the secret and of other text.
    var before = 0
    var after = 0
    var secret: Int
  }

  private var patterns: [SecretBytes: Pattern] = [:]
  /// The lengths of the spellings by their first six bytes, the longest first: thousands of tokens of one issuer have
  /// the same length.
  private var lengths: [UInt64: [Int]] = [:]
  /// A bit set of the hashes of the first four bytes.
  private var begins = [UInt64](repeating: 0, count: 1024)
  var isEmpty: Bool { patterns.isEmpty }
  /// The minimum length of a value that is searched for.
  static let shortest = 6

  // MARK: Search

  /// Finds secrets from left to right, the longest first; a match in base64 covers all characters with bits of the
  /// secret.
  func search(_ bytes: [UInt8], _ found: (_ range: Range<Int>, _ secret: Int) -> Void) {
    guard !isEmpty, bytes.count >= Self.shortest else { return }
    bytes.searching { text in
      var from = 0
      let end = text.count - Self.shortest + 1
      var steps = (64 << 10) + 64 * text.count
      while from < end, let at = candidate(in: text, from..<end) {
        from = at + 1
        for length in lengths[Self.key(text, at)] ?? [] where length <= text.count - at {
          steps -= length
          // After too many comparisons, nothing of the rest is kept.
          let isRest = steps < 0
          let bytes = SecretBytes(bytes: text.bytes(at..<at + length))
          guard let pattern = isRest ? patterns.values.first : patterns[bytes] else { continue }
          let range = at - pattern.before..<(isRest ? text.count : at + length + pattern.after)
          guard range.lowerBound >= 0, range.upperBound <= text.count else { continue }
          from = max(from, range.upperBound)
          found(range, pattern.secret)
          break
        }
      }
    }
  }

  /// Finds other secrets within a secret.
  func searchWithin(_ secret: [UInt8], _ found: (_ range: Range<Int>, _ secret: Int) -> Void) {
    guard secret.count > Self.shortest else { return }
    // The search returns the longest match, which would be the secret itself, so one byte is removed from either end.
    for offset in 0...1 {
      search(Array(secret[offset..<secret.count - 1 + offset])) { range, secret in
        found(range.lowerBound + offset..<range.upperBound + offset, secret)
      }
    }
  }

  /// Returns the first offset in a part at which a secret may start.
  private func candidate(in text: ByteSearch, _ part: Range<Int>) -> Int? {
    text.uncheckedBytes(in: part.lowerBound..<part.upperBound + 3) { start in
      begins.withUnsafeBufferPointer { begins in
        guard let begins = begins.baseAddress else { return nil }
        var key = UInt32(start.pointee) &<< 8 | UInt32((start + 1).pointee) &<< 16 | UInt32((start + 2).pointee) &<< 24
        var next = start + 3
        let end = start + part.count + 3
        while next < end {
          key = key &>> 8 | UInt32(next.pointee) &<< 24
          next += 1
          // The hash has sixteen bits, so the index is always within `begins`.
          let hash = (key &* Self.factor) &>> 16
          if (begins + Int(hash &>> 6)).pointee &>> UInt64(hash & 63) & 1 == 1 {
            return part.lowerBound + (next - start) - 4
          }
        }
        return nil
      }
    }
  }

  private static func key(_ text: ByteSearch, _ at: Int) -> UInt64 {
    (0..<shortest).reduce(0) { $0 | UInt64(text[at + $1]) << UInt64(8 * $1) }
  }

  private static let factor: UInt32 = 0x9e37_79b1

  // MARK: Patterns

  /// Adds a secret in all its spellings.
  mutating func add(_ value: [UInt8], _ secret: Int) {
    add(value, Pattern(secret: secret))
    // In forms, a space is a plus sign.
    if value.contains(0x20) { add(value.map { $0 == 0x20 ? 0x2b : $0 }, Pattern(secret: secret)) }
    // The bits of the first character that belong to the secret depend on its place.
    for (shift, skipped) in [(0, 0), (1, 4), (2, 2)] {
      // The preceding bytes shift the value; their characters are removed again.
      let encoded = BodyBase64.encode([UInt8](repeating: 0, count: shift) + value)
      let count = (value.count * 8 - skipped) / 6
      let start = (shift * 8 + skipped) / 6
      let spelled = Array(encoded[start..<start + count])
      let hasRest = (value.count * 8 - skipped) % 6 > 0
      let pattern = Pattern(before: skipped == 0 ? 0 : 1, after: hasRest ? 1 : 0, secret: secret)
      add(spelled, pattern)
      if spelled.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }) {
        add(RedactionBase64.forURLs(spelled), pattern)
      }
    }
    for digits in ["0123456789abcdef", "0123456789ABCDEF"].map({ Array($0.utf8) }) {
      var spelled: [UInt8] = []
      spelled.reserveCapacity(2 * value.count)
      for byte in value {
        spelled.append(digits[Int(byte >> 4)])
        spelled.append(digits[Int(byte & 15)])
      }
      add(spelled, Pattern(secret: secret))
    }
  }

  private mutating func add(_ spelled: [UInt8], _ pattern: Pattern) {
    let key = spelled.searching { Self.key($0, 0) }
    if lengths[key]?.contains(spelled.count) != true {
      lengths[key] = ((lengths[key] ?? []) + [spelled.count]).sorted(by: >)
    }
    let bytes = SecretBytes(bytes: spelled)
    if patterns[bytes] == nil { patterns[bytes] = pattern }
    let hash = (UInt32(truncatingIfNeeded: key) &* Self.factor) >> 16
    begins[Int(hash >> 6)] |= 1 << UInt64(hash & 63)
  }
}

/// The bytes of a secret as a key: arrays are hashed one element at a time, which takes most of the time for a token of
/// 100 KB.
struct SecretBytes: Hashable, Sendable {
  let bytes: [UInt8]

  static func == (one: SecretBytes, other: SecretBytes) -> Bool { ByteSearch.isSame(one.bytes, other.bytes) }

  func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
}
