/// A pattern compiled to instructions.
///
/// A match keeps a set of positions in the program, its threads, and advances all of them by each character (Thompson,
/// 1968).
struct PatternProgram: Sendable {
  enum Step: Sendable {
    case character(CharacterClass)
    case jump(Int)
    case split(Int, Int)
    case start
    case end
    case wordBoundary(Bool)
    /// A look-ahead: continues if the program at the given step matches the following text, or does not match if
    /// negated.
    case ahead(Int, isNegated: Bool)
    case done
  }

  /// The maximum number of steps, which limits the time for each character.
  private static let mostSteps = 4_000

  private(set) var steps: [Step] = []

  init(_ node: PatternNode) throws(TextPattern.Problem) {
    try append(node)
    steps.append(.done)
  }

  private mutating func append(_ node: PatternNode) throws(TextPattern.Problem) {
    guard steps.count < Self.mostSteps else {
      throw TextPattern.Problem(message: "the pattern has too many repetitions", column: 1)
    }
    switch node {
    case .characters(let set): steps.append(.character(set))
    case .sequence(let nodes): for node in nodes { try append(node) }
    case .either(let nodes): try append(either: nodes)
    case .repeated(let node, let least, let most): try append(node, least, most)
    case .start: steps.append(.start)
    case .end: steps.append(.end)
    case .wordBoundary(let isThere): steps.append(.wordBoundary(isThere))
    case .ahead(let node, let isNegated):
      let place = steps.count
      steps += [.ahead(place + 2, isNegated: isNegated), .jump(0)]
      try append(node)
      steps.append(.done)
      steps[place + 1] = .jump(steps.count)
    }
  }

  private mutating func append(either nodes: [PatternNode]) throws(TextPattern.Problem) {
    var jumps: [Int] = []
    for (index, node) in nodes.enumerated() {
      let split = steps.count
      let isLast = index == nodes.count - 1
      if !isLast { steps.append(.split(split + 1, 0)) }
      try append(node)
      if isLast { break }
      jumps.append(steps.count)
      steps.append(.jump(0))
      steps[split] = .split(split + 1, steps.count)
    }
    for jump in jumps { steps[jump] = .jump(steps.count) }
  }

  private mutating func append(_ node: PatternNode, _ least: Int, _ most: Int?) throws(TextPattern.Problem) {
    for _ in 0..<least { try append(node) }
    guard let most else {
      let split = steps.count
      steps.append(.split(split + 1, 0))
      try append(node)
      steps.append(.jump(split))
      steps[split] = .split(split + 1, steps.count)
      return
    }
    var splits: [Int] = []
    for _ in least..<max(least, most) {
      splits.append(steps.count)
      steps.append(.split(steps.count + 1, 0))
      try append(node)
    }
    for split in splits { steps[split] = .split(split + 1, steps.count) }
  }
}
