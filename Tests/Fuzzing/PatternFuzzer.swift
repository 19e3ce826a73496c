// Not part of the package: `.ci/fuzz` compiles this file and the sources of patterns with the toolchain's libFuzzer.

/// Finds patterns that end the process, take long, or match other strings than their threads do.
///
/// - Parameter bytes: A pattern and a string, separated by the first zero byte.
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
