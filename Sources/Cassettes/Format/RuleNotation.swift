internal import CassetteSystem

/// An exchange's rules as a cassette writes them, for formats that have none of their own.
///
/// There is one notation and one reader, so that what is carried elsewhere is what a person wrote.
package enum RuleNotation {
  /// Returns the object behind `match`, as text.
  package static func text(of rules: MatchRules) -> [UInt8] {
    var writer = CassetteFileWriter()
    writer.object(of: rules)
    return writer.output
  }

  /// Returns the object behind `replay`, without `repeat`, as text.
  package static func text(of rules: ReplayRules) -> [UInt8] {
    var writer = CassetteFileWriter()
    writer.object(of: rules, repeating: .last)
    return writer.output
  }

  /// Reads the object behind `match`.
  package static func match(_ text: [UInt8]) throws(CassetteError) -> MatchRules {
    var reader = CassetteFileReader(file: "match", folder: nil, collects: false)
    return try reader.readMatch(text.span)
  }

  /// Reads the object behind `replay`.
  package static func replay(_ text: [UInt8]) throws(CassetteError) -> ReplayRules {
    var reader = CassetteFileReader(file: "replay", folder: nil, collects: false)
    var record = CassetteFileRecord(start: 0)
    return try reader.readReplay(text.span, &record)
  }
}
