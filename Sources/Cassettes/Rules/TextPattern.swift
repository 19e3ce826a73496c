/// A regular expression that a whole value has to match.
///
/// It is run as an automaton (Thompson, 1968): time grows with the length of pattern and text, with look-ahead up to a
/// limit, and no pattern, however written, keeps a server busy. What that rules out, back references and possessive
/// quantifiers, is refused by name.
package struct TextPattern: Hashable, Sendable {
  /// What a pattern cannot be made of, and where in it.
  package struct Problem: Error, Hashable, Sendable {
    package let message: String
    /// The character it begins at, counted from one.
    package let column: Int
  }

  /// Longer texts, in characters, match nothing: a body is not searched without end.
  package static let longestText = 1 << 18

  /// The pattern as it was written.
  package let source: String
  private let program: PatternProgram
  /// What every text begins with that matches.
  private let beginning: [UInt8]

  /// Compiles a pattern.
  ///
  /// - Parameter source: What Java, JavaScript and Go agree on: classes, groups, alternatives, quantifiers, anchors,
  ///   look-ahead, `(?i)` and `(?s)`.
  /// - Throws: What is not understood, and where.
  package init(_ source: String) throws(Problem) {
    self.source = source
    var parser = PatternParser(source)
    let node = try parser.parse()
    program = try PatternProgram(node)
    beginning = Array(node.beginning.utf8)
  }

  /// Whether a whole text matches, within a budget of its own.
  package func matches(_ text: String) -> Bool {
    var budget = MatchingBudget()
    return matches(ConditionText(text), &budget) == true
  }

  /// Whether a whole text matches; nil when the budget was spent before that was known.
  package func matches(_ text: ConditionText, _ budget: inout MatchingBudget) -> Bool? {
    // Of many patterns most are told apart by how they begin.
    guard text.bytes.starts(with: beginning), text.scalars.count <= Self.longestText else { return false }
    return program.matches(text.scalars, &budget.left)
  }

  /// A short text that matches, as an example; nil when none is found at once.
  package var sample: String? {
    var parser = PatternParser(source)
    guard let node = try? parser.parse() else { return nil }
    for repeats in [1, 0, 2] {
      var text = ""
      node.appendSample(to: &text, repeats: repeats)
      if matches(text) { return text }
    }
    return nil
  }

  /// A text as a pattern that only it matches.
  package static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      if "\\.[]{}()*+?^$|".unicodeScalars.contains(character) { escaped += "\\" }
      escaped.unicodeScalars.append(character)
    }
    return escaped
  }

  package static func == (one: TextPattern, other: TextPattern) -> Bool { one.source == other.source }
  package func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

/// What a pattern is made of.
indirect enum PatternNode {
  case characters(CharacterClass)
  case sequence([PatternNode])
  case either([PatternNode])
  case repeated(PatternNode, least: Int, most: Int?)
  case start
  case end
  case wordBoundary(Bool)
  case ahead(PatternNode, isNegated: Bool)

  /// What every text begins with that matches: the plain characters before the first thing that may be several.
  var beginning: String {
    guard case .sequence(let nodes) = self else { return Self.single(self).map { String($0) } ?? "" }
    var text = ""
    for node in nodes {
      guard let scalar = Self.single(node) else { break }
      text.unicodeScalars.append(scalar)
    }
    return text
  }

  private static func single(_ node: PatternNode) -> Unicode.Scalar? {
    guard case .characters(let set) = node, !set.isNegated, set.ranges.count == 1, let range = set.ranges.first,
      range.count == 1
    else { return nil }
    return Unicode.Scalar(range.lowerBound)
  }

  /// Appends what matches, each repetition as often as told where that is allowed.
  func appendSample(to text: inout String, repeats: Int) {
    switch self {
    case .characters(let set): if let sample = set.sample { text.unicodeScalars.append(sample) }
    case .sequence(let nodes): for node in nodes { node.appendSample(to: &text, repeats: repeats) }
    case .either(let nodes): nodes.first?.appendSample(to: &text, repeats: repeats)
    case .repeated(let node, let least, let most):
      for _ in 0..<min(max(least, repeats), most ?? .max) { node.appendSample(to: &text, repeats: repeats) }
    case .start, .end, .wordBoundary, .ahead: break
    }
  }
}

/// A set of characters: ranges of scalars, or all but them.
struct CharacterClass {
  var ranges: [ClosedRange<UInt32>] = []
  var isNegated = false

  static let digit = CharacterClass(ranges: [0x30...0x39])
  static let word = CharacterClass(ranges: [0x30...0x39, 0x41...0x5a, 0x5f...0x5f, 0x61...0x7a])
  static let space = CharacterClass(ranges: [0x09...0x0d, 0x20...0x20])
  static let lineEnds = CharacterClass(ranges: [0x0a...0x0a, 0x0d...0x0d, 0x85...0x85, 0x2028...0x2029])
  static let all = CharacterClass(ranges: [0...0x10ffff])

  static func one(_ scalar: UInt32) -> CharacterClass { CharacterClass(ranges: [scalar...scalar]) }

  @inline(__always)
  func contains(_ scalar: UInt32) -> Bool {
    for range in ranges where range.contains(scalar) { return !isNegated }
    return isNegated
  }

  /// The same characters as ranges, none of them excluded.
  var positive: [ClosedRange<UInt32>] {
    guard isNegated else { return ranges }
    var free: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if range.lowerBound > next { free.append(next...range.lowerBound - 1) }
      next = max(next, range.upperBound + 1)
    }
    if next <= 0x10ffff { free.append(next...0x10ffff) }
    return free
  }

  /// With both cases of every letter; of long ranges those of ASCII only.
  func ignoringCase() -> CharacterClass {
    var both = self
    for range in ranges {
      if range.count > 1_000 {
        both.ranges += [0x41...0x5a, 0x61...0x7a].filter { $0.overlaps(range) }.map {
          let folded = $0.clamped(to: range)
          return (folded.lowerBound ^ 0x20)...(folded.upperBound ^ 0x20)
        }
        continue
      }
      for case let scalar? in range.map({ Unicode.Scalar($0) }) {
        for other in [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping] {
          let scalars = other.unicodeScalars
          if scalars.count == 1, let first = scalars.first, first != scalar {
            both.ranges.append(first.value...first.value)
          }
        }
      }
    }
    return both
  }

  /// A plain character of the set, a digit or a letter if there is one.
  var sample: Unicode.Scalar? {
    let plain: [ClosedRange<UInt32>] = [0x61...0x7a, 0x41...0x5a, 0x31...0x39, 0x30...0x30, 0x2d...0x2e, 0x5f...0x5f]
    // A class of digits, or a single character: what it says first is what is meant.
    if !isNegated, let first = ranges.first, ranges.count == 1, first.upperBound <= 0x7e, first.lowerBound > 0x20 {
      return Unicode.Scalar(first == 0x30...0x39 ? 0x31 : first.lowerBound)
    }
    for range in plain {
      for scalar in range where contains(scalar) { return Unicode.Scalar(scalar) }
    }
    for scalar in UInt32(0x21)...0x7e where contains(scalar) { return Unicode.Scalar(scalar) }
    return positive.lazy.compactMap { Unicode.Scalar($0.lowerBound) }.first
  }
}
