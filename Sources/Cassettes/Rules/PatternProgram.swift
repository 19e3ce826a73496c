/// A pattern as instructions for many threads at once, each of them a place in the pattern.
struct PatternProgram: Sendable {
  private enum Step: Sendable {
    case character([ClosedRange<UInt32>], isNegated: Bool)
    case jump(Int)
    case split(Int, Int)
    case start
    case end
    case wordBoundary(Bool)
    /// Whether what follows matches the program that begins at a step.
    case ahead(Int, isNegated: Bool)
    case done
  }

  /// A pattern of more steps would take too long for each character.
  private static let mostSteps = 4_000

  private var steps: [Step] = []

  init(_ node: PatternNode) throws(TextPattern.Problem) {
    try append(node)
    steps.append(.done)
  }

  private mutating func append(_ node: PatternNode) throws(TextPattern.Problem) {
    guard steps.count < Self.mostSteps else {
      throw TextPattern.Problem(message: "the pattern has too many repetitions", column: 1)
    }
    switch node {
    case .characters(let set): steps.append(.character(set.ranges, isNegated: set.isNegated))
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

  /// Whether a whole text matches; nil when more places were to be looked at than are left.
  func matches(_ text: [UInt32], _ left: inout Int) -> Bool? {
    guard left > 0 else { return nil }
    let isMatch = run(text, from: 0, at: 0, isWhole: true, &left)
    return left > 0 ? isMatch : nil
  }

  private func run(_ text: [UInt32], from first: Int, at start: Int, isWhole: Bool, _ left: inout Int) -> Bool {
    var threads = Threads(count: steps.count)
    var next = Threads(count: steps.count)
    var stack: [Int] = []
    var isDone = false
    follow(first, text, start, &threads, &stack, &isDone, &left)
    var at = start
    while at < text.count {
      if isDone, !isWhole { return true }
      if threads.list.isEmpty || left <= 0 { return false }
      left -= threads.list.count
      isDone = false
      next.clear()
      let scalar = text[at]
      for thread in threads.list {
        guard case .character(let ranges, let isNegated) = steps[thread] else { continue }
        var isIn = isNegated
        for range in ranges where range.contains(scalar) {
          isIn = !isNegated
          break
        }
        if isIn { follow(thread + 1, text, at + 1, &next, &stack, &isDone, &left) }
      }
      swap(&threads, &next)
      at += 1
    }
    return isDone
  }

  /// Adds all the steps that are reached without a character.
  private func follow(
    _ step: Int, _ text: [UInt32], _ at: Int, _ threads: inout Threads, _ stack: inout [Int], _ isDone: inout Bool,
    _ left: inout Int
  ) {
    stack.append(step)
    while let step = stack.popLast() {
      guard threads.insert(step) else { continue }
      switch steps[step] {
      case .character: threads.list.append(step)
      case .jump(let target): stack.append(target)
      case .split(let one, let other): stack += [other, one]
      case .start: if at == 0 { stack.append(step + 1) }
      case .end: if at == text.count { stack.append(step + 1) }
      case .wordBoundary(let isThere):
        let before = at > 0 && CharacterClass.word.contains(text[at - 1])
        let after = at < text.count && CharacterClass.word.contains(text[at])
        if (before != after) == isThere { stack.append(step + 1) }
      case .ahead(let first, let isNegated):
        left -= 1
        if run(text, from: first, at: at, isWhole: false, &left) != isNegated { stack.append(step + 1) }
      case .done: isDone = true
      }
    }
  }

  /// The places of a pattern that are reached at one character, each once.
  private struct Threads {
    var list: [Int] = []
    private var marks: [UInt32]
    private var mark: UInt32 = 1

    init(count: Int) { marks = [UInt32](repeating: 0, count: count) }

    mutating func insert(_ step: Int) -> Bool {
      guard marks[step] != mark else { return false }
      marks[step] = mark
      return true
    }

    mutating func clear() {
      list.removeAll(keepingCapacity: true)
      mark &+= 1
    }
  }
}
