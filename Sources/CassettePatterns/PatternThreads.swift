/// Runs a pattern with a list of active positions, which is slower than the automaton but supports every pattern.
extension PatternProgram {
  /// Matches a whole text.
  ///
  /// Returns nil if the remaining steps do not suffice.
  func matches(_ text: [UInt32], _ left: inout Int) -> Bool? {
    guard left > 0 else { return nil }
    let isMatch = run(text, from: 0, at: 0, isWhole: true, &left)
    return left > 0 ? isMatch : nil
  }

  private func run(_ text: [UInt32], from first: Int, at start: Int, isWhole: Bool, _ left: inout Int) -> Bool {
    var threads = Threads(count: steps.count)
    var next = Threads(count: steps.count)
    left -= steps.count / 16
    var stack: [Int] = []
    var isDone = false
    follow(first, text, start, &threads, &stack, &isDone, &left)
    var at = start
    while at < text.count {
      if isDone, !isWhole { return true }
      if threads.list.isEmpty || left <= 0 { return false }
      isDone = false
      next.clear()
      let scalar = text[at]
      for thread in threads.list {
        guard case .character(let set) = steps[thread], set.contains(scalar) else { continue }
        follow(thread + 1, text, at + 1, &next, &stack, &isDone, &left)
      }
      left -= threads.list.count
      swap(&threads, &next)
      at += 1
    }
    return isDone
  }

  /// Adds a step, and all steps that can be reached from it without consuming a character.
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
      case .split(let one, let other):
        left -= 1
        stack += [other, one]
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

  /// The active positions at one character, without duplicates.
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
