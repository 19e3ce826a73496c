// Not part of the package: `.ci/fuzz` compiles this file with the toolchain's libFuzzer, and the patterns' own with it.

/// Looks for patterns that end the process, take long, or match otherwise than their plain threads do, on a text of its
/// own choice.
///
/// - Parameter bytes: A pattern, and after the first zero byte a text.
func fuzzPattern(_ bytes: [UInt8]) {
  let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
  let source = String(decoding: parts.first ?? [], as: UTF8.self)
  let text = String(decoding: parts.dropFirst().first ?? [], as: UTF8.self)
  if let pattern = try? TextPattern(source) {
    var parser = PatternParser(source)
    if let node = try? parser.parse(), let program = try? PatternProgram(node) {
      var (budget, left) = (MatchingBudget(), MatchingBudget.steps)
      let isMatch = pattern.matches(ConditionText(text), &budget)
      let expected = program.matches(text.unicodeScalars.map(\.value), &left)
      precondition(isMatch == nil || expected == nil || isMatch == expected, "two answers to one question")
    }
  }
  guard let literal = try? TextPattern(TextPattern.escaped(text)) else { return }
  precondition(literal.matches(text), "a text that does not match itself")
}
