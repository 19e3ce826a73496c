/// A regular expression that a whole value has to match.
///
/// It is run as an automaton (Thompson, 1968): time grows with the length of pattern and text, with look-ahead up to a
/// limit, and no pattern, however written, keeps a server busy. What that rules out, back references and possessive
/// quantifiers, is refused by name.
package struct TextPattern: Hashable, Sendable {
  /// An error in a pattern, with its place.
  package struct Problem: Error, Hashable, Sendable {
    package let message: String
    /// The character it begins at, counted from one.
    package let column: Int
  }

  /// The notation of a pattern.
  package enum Dialect: Hashable, Sendable {
    /// The syntax that Java, JavaScript and Go share: classes, groups, alternatives, quantifiers, anchors, look-ahead,
    /// flags.
    case rule
    /// ECMA-262, as JSON Schema has it.
    case ecmaScript
    /// RFC 9485, as JSON paths have it; `^` and `$` are anchors.
    case interoperable

    /// The characters that `.` does not match.
    var lineEnds: [ClosedRange<UInt32>] {
      switch self {
      case .rule: CharacterClass.lineEnds.ranges
      case .ecmaScript: [0x0a...0x0a, 0x0d...0x0d, 0x2028...0x2029]
      case .interoperable: [0x0a...0x0a, 0x0d...0x0d]
      }
    }

    /// The characters that `\s` matches.
    var space: CharacterClass { self == .ecmaScript ? .unicodeSpace : .space }
  }

  /// The most characters of a text that can match: a body is not searched without end.
  package static let longestText = 1 << 18

  /// The pattern as it was written.
  package let source: String
  private let dialect: Dialect
  let isPart: Bool
  private let literals: PatternLiterals
  /// The look-aheads at the pattern's beginning: each has to match there, or must not if negated.
  private let ahead: [(matcher: PatternMatcher, isNegated: Bool)]
  private let matcher: PatternMatcher

  /// Compiles a pattern, for whole texts or parts; throws what is not understood, and where.
  package init(_ source: String, in dialect: Dialect = .rule, ofPart isPart: Bool = false) throws(Problem) {
    self.source = source
    (self.dialect, self.isPart) = (dialect, isPart)
    if dialect == .interoperable, !InteroperablePattern.accepts(source) {
      throw Problem(message: "this is no regular expression of RFC 9485", column: 1)
    }
    var parser = PatternParser(source, dialect)
    var node = try parser.parse()
    if isPart {
      let rest = PatternNode.repeated(.characters(.all), least: 0, most: nil)
      node = .sequence([rest, node, rest])
    }
    literals = PatternLiterals(node)
    var elements = node.elements[...]
    var ahead: [(matcher: PatternMatcher, isNegated: Bool)] = []
    // Looked at from the beginning only, a look-ahead is a pattern by itself, and both can have an automaton.
    leading: while let element = elements.first {
      switch element {
      case .start: break
      case .ahead(let node, let isNegated):
        let rest = PatternNode.repeated(.characters(.all), least: 0, most: nil)
        ahead.append((PatternMatcher(try PatternProgram(.sequence([node, rest]))), isNegated))
      default: break leading
      }
      elements.removeFirst()
    }
    self.ahead = ahead
    matcher = PatternMatcher(try PatternProgram(.sequence(Array(elements))))
  }

  /// Tells whether a whole text matches, within a budget of its own.
  package func matches(_ text: String) -> Bool {
    var budget = MatchingBudget()
    return matches(ConditionText(text), &budget) == true
  }

  /// Tells whether a whole text matches; nil when the budget was spent before that was known, or the text is too long.
  package func matches(_ text: ConditionText, _ budget: inout MatchingBudget) -> Bool? {
    // Of many patterns most are told apart by what they must have in them.
    if let whole = literals.whole { return text.bytes == whole }
    guard text.hasPrefix(literals.beginning), text.hasSuffix(literals.ending) else { return false }
    guard !text.isLonger(than: Self.longestText) else { return nil }
    for part in literals.parts {
      guard budget.left > 0 else { return nil }
      let place = text.first(part, from: 0)
      budget.left -= (place ?? text.bytes.count) / 256 + 1
      if place == nil { return false }
    }
    for (matcher, isNegated) in ahead {
      guard let isMatch = matcher.matches(text, &budget.left) else { return nil }
      if isMatch == isNegated { return false }
    }
    return matcher.matches(text, &budget.left)
  }

  /// The bytes that every match begins with.
  package var beginning: [UInt8] { literals.beginning }

  /// The number of steps: the most that are looked at for a character.
  package var size: Int { literals.whole == nil ? ahead.reduce(matcher.size) { $0 + $1.matcher.size } : 1 }

  /// A short text that matches, as an example; nil when none is found at once.
  package var sample: String? {
    guard let node else { return nil }
    for repeats in [1, 0, 2] {
      var text = ""
      node.appendSample(to: &text, repeats: repeats)
      if matches(text) { return text }
    }
    return nil
  }

  /// The nodes that the pattern is made of.
  var node: PatternNode? {
    var parser = PatternParser(source, dialect)
    return try? parser.parse()
  }

  /// Returns a pattern that only this text matches.
  package static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      if "\\.[]{}()*+?^$|".unicodeScalars.contains(character) { escaped += "\\" }
      escaped.unicodeScalars.append(character)
    }
    return escaped
  }

  package static func == (one: TextPattern, other: TextPattern) -> Bool {
    one.source == other.source && one.dialect == other.dialect && one.isPart == other.isPart
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(source) }
}
