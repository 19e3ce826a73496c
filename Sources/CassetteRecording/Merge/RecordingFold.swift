internal import CassetteSecrets
internal import Cassettes

/// Makes one cassette of the one there was and of everything that is recorded into it, whoever was first.
struct RecordingFold {
  /// The result of a fold.
  struct Result {
    /// The cassette.
    var cassette: Cassette
    /// All changes.
    var changes: Recording.Changes
    /// The changes because of each part, in their order.
    var parts: [Recording.Changes]
    /// The recordings in it that are new, or not what they were.
    var fresh: [Interaction]
  }

  /// The cassette as it was recorded before.
  var base: Cassette
  /// Ids of what was there when the recording began; nil for all.
  var original: Set<String>?
  /// Ids of recordings that a person changed meanwhile.
  var edited: Set<String> = []
  /// True if failures replace what was recorded.
  var keepsFailures = false
  /// True if a recording that is recorded again gets a new text and date, even if its answer is unchanged.
  var renewsDates = false
  /// True if recordings that nothing asked for are removed.
  var prunes = false
  /// Ids of recordings that are not taken away all the same.
  var spared: Set<String> = []
  /// True if the parts were looked through for what looks like a token.
  var isLooked = false

  /// The parts as they are merged together: of one mode, with one way of taking secrets out.
  private struct Batch {
    var mode: CassetteMode
    var redaction: CassetteRedaction
    var journal: RedactionPass?
    var parts: [Int]
  }

  /// Merges parts into the cassette.
  ///
  /// - Parameter parts: What is recorded, in the order in which it is to stand.
  /// - Returns: The cassette, and what is different in it.
  /// - Throws: What looks like a token in it, or a body's file that cannot be read.
  func merged(_ parts: [RecordingPart]) throws(CassetteError) -> Result {
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
      if !isLooked { try SecretScanner(batch.redaction).check(cassette) }
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
      // What a person wrote meanwhile nobody could have asked for.
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

  /// Puts parts of one kind together, so that one pass knows all their secrets; those that record everything come first.
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

  /// Finds the recordings that a recorder of missing answers may replace: only those that recorders of its kind wrote.
  private func findable(_ sources: [Int?]) -> Set<Int> {
    guard let original else { return [] }
    return Set(
      sources.indices.filter { index in
        sources[index].map { !original.contains(base.interactions[$0].id) } ?? true
      })
  }
}
