internal import CassetteSystem

/// A program with its automaton, which grows with use.
final class PatternMatcher: Sendable {
  private enum Automaton {
    case notMade
    case made(PatternAutomaton)
    case impossible
  }

  private let program: PatternProgram
  /// The automaton, which is removed during a run.
  ///
  /// A concurrent thread creates another one instead of waiting.
  private let automaton = Locked(Automaton.notMade)

  init(_ program: PatternProgram) { self.program = program }

  /// Matches a whole text.
  ///
  /// Returns nil if the remaining steps do not suffice.
  func matches(_ text: ConditionText, _ left: inout Int) -> Bool? {
    guard left > 0 else { return nil }
    let kept = automaton.withLock { automaton in
      guard case .made = automaton else { return automaton }
      defer { automaton = .notMade }
      return automaton
    }
    var made: PatternAutomaton?
    switch kept {
    case .made(let automaton): made = automaton
    case .notMade: made = PatternAutomaton(program)
    case .impossible: break
    }
    let outcome = made?.run(text, &left) ?? .gaveUp
    let next = made.map { Automaton.made($0) } ?? .impossible
    automaton.withLock { $0 = next }
    switch outcome {
    case .matches: return true
    case .differs: return false
    case .spent: return nil
    case .gaveUp: return program.matches(text.scalars, &left)
    }
  }
}
