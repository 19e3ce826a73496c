package import CassetteSystem

/// Finds values with the shape of a secret, for all parts of the program that search for secrets.
package enum SecretShapes {
  /// Calls a closure with each secret, in order and without overlaps.
  ///
  /// The escapes of JSON and URLs must be decoded already. A name before a secret is not included.
  package static func eachMatch(in text: ByteSearch, _ found: (SecretShape, Range<Int>) -> Void) {
    let index = SecretShapeIndex.shared
    var matches: [Match] = []
    // Several words may end at the same offset; they share the value after it.
    var (valueEnd, value): (Int, (start: Int, behindSigns: Int)?) = (-1, nil)
    var runs: [Range<Int>] = []
    // The end of the last match of each pattern.
    var ends: [Int: Int] = [:]
    func take(_ range: Range<Int>?, by number: Int) {
      guard let range, !isPlaceholder(text, range) else { return }
      // A name or a path before a value shows that it is not a part of other data.
      if index.patterns[number].isUnnamed, Base64Data.contains(range, in: text) { return }
      ends[number] = range.upperBound
      matches.append((index.patterns[number].shape, range))
    }
    index.automaton.scan(text, 0..<text.count) { number, end in
      let word = index.words[number]
      if number == 0, let block = SecretKeyBlock.range(in: text, behind: end) {
        matches.append((SecretShapeIndex.block, block))
      }
      // A run of keywords is one match.
      for number in word.forms where end > ends[number] ?? 0 {
        take(form(index.patterns[number], text, end, &runs), by: number)
      }
      guard !word.names.isEmpty else { return }
      if valueEnd != end { (valueEnd, value) = (end, assigned(text, behind: end)) }
      guard let value else { return }
      for number in word.names {
        let pattern = index.patterns[number]
        let match = pattern.match(text, at: value.start, &runs)
        let isNext = match == nil && value.behindSigns > value.start
        take(isNext ? pattern.match(text, at: value.behindSigns, &runs) : match, by: number)
      }
    }
    for match in apart(matches) { found(match.shape, match.range) }
  }

  /// True if the whole value is a token recognized by its form.
  package static func isToken(_ value: [UInt8]) -> Bool {
    var isToken = false
    value.searching { text in
      eachMatch(in: text) { shape, range in
        if range.count == text.count, shape.evidence == .form || shape.evidence == .block { isToken = true }
      }
    }
    return isToken
  }

  private typealias Match = (shape: SecretShape, range: Range<Int>)

  /// Removes overlaps: the match with the stronger evidence is kept, then the first, then the longer.
  private static func apart(_ matches: [Match]) -> [Match] {
    func order(_ match: Match) -> (Int, Int, Int) {
      (match.range.lowerBound, match.shape.evidence.rawValue, -match.range.count)
    }
    if matches.isEmpty { return [] }
    var kept: [Match] = []
    for match in matches.sorted(by: { order($0) < order($1) }) {
      if let last = kept.last, last.range.upperBound > match.range.lowerBound {
        guard match.shape.evidence.rawValue < last.shape.evidence.rawValue else { continue }
        kept.removeLast()
        // The last run of a token may extend into the next match.
        if last.shape.evidence == .form { kept.append((last.shape, last.range.lowerBound..<match.range.lowerBound)) }
      }
      kept.append(match)
    }
    return kept
  }

  /// Returns the secret in a match of a pattern whose keyword ends at an offset.
  private static func form(
    _ pattern: SecretPattern, _ text: ByteSearch, _ end: Int, _ runs: inout [Range<Int>]
  ) -> Range<Int>? {
    guard let keyword = pattern.keyword else { return nil }
    let start = end - pattern.pieces[keyword.piece].literal.count
    // The automaton ignores case, so case is checked here.
    guard start >= keyword.offset, pattern.pieces[keyword.piece].literalEnd(in: text, from: start) != nil,
      pattern.isAnywhere || !ByteSet.word.contains(text.at(start - keyword.offset - 1))
    else { return nil }
    return pattern.match(text, at: start - keyword.offset, &runs)
  }

  /// Returns the start of the value assigned to the name that contains a word, and the start after leading signs.
  private static func assigned(_ text: ByteSearch, behind end: Int) -> (start: Int, behindSigns: Int)? {
    var at = text.end(of: restOfName, from: end, atMost: 20)
    at = text.end(of: behindName, from: at, atMost: 4)
    guard at < text.count else { return nil }
    let next = text.at(at + 1)
    switch text[at] {
    case UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: ","): at += 1
    case UInt8(ascii: ":"): at = text.end(of: colon, from: at, atMost: 3)
    case UInt8(ascii: "|") where next == UInt8(ascii: "|"): at += 2
    case UInt8(ascii: "?") where next == UInt8(ascii: "="): at += 2
    default: return nil
    }
    if text.at(at) == UInt8(ascii: ">") { at += 1 }
    // The value starts after its quote, and may start with a sign.
    let start = text.end(of: quotes, from: text.end(of: beforeValue, from: at, atMost: 6), atMost: 4)
    return (start, text.end(of: signs, from: start, atMost: 4))
  }

  private static let restOfName = SecretText.under.adding(" \t.-")
  private static let quotes = ByteSet(0x09...0x0d, adding: " '\"`\\")
  private static let signs = quotes.adding("=")
  private static let behindName = quotes.adding("])")
  private static let colon = ByteSet(adding: ":")
  private static let beforeValue = ByteSet(0x09...0x0d, adding: " =")

  /// True if the value is a placeholder.
  private static func isPlaceholder(_ text: ByteSearch, _ range: Range<Int>) -> Bool {
    let head = range.prefix(SecretText.head)
    var isFound = text.has("{{secret", at: range.lowerBound) || head.allSatisfy { text[$0] == text[head.lowerBound] }
    placeholders.scan(text, head) { _, _ in isFound = true }
    return isFound
  }

  private static let placeholders = KeywordAutomaton(
    SecretShapeIndex.words(SecretShapeTable.placeholders).map { Array($0.utf8) })
}
