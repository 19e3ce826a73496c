internal import CassetteSystem

/// The rules of an exchange in the notation of a cassette, for formats without a notation for rules.
///
/// Uses the reader and writer of cassettes, so that rules are preserved exactly.
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

  /// Parses the value of `match`.
  package static func match(_ text: [UInt8]) throws(CassetteError) -> MatchRules {
    var rules = MatchRules()
    try read(text, "match", Grammar.match, into: &rules)
    return rules
  }

  /// Parses the value of `replay`.
  package static func replay(_ text: [UInt8]) throws(CassetteError) -> ReplayRules {
    var object = ReplayObject()
    try read(text, "replay", Grammar.replay, into: &object)
    return object.rules
  }

  private static func read<Object>(
    _ text: [UInt8], _ name: String, _ table: ObjectTable<Object, Object>, into object: inout Object
  ) throws(CassetteError) {
    var reader = CassetteFileReader(file: name, folder: nil, collects: false)
    _ = try reader.read(text.span, "\"\(name)\"", table, into: &object)
  }
}
