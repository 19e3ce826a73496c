internal import CassetteSystem

/// An exchange's rules as a cassette writes them, for formats that have none of their own.
///
/// There is one notation and one reader, so that what is carried elsewhere is what a person wrote.
package enum RuleNotation {
  /// Returns the object behind `match`, as text.
  package static func text(of rules: MatchRules) -> [UInt8] { text(of: rules, Grammar.match) }

  /// Returns the object behind `replay`, without `repeat`, as text.
  package static func text(of rules: ReplayRules) -> [UInt8] { text(of: ReplayObject(rules: rules), Grammar.replay) }

  private static func text<Object>(of object: Object, _ table: ObjectTable<Object, Object>) -> [UInt8] {
    var writer = CassetteFileWriter()
    // Only a body in a file can fail to be written.
    try? writer.write(table, object)
    return writer.output
  }

  /// Reads the object behind `match`.
  package static func match(_ text: [UInt8]) throws(CassetteError) -> MatchRules {
    var rules = MatchRules()
    try read(text, "match", Grammar.match, into: &rules)
    return rules
  }

  /// Reads the object behind `replay`.
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
