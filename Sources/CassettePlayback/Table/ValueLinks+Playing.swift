internal import CassetteMatching
internal import Cassettes

extension ValueLinks {
  /// The names that templates among the entries of a table give out.
  init(of entries: [RecordingTable.Entry], _ templates: [Int: AnswerTemplate]) {
    self.init(
      entries.map { entry in
        Entry(
          entry.interaction, home: "\(entry.cassette) \(entry.origin ?? "")",
          path: RecordedChanges.path(of: entry.interaction.pathAndQuery))
      }, templates: templates.keys, created: CreatedName.of)
  }
}
