internal import CassetteSystem

/// Finds known secrets in all their spellings.
///
/// Percent escapes, backslash escapes and HTML character references are decoded before the search; the other spellings
/// are searched for directly.
package struct SecretPatterns: Sendable {
  /// The spellings of a secret: verbatim, form-encoded, base64 after a number of bits of the first character, and
  /// hexadecimal.
  private enum Spelling: Hashable {
    case plain, form
    case base64(before: Int)
    case hexadecimal
  }

  /// Secrets of equal length and spelling with the same first four bytes, such as thousands of tokens of one issuer.
  private struct Group {
    var spelling: Spelling
    var length: Int
    /// The numbers of the secrets, by value.
    var secrets: [[UInt8]: Int] = [:]
  }

  /// The groups by the first four bytes of their spelling, longest secrets first.
  private var groups: [UInt32: [Group]] = [:]
  /// A bit set of the hashes of the first four bytes.
  private var begins = [UInt64](repeating: 0, count: 1024)
  package private(set) var count = 0
  private var longest = 0
  /// The version, which changes when a secret is added and is unique among all instances, because copies diverge.
  package private(set) var version = 0
  private static let versions = Counter()
  /// The minimum length of a value that is searched for.
  package static let shortest = 6

  package init() {}

  // MARK: Search

  /// Finds secrets in a view from left to right, the longest first.
  package func search(_ view: DecodedView, _ found: (_ range: Range<Int>, _ secret: Int, _ isBase64: Bool) -> Void) {
    guard count > 0 else { return }
    for part in view.parts(margin: longest) { search(view.bytes, part, found) }
  }

  /// Finds secrets that start in a part of the bytes; a match in base64 covers all characters with bits of the secret.
  package func search(
    _ bytes: [UInt8], _ part: Range<Int>? = nil, _ found: (_ range: Range<Int>, _ secret: Int, _ isBase64: Bool) -> Void
  ) {
    guard count > 0, bytes.count >= Self.shortest else { return }
    bytes.searching { text in
      let part = part ?? 0..<text.count
      var from = part.lowerBound
      // Matches in base64 that start at different bit offsets may overlap, so each alignment has its own end.
      var ends = SIMD4(repeating: 0)
      let end = min(part.upperBound, text.count - 3)
      while from < end, let (at, key) = candidate(in: text, from..<end) {
        from = at + 1
        for group in groups[key] ?? [] {
          guard let value = Self.value(of: group, in: text, at: at), let secret = group.secrets[value] else { continue }
          if case .base64(let before) = group.spelling {
            let bit = at * 6 - before
            guard bit >= ends[bit & 7 / 2] else { continue }
            ends[bit & 7 / 2] = bit + value.count * 8
            found(bit / 6..<(bit + value.count * 8 + 5) / 6, secret, true)
          } else {
            from = at + (group.spelling == .hexadecimal ? 2 : 1) * value.count
            found(at..<from, secret, false)
            break
          }
        }
      }
    }
  }

  /// Returns the decoded value at an offset in the spelling of a group, or nil if the bytes are not in this spelling.
  private static func value(of group: Group, in text: ByteSearch, at start: Int) -> [UInt8]? {
    switch group.spelling {
    case .plain, .form:
      guard start + group.length <= text.count else { return nil }
      let bytes = text.bytes(start..<start + group.length)
      return group.spelling == .plain ? bytes : bytes.map { $0 == 0x2b ? 0x20 : $0 }
    case .hexadecimal:
      guard start + 2 * group.length <= text.count else { return nil }
      var value: [UInt8] = []
      for at in stride(from: start, to: start + 2 * group.length, by: 2) {
        guard let high = text[at].hexadecimalValue, let low = text[at + 1].hexadecimalValue else { return nil }
        value.append(high << 4 | low)
      }
      return value
    case .base64(let before): return RedactionBase64.bytes(group.length, in: text, atBit: start * 6 - before)
    }
  }

  /// Finds other secrets within a secret, in any spelling except base64.
  package func searchWithin(_ secret: [UInt8], _ found: (_ range: Range<Int>, _ secret: Int) -> Void) {
    guard secret.count > Self.shortest else { return }
    // The search returns the longest match, which would be the secret itself, so one byte is removed from either end.
    for offset in 0...1 {
      search(Array(secret[offset..<secret.count - 1 + offset])) { range, secret, isBase64 in
        if !isBase64 { found(range.lowerBound + offset..<range.upperBound + offset, secret) }
      }
    }
  }

  /// Returns the first offset in a part at which a secret may start.
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
          // The hash has sixteen bits, so the index is always within `begins`.
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

  /// Adds a secret in all its spellings.
  package mutating func add(_ value: [UInt8], _ secret: Int) {
    version = Self.versions.add(1)
    let head = Array(value.prefix(6))
    add(value, secret, .plain, head)
    // In forms, a space is a plus sign.
    if value.contains(0x20) { add(value, secret, .form, head.map { $0 == 0x20 ? 0x2b : $0 }) }
    for skipped in [0, 2, 4] {
      let characters = Self.characters(head, skipping: skipped)
      let forURLs = characters.map { $0 == UInt8(ascii: "+") ? 0x2d : $0 == UInt8(ascii: "/") ? 0x5f : $0 }
      add(value, secret, .base64(before: skipped), characters)
      if forURLs != characters { add(value, secret, .base64(before: skipped), forURLs) }
    }
    let digits = Array("0123456789abcdef".utf8)
    let hexadecimal = head.prefix(2).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    add(value, secret, .hexadecimal, hexadecimal)
    let upper = hexadecimal.map { $0 > 0x60 ? $0 - 0x20 : $0 }
    if upper != hexadecimal { add(value, secret, .hexadecimal, upper) }
  }

  /// Returns the base64 characters that contain only bits of the given bytes, after skipping some bits.
  private static func characters(_ bytes: [UInt8], skipping skipped: Int) -> [UInt8] {
    var characters: [UInt8] = []
    var (bits, count) = (UInt32(0), -skipped)
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 6 {
        count -= 6
        characters.append(BodyBase64.alphabet[Int(bits >> UInt32(count)) & 63])
      }
    }
    return characters
  }

  private mutating func add(_ value: [UInt8], _ secret: Int, _ spelling: Spelling, _ head: [UInt8]) {
    var key: UInt32 = 0
    for byte in head.prefix(4).reversed() { key = key << 8 | UInt32(byte) }
    var all = groups[key] ?? []
    groups[key] = nil
    let place = all.firstIndex { $0.spelling == spelling && $0.length == value.count }
    let index = place ?? all.partitioningIndex { $0.length < value.count }
    if place == nil { all.insert(Group(spelling: spelling, length: value.count), at: index) }
    if all[index].secrets[value] == nil { all[index].secrets[value] = secret }
    groups[key] = all
    count += 1
    longest = max(longest, value.count * 2)
    let hash = (key &* Self.factor) >> 16
    begins[Int(hash >> 6)] |= 1 << UInt64(hash & 63)
  }
}
