internal import CassetteSystem

/// Known secrets in every way they may be written, and where those stand in a text.
///
/// Percent signs, backslashes and what HTML writes are undone before looking; the rest is looked for as it is written.
package struct SecretPatterns: Sendable {
  /// The bytes of a secret in one spelling.
  private struct Pattern {
    var bytes: [UInt8]
    var secret: Int
    /// The value that base64 characters mean, and the bits of its first byte in the character before; nil for other
    /// texts.
    var base64: (value: [UInt8], before: Int)?
  }

  /// The patterns that begin with the same four bytes: tokens of one issuer do, and may be thousands.
  private struct Bucket {
    private var patterns: [[UInt8]: [Pattern]] = [:]
    /// The lengths of the patterns, the longest first.
    private var lengths: [Int] = []

    /// Takes a pattern in, unless it is there.
    mutating func insert(_ pattern: Pattern) -> Bool {
      let same = patterns[pattern.bytes] ?? []
      guard !same.contains(where: { $0.base64?.value == pattern.base64?.value }) else { return false }
      patterns[pattern.bytes, default: []].append(pattern)
      if !lengths.contains(pattern.bytes.count) { lengths = (lengths + [pattern.bytes.count]).sorted(by: >) }
      return true
    }

    /// Returns the patterns that stand at a place.
    func patterns(in text: ByteSearch, at place: Int) -> [Pattern] {
      lengths.flatMap { length in
        place + length > text.count ? [] : patterns[text.bytes(place..<place + length)] ?? []
      }
    }
  }

  /// The patterns by their first four bytes.
  private var buckets: [UInt32: Bucket] = [:]
  /// A bit for each hash of four bytes that a pattern begins with.
  private var begins = [UInt64](repeating: 0, count: 1024)
  package private(set) var count = 0
  private var longest = 0
  /// The version, which changes whenever a secret is added, and is no other patterns': copies go ways of their own.
  package private(set) var version = 0
  private static let versions = Counter()
  /// The number of bytes below which nothing is looked for.
  package static let shortest = 6

  package init() {}

  // MARK: Search

  /// Finds secrets in a view: from left to right, the longest first.
  package func search(_ view: DecodedView, _ found: (_ range: Range<Int>, _ secret: Int, _ isBase64: Bool) -> Void) {
    guard count > 0 else { return }
    for part in view.parts(margin: longest) { search(view.bytes, part, found) }
  }

  /// Finds secrets that begin in a part of bytes; of base64 each character that holds a bit of one.
  package func search(
    _ bytes: [UInt8], _ part: Range<Int>? = nil, _ found: (_ range: Range<Int>, _ secret: Int, _ isBase64: Bool) -> Void
  ) {
    guard count > 0, bytes.count >= Self.shortest else { return }
    bytes.searching { text in
      let part = part ?? 0..<text.count
      var from = part.lowerBound
      // What begins at another bit of a byte is other bytes.
      var ends = SIMD4(repeating: 0)
      let end = min(part.upperBound, text.count - 3)
      while from < end, let (at, key) = candidate(in: text, from..<end) {
        from = at + 1
        for pattern in buckets[key]?.patterns(in: text, at: at) ?? [] {
          guard let (value, before) = pattern.base64 else {
            from = at + pattern.bytes.count
            found(at..<from, pattern.secret, false)
            break
          }
          let bit = at * 6 - before
          guard bit >= ends[bit & 7 / 2], RedactionBase64.isMatch(value, text, atBit: bit) else { continue }
          ends[bit & 7 / 2] = bit + value.count * 8
          found(bit / 6..<(bit + value.count * 8 + 5) / 6, pattern.secret, true)
        }
      }
    }
  }

  /// Finds what stands in a secret and is another, as it is written.
  package func searchWithin(_ secret: [UInt8], _ found: (_ range: Range<Int>, _ secret: Int) -> Void) {
    guard secret.count > Self.shortest else { return }
    // Of what begins at one place the longest is found, which is the secret itself.
    for offset in 0...1 {
      search(Array(secret[offset..<secret.count - 1 + offset])) { range, secret, isBase64 in
        if !isBase64 { found(range.lowerBound + offset..<range.upperBound + offset, secret) }
      }
    }
  }

  /// The first place in a part where a pattern may begin.
  private func candidate(in text: ByteSearch, _ part: Range<Int>) -> (at: Int, key: UInt32)? {
    text.uncheckedBytes(in: part.lowerBound..<part.upperBound + 3) { start in
      begins.withUnsafeBufferPointer { begins in
        guard let begins = begins.baseAddress else { return nil }
        var key = UInt32(start.pointee) &<< 8 | UInt32((start + 1).pointee) &<< 16 | UInt32((start + 2).pointee) &<< 24
        var next = start + 3
        let end = start + part.count + 3
        while next < end {
          key = key &>> 8 | UInt32(next.pointee) &<< 24
          next += 1
          // Within `begins` by construction: sixteen bits.
          let hash = (key &* Self.factor) &>> 16
          if (begins + Int(hash &>> 6)).pointee &>> UInt64(hash & 63) & 1 == 1 {
            return (part.lowerBound + (next - start) - 4, key)
          }
        }
        return nil
      }
    }
  }

  private static let factor: UInt32 = 0x9e37_79b1

  // MARK: Patterns

  /// Takes a secret in.
  package mutating func add(_ value: [UInt8], _ secret: Int) {
    version = Self.versions.add(1)
    add(Pattern(bytes: value, secret: secret))
    // A form's spaces.
    if value.contains(0x20) { add(Pattern(bytes: value.map { $0 == 0x20 ? 0x2b : $0 }, secret: secret)) }
    for skipped in [0, 2, 4] {
      let characters = Self.characters(value, 6, BodyBase64.alphabet, skipping: skipped)
      let base64 = (value: value, before: skipped)
      add(Pattern(bytes: characters, secret: secret, base64: base64))
      let forURLs = characters.map { $0 == UInt8(ascii: "+") ? 0x2d : $0 == UInt8(ascii: "/") ? 0x5f : $0 }
      add(Pattern(bytes: forURLs, secret: secret, base64: base64))
    }
    guard value.count < 512 else { return }
    for digits in ["0123456789abcdef", "0123456789ABCDEF"] {
      add(Pattern(bytes: Self.characters(value, 4, Array(digits.utf8)), secret: secret))
    }
    // RFC 4648 §6.
    add(Pattern(bytes: Self.characters(value, 5, Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)), secret: secret))
  }

  /// The characters that are bits of these bytes alone, when so many bits are skipped.
  ///
  /// Of the last bits, what follows decides.
  private static func characters(_ bytes: [UInt8], _ width: Int, _ alphabet: [UInt8], skipping skipped: Int = 0)
    -> [UInt8]
  {
    var characters: [UInt8] = []
    var (bits, count) = (UInt32(0), -skipped)
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= width {
        count -= width
        characters.append(alphabet[Int(bits >> UInt32(count)) & (1 << width - 1)])
      }
    }
    return characters
  }

  private mutating func add(_ pattern: Pattern) {
    var key: UInt32 = 0
    for byte in pattern.bytes.prefix(4).reversed() { key = key << 8 | UInt32(byte) }
    guard buckets[key, default: Bucket()].insert(pattern) else { return }
    count += 1
    longest = max(longest, pattern.bytes.count)
    let hash = (key &* Self.factor) >> 16
    begins[Int(hash >> 6)] |= 1 << UInt64(hash & 63)
  }
}
