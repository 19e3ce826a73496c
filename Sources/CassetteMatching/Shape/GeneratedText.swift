internal import CassetteSecrets
internal import CassetteSystem

/// Finds values in text that clients generate at each call: times, random ids, tokens.
enum GeneratedText {
  /// The mark that replaces such a value; never a byte of UTF-8.
  static let mark: UInt8 = 0xff

  /// The minimum length of text that can contain such a value.
  private static let shortest = 10

  /// Returns the text with a mark in place of each generated value; nil if it contains none.
  static func masked(_ text: [UInt8], named name: [UInt8] = []) -> [UInt8]? {
    guard text.count >= shortest else { return nil }
    return text.searching { bytes in
      let whole = 0..<bytes.count
      guard hasDigit(bytes) else { return nil }
      if bytes.count <= 24, GeneratedTime.isEpoch(bytes, whole) {
        return GeneratedTime.mayCount(named: name) ? [mark] : nil
      }
      if GeneratedTime.isTime(bytes, whole) { return [mark] }
      if isBase64(bytes) { return [mark] }
      return masked(text, bytes)
    }
  }

  /// Returns text of several lines with a mark in place of each generated token; nil if it contains none.
  static func masked(tokensOf text: [UInt8]) -> [UInt8]? { text.searching { masked(text, $0) } }

  private static func masked(_ text: [UInt8], _ bytes: ByteSearch) -> [UInt8]? {
    var ranges: [Range<Int>] = []
    eachToken(bytes) { ranges += generated(bytes, $0) }
    return ranges.isEmpty ? nil : text.replacing(ranges.map { ($0, [mark]) })
  }

  /// Returns true if digits count seconds or milliseconds since 1970, unless the member's name contradicts this.
  static func isTimestamp(_ text: [UInt8], _ range: Range<Int>, named name: [UInt8]) -> Bool {
    guard range.count >= 9, text.searching({ GeneratedTime.isEpoch($0, range) }) else { return false }
    return GeneratedTime.mayCount(named: name)
  }

  private static func hasDigit(_ text: ByteSearch) -> Bool {
    var at = 0
    while at < text.count {
      if text[at] &- 0x30 < 10 { return true }
      at += 1
    }
    return false
  }

  /// Returns true for random base64 with or without padding, such as a signature or a nonce.
  private static func isBase64(_ text: ByteSearch) -> Bool {
    var end = text.count
    while end > 0, text.count - end < 2, text[end - 1] == UInt8(ascii: "=") { end -= 1 }
    guard end >= 20 else { return false }
    let isPadded = end < text.count
    guard isPadded || text.first(UInt8(ascii: "/"), in: 0..<end) != nil else { return false }
    return RandomToken.isRandomWithSeparators(text, 0..<end)
  }

  // MARK: Tokens

  private static let tokenBytes = ByteSet.word.adding("_:.+-")
  private static let separators = ByteSet(adding: "_:.+-")

  /// Calls `use` for each run of letters, digits and `_:.+-`, and for each date of several words as a whole.
  private static func eachToken(_ text: ByteSearch, _ use: (Range<Int>) -> Void) {
    var at = 0
    while at < text.count {
      guard tokenBytes.contains(text[at]) else {
        at += 1
        continue
      }
      let start = at
      while at < text.count, tokenBytes.contains(text[at]) { at += 1 }
      if let end = endOfDate(text, start..<at) { at = end }
      if at - start >= shortest { use(start..<at) }
    }
  }

  /// Returns the end of a date that begins with a token and continues after a space.
  private static func endOfDate(_ text: ByteSearch, _ token: Range<Int>) -> Int? {
    let after = token.upperBound
    guard after + 1 < text.count else { return nil }
    if token.count == 10, text[after] == 0x20, text[token.lowerBound] &- 0x30 < 10 {
      // 2026-11-22 01:02:03
      var end = after + 1
      while end < text.count, tokenBytes.contains(text[end]) { end += 1 }
      return GeneratedTime.isTime(text, token.lowerBound..<end) ? end : nil
    }
    // Sun, 22 Nov 2026 01:02:03 GMT
    let end = token.lowerBound + 29
    guard token.count == 3, text[after] == UInt8(ascii: ","), end <= text.count else { return nil }
    return GeneratedTime.isTime(text, token.lowerBound..<end) ? end : nil
  }

  /// Returns the generated parts of a token.
  private static func generated(_ text: ByteSearch, _ token: Range<Int>) -> [Range<Int>] {
    var core = token
    while !core.isEmpty, separators.contains(text[core.upperBound - 1]) { core = core.dropLast() }
    while !core.isEmpty, separators.contains(text[core.lowerBound]) { core = core.dropFirst() }
    guard core.count >= 13 else { return [] }
    if GeneratedTime.isTime(text, core) || isJWT(text, core) { return [core] }
    let ids = identifiers(text, core)
    guard ids.isEmpty else { return ids }
    if let random = random(text, core) { return [random] }
    var found: [Range<Int>] = []
    var start = core.lowerBound
    for index in core where separators.contains(text[index]) {
      if isRandomSegment(text, start..<index) { found.append(start..<index) }
      start = index + 1
    }
    if isRandomSegment(text, start..<core.upperBound) { found.append(start..<core.upperBound) }
    return found
  }

  private static func isRandomSegment(_ text: ByteSearch, _ segment: Range<Int>) -> Bool {
    if segment.count == 13, GeneratedTime.isEpoch(text, segment) { return true }
    return RandomToken.isRandom(text, segment)
  }

  /// Returns true for a JWT: three parts of base64, of which the first encodes the beginning of a JSON object.
  private static func isJWT(_ text: ByteSearch, _ token: Range<Int>) -> Bool {
    guard token.count >= 40, text[token.lowerBound] == UInt8(ascii: "e"), text[token.lowerBound + 1] == 0x79,
      text[token.lowerBound + 2] == UInt8(ascii: "J")
    else { return false }
    var dots = 0
    for index in token {
      if text[index] == UInt8(ascii: ".") {
        dots += 1
      } else if !RedactionBase64.alphabet.contains(text[index]) {
        return false
      }
    }
    return dots == 2
  }

  /// Returns the random part of a token after its initial words: `sk-proj-V1StGXR8_Z5jdHi6B-myT`.
  private static func random(_ text: ByteSearch, _ core: Range<Int>) -> Range<Int>? {
    var start = core.lowerBound
    var at = start
    while at < core.upperBound, (text[at] | 0x20) &- 0x61 < 26 {
      while at < core.upperBound, (text[at] | 0x20) &- 0x61 < 26 { at += 1 }
      guard at < core.upperBound, separators.contains(text[at]) else { break }
      at += 1
      start = at
    }
    let rest = start..<core.upperBound
    return RandomToken.isRandomWithSeparators(text, rest) ? rest : nil
  }

  /// Returns the UUIDs in a token: `order-550e8400-e29b-41d4-a716-446655440000`.
  private static func identifiers(_ text: ByteSearch, _ core: Range<Int>) -> [Range<Int>] {
    var found: [Range<Int>] = []
    guard core.count >= 36 else { return [] }
    var at = core.lowerBound + 8
    while at + 28 <= core.upperBound {
      guard text[at] == UInt8(ascii: "-") else {
        at += 1
        continue
      }
      let place = at - 8..<at + 28
      if text.holdsUUID(at: place.lowerBound), isAlone(text, place, in: core) {
        found.append(place)
        at += 36
      } else {
        at += 1
      }
    }
    return found
  }

  private static func isAlone(_ text: ByteSearch, _ place: Range<Int>, in core: Range<Int>) -> Bool {
    let before = place.lowerBound == core.lowerBound || separators.contains(text[place.lowerBound - 1])
    return before && (place.upperBound == core.upperBound || separators.contains(text[place.upperBound]))
  }
}
