package import CassetteSystem

/// Finds what has the shape of a secret: the four questions to secrets ask here what is one.
package enum SecretShapes {
  /// The most bytes between a secret and the text that tells its kind: a name, an assignment, the mark in its middle.
  private static let margin = 192

  /// The finds of a pass beside tokens, which say where to look for names, and if there are pieces of a text.
  package struct Marks {
    /// The ends of parts of the names of secrets.
    package var names: [Int] = []
    /// True if a member of JSON has the name of a piece of a text.
    package var hasPieces = false
  }

  /// Calls back with each secret that begins in a part of a text, in their order; none overlaps another.
  ///
  /// The text around the part is looked at too, so that parts of a text say the same as the whole. What JSON or a URL
  /// escapes is to be escaped no more. A name before a secret is none of it.
  ///
  /// - Returns: What else is to be looked for.
  @discardableResult
  package static func eachMatch(
    in text: ByteSearch, _ part: Range<Int>, _ found: (SecretShape, Range<Int>) -> Void
  ) -> Marks {
    let shared = SecretShapeIndex.shared
    var marks = Marks()
    var matches: [Match] = []
    let seen = max(0, part.lowerBound - margin)..<min(text.count, part.upperBound + margin)
    // Several words may end at one place: what they stand before is the same.
    var (valueEnd, value): (Int, (start: Int, behindSigns: Int)?) = (-1, nil)
    var runs: [Range<Int>] = []
    func take(_ range: Range<Int>?, by number: Int) {
      guard let range, !isPlaceholder(text, range) else { return }
      matches.append((shared.index.shapes[shared.index.patterns[number].shape], range))
    }
    shared.index.automaton.scan(text, seen) { word, end in
      let uses = shared.index.uses[word]
      if uses.contains(.namePart) {
        marks.names.append(end)
        if uses == .namePart { return }
      }
      if uses.contains(.piece) { marks.hasPieces = true }
      if uses.contains(.block), let block = SecretKeyBlock.range(in: text, behind: end) {
        matches.append((shared.index.shapes[0], block))
      }
      if uses.contains(.form) {
        for number in shared.index.forms[word] {
          take(form(shared.index.patterns[number], text, end, &runs), by: number)
        }
      }
      guard uses.contains(.name) else { return }
      if valueEnd != end { (valueEnd, value) = (end, assigned(text, behind: end)) }
      guard let value else { return }
      for number in shared.index.names[word] {
        let pattern = shared.index.patterns[number]
        let match = pattern.match(text, at: value.start, &runs)
        let isNext = match == nil && value.behindSigns > value.start
        take(isNext ? pattern.match(text, at: value.behindSigns, &runs) : match, by: number)
      }
    }
    if matches.isEmpty { return marks }
    for match in apart(matches) where part.contains(match.range.lowerBound) { found(match.shape, match.range) }
    return marks
  }

  /// Tells whether bytes as a whole are a token whose form says so.
  package static func isToken(_ value: [UInt8]) -> Bool {
    var isToken = false
    _ = value.searching { text in
      eachMatch(in: text, 0..<text.count) { shape, range in
        if range.count == text.count, shape.evidence == .form || shape.evidence == .block { isToken = true }
      }
    }
    return isToken
  }

  private typealias Match = (shape: SecretShape, range: Range<Int>)

  /// Removes overlaps: of two matches the surer stays, or the first, or the longer.
  private static func apart(_ matches: [Match]) -> [Match] {
    func order(_ match: Match) -> (Int, Int, Int) {
      (match.range.lowerBound, match.shape.evidence.rawValue, -match.range.count)
    }
    var kept: [Match] = []
    for match in matches.sorted(by: { order($0) < order($1) }) {
      if let last = kept.last, last.range.upperBound > match.range.lowerBound {
        guard match.shape.evidence.rawValue < last.shape.evidence.rawValue else { continue }
        kept.removeLast()
        // The dashes of a key may go on where a token is.
        if last.shape.evidence == .form { kept.append((last.shape, last.range.lowerBound..<match.range.lowerBound)) }
      }
      kept.append(match)
    }
    return kept
  }

  /// The secret of a form whose keyword ends at an offset.
  private static func form(
    _ pattern: SecretPattern, _ text: ByteSearch, _ end: Int, _ runs: inout [Range<Int>]
  ) -> Range<Int>? {
    guard let keyword = pattern.keyword else { return nil }
    let start = end - pattern.pieces[keyword.piece].literal.count
    // The automaton folds letters.
    guard start >= keyword.offset, pattern.pieces[keyword.piece].literalEnd(in: text, from: start) != nil,
      pattern.isAnywhere || isStart(text, start - keyword.offset)
    else { return nil }
    return pattern.match(text, at: start - keyword.offset, &runs)
  }

  /// Tells whether no letter or digit stands before, but for what an escape ends with.
  private static func isStart(_ text: ByteSearch, _ at: Int) -> Bool {
    guard at > 0, ByteSet.word.contains(text[at - 1]) else { return true }
    if at > 1, text[at - 2] == UInt8(ascii: "\\"), escapes.contains(text[at - 1]) { return true }
    guard at > 2, SecretText.hex.contains(text[at - 1]), SecretText.hex.contains(text[at - 2]) else { return false }
    return text[at - 3] == UInt8(ascii: "%")
      || at > 5 && text[at - 6] == UInt8(ascii: "\\") && text[at - 5] == UInt8(ascii: "u")
  }

  private static let escapes = ByteSet(adding: "nrt")

  /// Finds the beginning of the value that is assigned to the name with a word that ends at an offset, and where it
  /// begins if what it begins with are signs.
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
    // Behind its quote the value begins, and it may begin with a sign.
    let start = text.end(of: quotes, from: text.end(of: beforeValue, from: at, atMost: 6), atMost: 4)
    return (start, text.end(of: signs, from: start, atMost: 4))
  }

  private static let restOfName = SecretText.under.adding(" \t.-")
  private static let quotes = ByteSet(0x09...0x0d, adding: " '\"`\\")
  private static let signs = quotes.adding("=")
  private static let behindName = quotes.adding("])")
  private static let colon = ByteSet(adding: ":")
  private static let beforeValue = ByteSet(0x09...0x0d, adding: " =")

  /// Tells whether somebody made it up, or said what belongs there.
  private static func isPlaceholder(_ text: ByteSearch, _ range: Range<Int>) -> Bool {
    let head = range.prefix(SecretText.head)
    if text.has("{{secret", at: range.lowerBound) { return true }
    return head.allSatisfy { text[$0] == text[head.lowerBound] } || placeholders.isFound(in: text, head)
  }

  private static let placeholders = KeywordAutomaton(
    SecretShapeIndex.words(SecretShapeTable.placeholders).map { Array($0.utf8) })
}
