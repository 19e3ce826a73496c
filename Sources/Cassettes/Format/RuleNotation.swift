internal import CassetteSystem

/// The rules of an exchange in the notation of a cassette, for formats without a notation for rules.
///
/// Uses the writer of cassettes, so that rules are preserved exactly.
package enum RuleNotation {
  /// Returns the value of `match` as JSON.
  package static func text(of rules: MatchRules) -> [UInt8] { text(of: rules, Grammar.match) }

  /// Returns the value of `replay` as JSON, without `repeat`.
  package static func text(of rules: ReplayRules) -> [UInt8] { text(of: ReplayObject(rules: rules), Grammar.replay) }

  private static func text<Object>(of object: Object, _ table: ObjectTable<Object, Object>) -> [UInt8] {
    var writer = CassetteFileWriter()
    // Only writing a body file can fail, and rules have none.
    try? writer.write(table, object)
    return writer.output
  }
}
