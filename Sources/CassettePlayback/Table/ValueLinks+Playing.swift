internal import CassetteMatching
internal import Cassettes

extension ValueLinks {
  /// Creates the links for the names that templates among a table's entries generate.
  init(of entries: [RecordingTable.Entry], _ templates: [Int: AnswerTemplate]) {
    self.init(
      entries.map { entry in
        Entry(
          entry.interaction, home: "\(entry.cassette) \(entry.origin ?? "")",
          path: RecordedChanges.path(of: entry.interaction.pathAndQuery))
      }, templates: templates.keys, created: CreatedName.of)
  }
}
