/// A regular expression that must match a whole value.
///
/// It runs as an automaton (Thompson, 1968): the time is proportional to the lengths of pattern and text, and for
/// look-ahead it is limited by a budget, so that no pattern can block a server. Features that this excludes, back
/// references and possessive quantifiers, are errors with a specific message.
package struct TextPattern: Hashable, Sendable {
  /// A syntax error in a pattern, with its location.
  package struct Problem: Error, Hashable, Sendable {
    package let message: String
    /// The column of the error in characters, counted from 1.
    package let column: Int
  }

  /// The syntax of a pattern.
  package enum Dialect: Hashable, Sendable {
    /// The common syntax of Java, JavaScript and Go: classes, groups, alternatives, quantifiers, anchors, look-ahead
    /// and flags.
    case rule
    /// The syntax of ECMA-262, as used by JSON Schema.
    case ecmaScript
    /// The syntax of RFC 9485, as used by JSON paths, with the extensions of ``rule``.
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

  /// The maximum length of a matched text in Unicode scalars, which limits the time for a body.
  package static let longestText = 1 << 18

  /// The source of the pattern.
  package let source: String
  private let dialect: Dialect
  package let isPart: Bool
  private let literals: PatternLiterals
  /// The look-aheads at the beginning of the pattern.
  private let ahead: [(matcher: PatternMatcher, isNegated: Bool)]
  private let matcher: PatternMatcher

  /// Compiles a pattern.
  ///
  /// - `dialect`: The syntax. Default: the common syntax.
  /// - `isPart`: True if the pattern may match any part of a value. Default: false.
  package init(_ source: String, in dialect: Dialect = .rule, ofPart isPart: Bool = false) throws(Problem) {
    self.source = source
    (self.dialect, self.isPart) = (dialect, isPart)
    var parser = PatternParser(source, dialect)
    var node = try parser.parse()
    if isPart {
      let rest = PatternNode.repeated(.characters(.all), least: 0, most: nil)
      node = .sequence([rest, node, rest])
    }
    literals = PatternLiterals(node)
    var elements = node.elements[...]
    var ahead: [(matcher: PatternMatcher, isNegated: Bool)] = []
    // A look-ahead at the beginning is equivalent to a separate pattern, and then both can use an automaton.
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

  /// Returns true if the pattern matches a whole string, with a separate budget.
  package func matches(_ text: String) -> Bool {
    var budget = MatchingBudget()
    return matches(ConditionText(text), &budget) == true
  }

  /// Matches a whole text.
  ///
  /// Returns the result, or nil if the budget was exceeded or the text is too long.
  package func matches(_ text: ConditionText, _ budget: inout MatchingBudget) -> Bool? {
    // Literals reject most input without running the pattern.
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

  /// The bytes at the beginning of every match.
  package var beginning: [UInt8] { literals.beginning }

  /// The parsed pattern.
  package var node: PatternNode? {
    var parser = PatternParser(source, dialect)
    return try? parser.parse()
  }

  /// Returns a pattern that matches only one string.
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
