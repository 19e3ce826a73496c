internal import CassetteSecrets
internal import CassetteSystem
package import Cassettes

/// Merges all recorded parts into a cassette, independent of the order in which they were recorded.
package struct RecordingFold: ~Copyable {
  /// The result of merging.
  package struct Result {
    /// The merged cassette.
    package var cassette: Cassette
    /// All changes.
    package var changes: Recording.Changes
    /// The changes caused by each part, in the order of parts.
    var parts: [Recording.Changes]
    /// The new and changed recordings.
    var fresh: [Interaction]
  }

  /// The existing cassette.
  var base: Cassette
  /// The ids of the recordings at the start; nil for all.
  var original: Set<String>?
  /// The ids of recordings that a person changed in the meantime.
  package var edited: Set<String> = []
  /// True if failures replace recorded responses.
  var keepsFailures = false
  /// True if a repeated recording gets new content and a new date, even if its response is unchanged.
  var renewsDates = false
  /// True if recordings that were not requested are removed.
  var prunes = false
  /// The ids of recordings that are never removed.
  var spared: Set<String> = []
  /// True if the parts were already checked for tokens.
  package var isLooked = false

  /// Creates a merge.
  ///
  /// - `original`: The ids of the recordings at the start. Nil by default, which means all recordings.
  package init(base: Cassette, original: Set<String>? = nil) {
    (self.base, self.original) = (base, original)
  }

  /// Parts that are merged together because they have the same mode and redaction.
  private struct Batch {
    var mode: CassetteMode
    var redaction: CassetteRedaction
    var journal: RedactionPass?
    var parts: [Int]
  }

  /// Merges parts into the cassette.
  ///
  /// - `parts`: The recorded parts, in the order of the cassette.
  package func merged(_ parts: [RecordingPart]) throws(CassetteError) -> Result {
    var cassette = base
    var sources: [Int?] = base.interactions.indices.map { $0 }
    var changes = [Recording.Changes](repeating: Recording.Changes(), count: parts.count)
    var asked: Set<Int> = []
    var reredacted: [String] = []
    var redaction = RedactionUse()
    var changed: Set<Int> = []
    var pins: [[UInt8]: Int] = [:]
    for batch in batches(of: parts) {
      var merge = RecordingMerge(
        into: cassette, isSure: batch.mode != .recordMissing, batch.redaction, of: batch.journal, pinned: pins)
      merge.keepsFailures = keepsFailures
      merge.edited = edited
      if batch.mode == .recordMissing { merge.findable = findable(sources) }
      var sent: [RecordingMerge.Sent] = []
      for part in batch.parts {
        let (key, isGood, match) = (parts[part].key, !parts[part].hasFailed, parts[part].match)
        sent += parts[part].sent.map {
          RecordingMerge.Sent(
            interaction: $0, by: key ?? $0.recorded?.by, replaces: isGood, renews: renewsDates && isGood, match: match)
        }
        merge.unanswered += parts[part].unanswered
      }
      let result = try merge.merged(sent)
      var outcomes = result.outcomes[...]
      for part in batch.parts {
        let count = parts[part].sent.count
        for outcome in outcomes.prefix(count) { changes[part].note(outcome) }
        outcomes = outcomes.dropFirst(count)
      }
      if let first = batch.parts.first { changes[first].kept += result.unanswered }
      reredacted += result.reredacted
      if !sent.isEmpty { redaction.add(result.redaction) }
      asked.formUnion(result.asked.compactMap { sources[$0] })
      changed.formUnion(result.replaced.compactMap { sources[$0] })
      sources = result.sources.map { $0.flatMap { sources[$0] } }
      cassette = result.cassette
      pins.merge(merge.pins) { $1 }
      if !isLooked { try SecretScanner(batch.redaction).keeping(redaction.keptGuesses).check(cassette) }
    }
    let fresh = zip(cassette.interactions, sources).filter { _, source in source.map { changed.contains($0) } ?? true }
    let seen = asked
    let played = parts.reduce(into: Set<String>()) { $0.formUnion($1.played) }
    for (index, interaction) in base.interactions.enumerated() where played.contains(interaction.id) {
      asked.insert(index)
    }
    var total = Recording.Changes(changed: reredacted)
    for part in changes { total.add(part) }
    total.redaction = redaction
    let unasked = base.interactions.indices.filter { !asked.contains($0) }
    let hasAsked = !played.isEmpty || parts.contains { !$0.sent.isEmpty }
    let prunes = prunes && hasAsked
    let isListed = prunes || parts.contains { $0.mode == .record && !$0.sent.isEmpty }
    if !isListed {
      total.unchanged += base.interactions.count - seen.count
    } else if prunes {
      // Recordings that a person added in the meantime could not have been requested.
      let spared = spared.union(edited).union(original.map { Set(base.interactions.map(\.id)).subtracting($0) } ?? [])
      let gone = Set(unasked.filter { !spared.contains(base.interactions[$0].id) })
      total.gone = gone.sorted().map { base.interactions[$0].id }
      cassette.interactions = zip(cassette.interactions, sources)
        .filter { _, source in source.map { !gone.contains($0) } ?? true }.map(\.0)
    } else {
      total.unasked = unasked.map { base.interactions[$0].id }
    }
    return Result(cassette: cassette, changes: total, parts: changes, fresh: fresh.map(\.0))
  }

  /// Groups similar parts so that they share known secrets; parts in mode `record` come first.
  private func batches(of parts: [RecordingPart]) -> [Batch] {
    var batches: [Batch] = []
    for generation in Set(parts.map(\.generation)).sorted() {
      for mode in [CassetteMode.record, .recordMissing] {
        let first = batches.count
        for (index, part) in parts.enumerated() where part.mode == mode && part.generation == generation {
          let isAlike = { (batch: Batch) in
            batch.journal == nil && part.journal == nil && batch.redaction == part.redaction
          }
          if let batch = batches[first...].firstIndex(where: isAlike) {
            batches[batch].parts.append(index)
          } else {
            batches.append(Batch(mode: mode, redaction: part.redaction, journal: part.journal, parts: [index]))
          }
        }
      }
    }
    return batches
  }

  /// Returns the recordings that a part in mode `recordMissing` may replace: only those added in this session.
  private func findable(_ sources: [Int?]) -> Set<Int> {
    guard let original else { return [] }
    return Set(
      sources.indices.filter { index in
        sources[index].map { !original.contains(base.interactions[$0].id) } ?? true
      })
  }
}
