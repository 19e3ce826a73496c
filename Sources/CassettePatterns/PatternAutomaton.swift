/// A deterministic automaton for a pattern, whose states are created on demand.
///
/// A state is the set of active positions in the pattern. Its transitions are stored in a table and reused for the next
/// text. A pattern with look-ahead has no automaton, and the size of the table is limited.
struct PatternAutomaton: Sendable {
  /// The result of a run.
  enum Outcome {
    case matches
    case differs
    /// The budget is exceeded.
    case spent
    /// The table is full.
    case gaveUp
  }

  /// A property of a state that makes it unnecessary to visit each character.
  enum Shortcut: Sendable {
    case none
    /// No continuation matches.
    case dead
    /// Every continuation matches that consists of characters of one class.
    case tail(step: Int)
    /// Only a literal, or a character outside of one class, leads to another state.
    case search(step: Int, [UInt8])
  }

  struct State: Sendable {
    /// The active positions in program order: character steps, and assertions that depend on the next character.
    var core: [Int]
    /// True if the last character was a word character.
    var isInWord: Bool
    var shortcut: Shortcut
    /// True if a text that ends in this state matches.
    var isAccepting: Bool
  }

  /// A repeated character class.
  ///
  /// Positions from `first` up to the loop match nothing that the loop does not match as well.
  private struct Loop: Sendable {
    var step: Int
    var first: Int
  }

  /// The maximum number of table entries, each of four bytes.
  static let mostEntries = 1 << 14

  private let steps: [PatternProgram.Step]
  let alphabet: PatternAlphabet
  /// The symbols of each class.
  let members: [[Bool]]
  /// The index of the class that a step accepts, by step; -1 for steps that accept no character.
  private let classes: [Int]
  /// The symbols of word characters.
  private let word: [Bool]
  /// The possible first bytes of characters that a loop does not accept, by the loop's step.
  var strangers: [Int: [UInt8]] = [:]
  private var loops: [Loop] = []
  var states: [State] = []
  private var numbers: [[Int]: Int] = [:]
  /// The next state for each state and symbol: twice its index, plus 1 if it has a shortcut; -1 if unknown.
  var table: [Int32] = []
  private var marks: [UInt32]
  private var mark: UInt32 = 0

  /// Creates the automaton of a program; fails if the program has look-ahead or too many classes.
  init?(_ program: PatternProgram) {
    var sets: [CharacterClass] = [.word]
    var classes: [Int] = []
    for step in program.steps {
      guard case .character(let set) = step else {
        if case .ahead = step { return nil }
        classes.append(-1)
        continue
      }
      classes.append(sets.firstIndex(of: set) ?? sets.count)
      if classes.last == sets.count { sets.append(set) }
    }
    guard let alphabet = PatternAlphabet(sets) else { return nil }
    self.alphabet = alphabet
    self.classes = classes
    steps = program.steps
    members = sets.map { alphabet.members(of: $0) }
    word = members[0]
    marks = [UInt32](repeating: 0, count: steps.count)
    loops = program.loops.map { Loop(step: $0, first: self.dominated(by: $0, program.elements)) }
    for loop in loops { strangers[loop.step] = alphabet.firstBytes(outside: members[classes[loop.step]]) }
    var ignored = 0
    _ = add(closure(of: [0], atStart: true, &ignored), isInWord: false, isFirst: true)
  }

  /// Returns the first step from which all steps up to a loop only accept characters that the loop accepts.
  private func dominated(by loop: Int, _ elements: [Int]) -> Int {
    var first = loop - 1
    for element in elements.reversed() where element < loop {
      let isTaken = (element..<loop - 1).allSatisfy { step in
        switch steps[step] {
        case .character: isSubset(classes[step], of: classes[loop])
        case .jump, .split: true
        case .start, .end, .wordBoundary, .ahead, .done: false
        }
      }
      guard isTaken else { break }
      first = element
    }
    return first
  }

  private func isSubset(_ one: Int, of other: Int) -> Bool {
    one == other || zip(members[one], members[other]).allSatisfy { !$0 || $1 }
  }

  func takes(_ step: Int, _ symbol: Int) -> Bool { classes[step] >= 0 && members[classes[step]][symbol] }

  // MARK: states

  /// Returns the positions that are reached from some steps without a character, and whether the end is among them.
  ///
  /// `isBoundary` is true at a word boundary, and nil if that depends on the next character.
  private mutating func closure(
    of first: [Int], atStart: Bool = false, atEnd: Bool = false, isBoundary: Bool? = nil, _ left: inout Int
  ) -> (core: [Int], isDone: Bool) {
    mark &+= 1
    var (core, stack, isDone): ([Int], [Int], Bool) = ([], first, false)
    while let step = stack.popLast() {
      guard marks[step] != mark else { continue }
      marks[step] = mark
      left -= 1
      switch steps[step] {
      case .character: core.append(step)
      case .jump(let target): stack.append(target)
      case .split(let one, let other): stack += [other, one]
      case .start: if atStart { stack.append(step + 1) }
      case .end: if atEnd { stack.append(step + 1) } else { core.append(step) }
      case .wordBoundary(let isThere):
        if isBoundary == isThere { stack.append(step + 1) } else if isBoundary == nil { core.append(step) }
      case .done: isDone = true
      case .ahead: break
      }
    }
    return (pruned(core.sorted()), isDone)
  }

  /// Removes positions that match nothing that a later loop does not match as well.
  private func pruned(_ core: [Int]) -> [Int] {
    var core = core
    for loop in loops.reversed() where core.contains(loop.step) {
      core.removeAll { loop.first <= $0 && $0 < loop.step }
    }
    return core
  }

  /// Returns the table entry of a state, which is created if necessary, or nil if the table is full.
  private mutating func add(_ places: (core: [Int], isDone: Bool), isInWord: Bool, isFirst: Bool = false) -> Int32? {
    let core = places.core
    let pending = core.filter { classes[$0] < 0 }
    // The state depends on whether a text may end here, and on the facts that assertions need.
    let key = core + (places.isDone ? [-1] : []) + (isInWord && !pending.isEmpty ? [-2] : [])
    if let known = numbers[key] { return entry(of: known) }
    guard table.count + alphabet.count <= Self.mostEntries else { return nil }
    var ignored = 0
    let isAccepting =
      places.isDone
      || !pending.isEmpty
        && closure(of: pending, atStart: isFirst, atEnd: true, isBoundary: isInWord, &ignored).isDone
    let number = states.count
    states.append(
      State(
        core: core, isInWord: isInWord, shortcut: shortcut(core, isAccepting: isAccepting), isAccepting: isAccepting))
    // After the first character, the same positions are another state, because `^` no longer matches.
    if !isFirst { numbers[key] = number }
    table += [Int32](repeating: -1, count: alphabet.count)
    return entry(of: number)
  }

  func entry(of state: Int) -> Int32 {
    if case .none = states[state].shortcut { return Int32(state << 1) }
    return Int32(state << 1 | 1)
  }

  private mutating func shortcut(_ core: [Int], isAccepting: Bool) -> Shortcut {
    if core.isEmpty, !isAccepting { return .dead }
    guard let loop = loops.last(where: { core.contains($0.step) }), case .split(_, let out) = steps[loop.step - 1]
    else {
      return .none
    }
    var ignored = 0
    if closure(of: [out], atEnd: true, &ignored).isDone { return .tail(step: loop.step) }
    let next = closure(of: [out], &ignored)
    guard core.count == 2, !isAccepting, next.core.count == 1, let first = next.core.first, core.contains(first) else {
      return .none
    }
    var text: [UInt8] = []
    for step in first..<steps.count {
      guard case .character(let set) = steps[step], let scalar = set.single else { break }
      text += Array(String(scalar).utf8)
    }
    return text.count > 1 ? .search(step: loop.step, text) : .none
  }

  /// Returns the state after a symbol, or nil if the table is full.
  mutating func target(of state: Int, _ symbol: Int, _ left: inout Int) -> Int32? {
    var core = states[state].core
    let pending = core.filter { classes[$0] < 0 }
    if !pending.isEmpty {
      let isBoundary = states[state].isInWord != word[symbol]
      core += closure(of: pending, atStart: state == 0, isBoundary: isBoundary, &left).core
    }
    let next = core.filter { takes($0, symbol) }.map { $0 + 1 }
    // Creating a state takes many times as long as a transition.
    left -= 4 * (core.count + 16)
    let places = closure(of: next, &left)
    left -= 3 * places.core.count
    return add(places, isInWord: word[symbol])
  }
}
