/// The literal strings that every match of a pattern contains.
///
/// A search for them rejects most input many times faster than the pattern does.
struct PatternLiterals: Sendable {
  /// The maximum number of literals between the beginning and the end.
  private static let mostParts = 4
  /// The maximum length of literals, in bytes; longer ones would not reject more input.
  private static let longest = 256

  /// The literal at the beginning of every match.
  private(set) var beginning: [UInt8] = []
  /// The literal at the end of every match.
  private(set) var ending: [UInt8] = []
  /// Literals anywhere in the match, the longest first.
  private(set) var parts: [[UInt8]] = []
  /// True if only ``beginning``, which equals ``ending``, matches.
  private var isExact = false
  private var hasAssertions = false

  /// The only text that matches; nil if there are several.
  var whole: [UInt8]? { isExact && !hasAssertions ? beginning : nil }

  /// Collects the literals of a pattern.
  init(_ node: PatternNode) {
    self = Self.reading(node)
    // Literals at either end are compared at their position, and need no search.
    let found = Set(parts).subtracting([beginning, ending]).sorted {
      ($1.count, $0.first ?? 0) < ($0.count, $1.first ?? 0)
    }
    parts = Array(found.prefix(Self.mostParts))
  }

  private init() {}

  private static func exactly(_ text: [UInt8], asserts: Bool = false) -> PatternLiterals {
    var literals = PatternLiterals()
    (literals.beginning, literals.ending) = (text, text)
    (literals.isExact, literals.hasAssertions) = (true, asserts)
    return literals
  }

  private static func reading(_ node: PatternNode) -> PatternLiterals {
    switch node {
    case .characters(let set): return set.single.map { exactly(Array(String($0).utf8)) } ?? PatternLiterals()
    case .sequence(let nodes): return nodes.reduce(exactly([])) { $0.followed(by: reading($1)) }
    case .either(let nodes): return common(nodes)
    case .repeated(let node, let least, let most): return repeated(reading(node), least, most)
    // Assertions consume no character, so the literals around them are contiguous.
    case .start, .end, .wordBoundary: return exactly([], asserts: true)
    case .ahead(let node, let isNegated):
      var literals = exactly([], asserts: true)
      if !isNegated { literals.parts = reading(node).all }
      return literals
    }
  }

  private var all: [[UInt8]] { (parts + [beginning, ending]).filter { !$0.isEmpty } }

  private func followed(by next: PatternLiterals) -> PatternLiterals {
    let between = ending + next.beginning
    var both = PatternLiterals()
    both.parts = parts + next.parts
    both.isExact = isExact && next.isExact
    both.hasAssertions = hasAssertions || next.hasAssertions
    both.beginning = isExact ? between : beginning
    both.ending = next.isExact ? between : next.ending
    if !isExact, !next.isExact, !between.isEmpty { both.parts.append(between) }
    if both.parts.count > 4 * Self.mostParts {
      both.parts = Array(both.parts.sorted { $0.count > $1.count }.prefix(Self.mostParts))
    }
    return both.cut
  }

  /// The literals, truncated to the maximum length.
  private var cut: PatternLiterals {
    guard beginning.count > Self.longest || ending.count > Self.longest else { return self }
    var cut = self
    cut.isExact = false
    cut.beginning = Array(beginning.prefix(Self.longest))
    cut.ending = Array(ending.suffix(Self.longest))
    return cut
  }

  private static func repeated(_ literals: PatternLiterals, _ least: Int, _ most: Int?) -> PatternLiterals {
    guard least > 0 else { return PatternLiterals() }
    if least == 1, most == 1 { return literals }
    var literals = literals
    literals.isExact = false
    return literals
  }

  /// Returns the common beginning and end of all alternatives.
  private static func common(_ nodes: [PatternNode]) -> PatternLiterals {
    guard let first = nodes.first else { return PatternLiterals() }
    var common = reading(first)
    for node in nodes.dropFirst() {
      common.isExact = false
      common.parts = []
      // In a long list of words, there is nothing in common after the first few.
      if common.beginning.isEmpty, common.ending.isEmpty { break }
      let other = reading(node)
      let shared = zip(common.beginning, other.beginning).prefix { $0 == $1 }.count
      common.beginning = Array(common.beginning.prefix(shared))
      let same = zip(common.ending.reversed(), other.ending.reversed()).prefix { $0 == $1 }.count
      common.ending = Array(common.ending.suffix(same))
    }
    return common
  }
}
