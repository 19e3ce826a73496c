internal import CassetteSystem

/// A deterministic automaton for a pattern, whose states are created on demand.
///
/// A state is the set of active positions in the pattern. Its transitions are stored in a table and reused for the next
/// text, so that a character takes one look-up, however many positions are active: two hundred patterns of a body of
/// 30 KB need a tenth of a request's budget, and would exceed it with threads. A pattern with look-ahead has no
/// automaton, and the size of the table is limited.
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

  private struct State: Sendable {
    /// The active positions in program order: character steps, and assertions that depend on the next character.
    var core: [Int]
    /// True if the last character was a word character.
    var isInWord: Bool
    /// True if a text that ends in this state matches.
    var isAccepting: Bool
  }

  /// The maximum number of table entries, each of four bytes.
  private static let mostEntries = 1 << 14
  /// The state without active positions, from which nothing matches.
  private static let dead: Int32 = 1

  private let steps: [PatternProgram.Step]
  private let alphabet: PatternAlphabet
  /// The symbols of each class.
  private let members: [[Bool]]
  /// The index of the class that a step accepts, by step; -1 for steps that accept no character.
  private let classes: [Int]
  /// The symbols of word characters.
  private let word: [Bool]
  private var states: [State] = []
  private var numbers: [[Int]: Int] = [:]
  /// The next state for each state and symbol; -1 if it is unknown.
  private var table: [Int32] = []
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
    var ignored = 0
    _ = add(closure(of: [0], atStart: true, &ignored), isInWord: false, isFirst: true)
    _ = add(([], false), isInWord: false)
  }

  // MARK: Running

  /// Matches a whole text.
  mutating func run(_ text: ConditionText, _ left: inout Int) -> Outcome {
    text.bytes.searching { bytes in
      var (at, state): (Int, Int32) = (0, 0)
      while left > 0 {
        let start = at
        let unknown = scan(bytes, &at, &state)
        left -= (at - start) / 16 + 1
        guard let unknown else { return states[Int(state)].isAccepting ? .matches : .differs }
        guard let next = target(of: Int(state), unknown, &left) else { return .gaveUp }
        table[Int(state) * alphabet.count + unknown] = next
      }
      return .spent
    }
  }

  /// Follows known transitions.
  ///
  /// Returns the symbol of an unknown transition, or nil at the end of the text or if nothing can match any more.
  private func scan(_ text: ByteSearch, _ at: inout Int, _ state: inout Int32) -> Int? {
    let width = alphabet.count
    return table.withUnsafeBufferPointer { table in
      alphabet.ascii.withUnsafeBufferPointer { ascii in
        while at < text.count, state != Self.dead {
          let byte = text[at]
          var length = 1
          let symbol: Int
          if byte < 0x80 {
            symbol = Int(ascii[Int(byte)])
          } else {
            let scalar: UInt32
            (scalar, length) = text.scalar(at: at)
            symbol = alphabet.symbol(of: scalar)
          }
          let next = table[Int(state) &* width &+ symbol]
          if next < 0 { return symbol }
          state = next
          at += length
        }
        return nil
      }
    }
  }

  // MARK: States

  /// Returns the positions that can be reached from some steps without consuming a character, and true if the end of
  /// the program is among them.
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
    return (core.sorted(), isDone)
  }

  /// Returns the number of a state, which is created if necessary, or nil if the table is full.
  private mutating func add(_ places: (core: [Int], isDone: Bool), isInWord: Bool, isFirst: Bool = false) -> Int32? {
    let core = places.core
    let pending = core.filter { classes[$0] < 0 }
    // The state depends on whether a text may end here, and on the facts that assertions need.
    let key = core + (places.isDone ? [-1] : []) + (isInWord && !pending.isEmpty ? [-2] : [])
    if let known = numbers[key] { return Int32(known) }
    guard table.count + alphabet.count <= Self.mostEntries else { return nil }
    var ignored = 0
    let isAccepting =
      places.isDone
      || !pending.isEmpty
        && closure(of: pending, atStart: isFirst, atEnd: true, isBoundary: isInWord, &ignored).isDone
    let number = states.count
    states.append(State(core: core, isInWord: isInWord, isAccepting: isAccepting))
    // After the first character, the same positions are another state, because `^` no longer matches.
    if !isFirst { numbers[key] = number }
    table += [Int32](repeating: -1, count: alphabet.count)
    return Int32(number)
  }

  private func takes(_ step: Int, _ symbol: Int) -> Bool { classes[step] >= 0 && members[classes[step]][symbol] }

  /// Returns the state after a symbol, or nil if the table is full.
  private mutating func target(of state: Int, _ symbol: Int, _ left: inout Int) -> Int32? {
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
