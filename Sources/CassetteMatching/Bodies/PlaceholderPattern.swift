internal import CassetteJSON
internal import CassetteSecrets
internal import CassetteSystem

/// A recorded string with redacted secrets, such as `Bearer {{secret:1}}`, as a pattern for the original strings.
///
/// It matches every string with a nonempty value in place of each secret. Placeholders are found with raw or escaped
/// braces, and within base64 that decodes to text.
struct PlaceholderPattern {
  private indirect enum Piece {
    case literal([UInt8])
    case secret
    case base64(PlaceholderPattern)
  }

  private var pieces: [Piece] = []

  /// True if the string consists of a single secret.
  var isSecretAlone: Bool {
    guard pieces.count == 1, case .secret = pieces[0] else { return false }
    return true
  }

  /// Parses a recorded string; returns nil if it contains no redacted secret.
  init?(_ text: [UInt8]) { self.init(text, depth: 0) }

  private init?(_ text: [UInt8], depth: Int) {
    guard PlaceholderPattern.mayHold(text) else { return nil }
    var places = Self.placeholders(in: text).map { (range: $0, piece: Piece.secret) }
    if depth < 3 {
      Self.eachBase64(in: text) { run, decoded in
        guard let inner = PlaceholderPattern(decoded, depth: depth + 1) else { return }
        places.append((run, .base64(inner)))
      }
      places.sort { $0.range.lowerBound < $1.range.lowerBound }
    }
    guard !places.isEmpty else { return nil }
    var at = 0
    for (range, piece) in places where range.lowerBound >= at {
      if range.lowerBound > at {
        pieces.append(.literal(Array(text[at..<range.lowerBound])))
      } else if case .secret? = pieces.last, case .secret = piece {
        // Adjacent secrets are treated as one secret of any length.
        at = range.upperBound
        continue
      }
      pieces.append(piece)
      at = range.upperBound
    }
    if at < text.count { pieces.append(.literal(Array(text[at...]))) }
  }

  // MARK: Finding

  private static let word = Array("secret".utf8)
  /// The base64 encodings of `{{secret` at each of its three alignments, encoded once and twice, each with the index of
  /// a rare letter.
  private static let encoded: [(text: [UInt8], probe: Int)] = {
    let once = beginnings(of: Array("{{secret".utf8))
    return (once + once.flatMap(beginnings)).map { text in
      (text, text.firstIndex { $0 &- 0x41 < 26 } ?? 0)
    }
  }()

  /// Returns strings one of which occurs in the base64 encoding of any data that contains these bytes.
  private static func beginnings(of bytes: [UInt8]) -> [[UInt8]] {
    (0..<3).map { shift in
      let text = BodyBase64.encode([UInt8](repeating: 0, count: shift) + bytes)
      let first = (shift * 8 + 5) / 6
      let last = (shift + bytes.count) * 8 / 6
      return Array(text[first..<last])
    }
  }

  /// Returns true if a string may contain a placeholder in any spelling; a fast check.
  static func mayHold(_ text: [UInt8]) -> Bool { !placeholders(in: text).isEmpty || mayHoldEncoded(text) }

  /// Returns true if a string may contain the placeholder of a secret in base64.
  static func mayHoldEncoded(_ text: [UInt8]) -> Bool { text.searching(mayHoldEncoded) }

  static func mayHoldEncoded(_ bytes: ByteSearch) -> Bool {
    bytes.count >= 12
      && encoded.contains { needle, probe in
        needle.searching { needle in
          var from = probe
          while let at = bytes.first(needle[probe], from: from) {
            if bytes.has(needle, at: at - probe) { return true }
            from = at + 1
          }
          return false
        }
      }
  }

  private static func placeholders(in text: [UInt8]) -> [Range<Int>] {
    text.searching { bytes in
      var found: [Range<Int>] = []
      for first in [UInt8(ascii: "{"), UInt8(ascii: "%")] {
        var from = 0
        while let brace = bytes.first(first, from: from) {
          let end = endOfPlaceholder(bytes, brace)
          if let end { found.append(brace..<end) }
          from = end ?? brace + 1
        }
      }
      return found.sorted { $0.lowerBound < $1.lowerBound }
    }
  }

  /// Returns the end of `{{secret}}`, `{{secret:1}}` or `{{secret:1:uuid}}`, with or without the number.
  private static func endOfPlaceholder(_ text: ByteSearch, _ start: Int) -> Int? {
    guard let first = endOfBrace(text, start, 0x7b), let second = endOfBrace(text, first, 0x7b),
      word.searching({ text.has($0, at: second) })
    else { return nil }
    var at = second + word.count
    if let number = endOfColon(text, at) {
      at = number
      while at < text.count, text[at] &- 0x30 < 10 { at += 1 }
      if let type = endOfColon(text, at) {
        at = type
        while at < text.count, at - second < SecretAlias.longest, endOfBrace(text, at, 0x7d) == nil,
          !endsOfTypes.contains(text[at])
        {
          at += 1
        }
      }
    }
    return endOfBrace(text, at, 0x7d).flatMap { endOfBrace(text, $0, 0x7d) }
  }

  private static let endsOfTypes = ByteSet(0x00...0x20, adding: "\"\\{<>")

  /// Returns the end of a raw or escaped colon at an offset.
  private static func endOfColon(_ text: ByteSearch, _ at: Int) -> Int? {
    guard at < text.count else { return nil }
    if text[at] == UInt8(ascii: ":") { return at + 1 }
    guard text[at] == UInt8(ascii: "%"), at + 2 < text.count, text[at + 1] == UInt8(ascii: "3") else { return nil }
    return text[at + 2] | 0x20 == UInt8(ascii: "a") ? at + 3 : nil
  }

  /// Returns the end of a raw or escaped brace at an offset.
  private static func endOfBrace(_ text: ByteSearch, _ at: Int, _ brace: UInt8) -> Int? {
    guard at < text.count else { return nil }
    if text[at] == brace { return at + 1 }
    guard text[at] == UInt8(ascii: "%"), at + 2 < text.count, text[at + 1] == UInt8(ascii: "7") else { return nil }
    return text[at + 2] & ~0x20 == (brace & 0x0f) + 0x37 ? at + 3 : nil
  }

  static func eachBase64(in text: [UInt8], _ use: (Range<Int>, [UInt8]) -> Void) {
    text.searching { bytes in
      RedactionBase64.eachRun(in: bytes) { run in
        for part in RedactionBase64.pieces(of: run, in: bytes) where part.count >= RedactionBase64.shortest {
          guard let decoded = RedactionBase64.decode(bytes, part), BodyText.isText(decoded) else { continue }
          return use(part, decoded)
        }
      }
    }
  }

  // MARK: Matching

  /// Returns true if a sent string may be the original of the redacted one.
  func matches(_ sent: [UInt8]) -> Bool { matches(sent, asValues: false) }

  /// Returns true if a sent string may be the original; with `asValues`, each secret is a single value of a form or of
  /// JSON.
  func matches(_ sent: [UInt8], asValues: Bool) -> Bool {
    var at = 0
    for (index, piece) in pieces.enumerated() {
      if case .literal(let literal) = piece {
        // A literal after a secret was matched together with it.
        guard index == 0 else { continue }
        guard sent.starts(with: literal) else { return false }
        at = literal.count
        continue
      }
      guard let end = end(of: piece, at: at, in: sent, before: index + 1, asValues) else { return false }
      at = end
    }
    return at == sent.count
  }

  /// Returns the end of the secret and of the literal that follows it; nil if they do not match.
  private func end(of piece: Piece, at start: Int, in sent: [UInt8], before next: Int, _ asValues: Bool) -> Int? {
    guard next < pieces.count, case .literal(let literal) = pieces[next] else {
      guard next == pieces.count, accepts(sent[start...], piece, before: nil, asValues) else { return nil }
      return sent.count
    }
    if next + 1 == pieces.count {
      let end = sent.count - literal.count
      guard end > start, sent.suffix(literal.count).elementsEqual(literal),
        accepts(sent[start..<end], piece, before: literal.first, asValues)
      else { return nil }
      return sent.count
    }
    var from = start + 1
    var attempts = 0
    while attempts < 64, let end = sent.firstIndex(of: literal, from: from) {
      if accepts(sent[start..<end], piece, before: literal.first, asValues) { return end + literal.count }
      if case .secret = piece { return nil }
      from = end + 1
      attempts += 1
    }
    return nil
  }

  /// The bytes that delimit a value in most formats: a secret does not extend beyond them.
  private static let delimiters = ByteSet(adding: "\"<>&\r\n")

  /// The bytes that never occur unescaped in a value of a form, or between the values of JSON.
  private static let structure = ByteSet(0x00...0x20, adding: "&=\"'{}[]<>,")

  private func accepts(_ text: ArraySlice<UInt8>, _ piece: Piece, before next: UInt8?, _ asValues: Bool) -> Bool {
    guard !text.isEmpty else { return false }
    switch piece {
    case .literal: return false
    case .base64(let inner): return RedactionBase64.decode(text).map(inner.matches) ?? false
    case .secret:
      // Base64 may end with equals signs.
      let rest = text.last == UInt8(ascii: "=") ? text.dropLast() : text
      if asValues, (rest.last == UInt8(ascii: "=") ? rest.dropLast() : rest).contains(where: Self.structure.contains) {
        return false
      }
      guard let next, Self.delimiters.contains(next) else { return true }
      return !text.indices.contains { index in
        text[index] == next && (index == text.startIndex || text[index - 1] != UInt8(ascii: "\\"))
      }
    }
  }
}
