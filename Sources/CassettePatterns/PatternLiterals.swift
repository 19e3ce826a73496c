/// The literal strings that every match of a pattern contains.
///
/// A search for them rejects most input many times faster than the pattern does.
struct PatternLiterals: Sendable {
  /// The maximum number of literals between the beginning and the end.
  private static let mostParts = 4

  /// The literal at the beginning of every match.
  let beginning: [UInt8]
  /// The literal at the end of every match.
  let ending: [UInt8]
  /// Literals between the two, the longest first.
  let parts: [[UInt8]]
  /// The only text that matches; nil if there are several.
  let whole: [UInt8]?

  /// Collects the literals of a pattern: the runs of single characters in its outermost sequence.
  init(_ node: PatternNode) {
    var runs: [[UInt8]] = [[]]
    var hasAssertions = false
    for element in node.elements {
      switch element {
      case .characters(let set):
        if let scalar = set.single { runs[runs.count - 1] += Array(String(scalar).utf8) } else { runs.append([]) }
      // Assertions consume no character, so the literals around them are contiguous.
      case .start, .end, .wordBoundary, .ahead: hasAssertions = true
      case .sequence, .either, .repeated: runs.append([])
      }
    }
    beginning = runs.first ?? []
    ending = runs.last ?? []
    whole = runs.count == 1 && !hasAssertions ? beginning : nil
    let found = Set(runs.dropFirst().dropLast()).subtracting([[]]).sorted {
      ($1.count, $0.first ?? 0) < ($0.count, $1.first ?? 0)
    }
    parts = Array(found.prefix(Self.mostParts))
  }
}
