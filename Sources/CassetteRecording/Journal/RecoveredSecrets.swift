internal import CassetteFiles
internal import CassetteSecrets
internal import CassetteShapes
internal import CassetteSystem
internal import Cassettes

/// Merges a journal that was left behind, so that its secrets get the numbers the cassette has for them.
///
/// A journal calls secrets by numbers that the cassette does not have, and knows nothing else of them. Each stands for
/// one value, so that a text of its own can stand in its place, and be taken out again by the merge, which finds the
/// number that belongs there.
struct RecoveredSecrets {
  /// The cassette that is merged into, and the ids of what a person changed in it since.
  let old: Cassette
  let edited: Set<String>
  /// True if missing exchanges come behind those that are there, and replace none.
  let adds: Bool
  /// The cassette's file as it was when the journal began; nil in a journal that does not tell.
  let base: [UInt8]?
  let file: String

  func merged(
    _ frames: [JournalFrame], _ exchanges: [Interaction]
  ) throws(CassetteError) -> (cassette: Cassette, changes: Recording.Changes) {
    var begun = base
    if begun == nil { begun = try CassetteFile.bytes(of: old) }
    var taken = Set(SecretAlias.numbers(in: begun ?? []))
    // A long body is written already, and its numbers stay.
    for exchange in exchanges where exchange.responseBody?.isInJournal == true {
      try exchange.responseBody?.openLongFile()?.eachPart(overlap: 64) { part in
        taken.formUnion(SecretAlias.numbers(in: part))
        return true
      }
    }
    // A number's place takes digits alone.
    let digits = "\(UInt64.random(in: 1_000_000_000_000_000_000 ... .max))"
    let mark = "journal\(digits)secret"
    var values: [String: SecretType?] = [:]
    let named = frames.map { frame in
      JournalFrame(number: frame.number, bytes: Self.naming(frame.bytes, mark, digits, except: taken, &values))
    }
    if !values.isEmpty {
      var merge = merge(values.keys.reduce(Redaction.standard) { $0.redacting(.value($1)) })
      for case (let value, let shape?) in values { merge.pass.declare(value, shape) }
      merge.keepsNumbers = true
      let merged = try merge.merged(Self.sent(RecordingJournal.exchanges(named, file).all))
      let bytes = try CassetteFile.bytes(of: merged.cassette)
      if bytes.firstIndex(of: Array(digits.utf8), from: 0) == nil { return (merged.cassette, merged.changes) }
    }
    var merge = merge(.standard)
    let merged = try merge.merged(Self.sent(exchanges))
    return (merged.cassette, merged.changes)
  }

  private func merge(_ redaction: Redaction) -> RecordingMerge {
    var merge = RecordingMerge(into: old, unasked: adds ? .untouched : .uncounted, redaction)
    merge.edited = edited
    if adds { merge.findable = [] }
    return merge
  }

  /// Exchanges of a journal, each of the test that it names.
  private static func sent(_ exchanges: [Interaction]) -> [RecordingMerge.Sent] {
    exchanges.map { RecordingMerge.Sent(interaction: $0, by: $0.recorded?.by) }
  }

  /// Puts `MARK4x` for `{{secret:4}}`.
  private static func naming(
    _ bytes: [UInt8], _ mark: String, _ digits: String, except taken: Set<Int>, _ values: inout [String: SecretType?]
  ) -> [UInt8] {
    var output: [UInt8] = []
    var at = 0
    SecretAlias.each(in: bytes) { alias in
      guard !taken.contains(alias.number) else { return }
      // One name must not be the beginning of another.
      let isNumeric = alias.shape?.kind.isNumeric ?? false
      let value = isNumeric ? digits + String(1_000_000_000 + alias.number) : "\(mark)\(alias.number)x"
      values.updateValue(alias.shape, forKey: value)
      let quotes = alias.isQuotedNumber ? 1 : 0
      output += bytes[at..<alias.range.lowerBound - quotes]
      output += value.utf8
      at = alias.range.upperBound + quotes
    }
    return output + bytes[at...]
  }
}
