extension Recording {
  /// The changes that a recording makes in a cassette, and the recordings that it keeps.
  package struct Changes: Hashable, Sendable, CustomStringConvertible {
    /// New exchanges, by method and URL.
    package var added: [String] = []
    /// Changed exchanges, by id.
    package var changed: [String] = []
    /// Exchanges that were requested again but keep their old recording, by id, with the reason: `get-a: timedOut`.
    package var kept: [String] = []
    /// Exchanges that were removed because they were not requested, by id.
    package var gone: [String] = []
    /// Exchanges that were not requested and are kept, by id.
    package var unasked: [String] = []
    /// The number of recordings that were requested again and are unchanged.
    package var unchanged = 0
    /// The user-defined redaction rules, with and without a match.
    package var redaction = RedactionUse()

    /// Creates changes.
    package init(
      added: [String] = [], changed: [String] = [], kept: [String] = [], gone: [String] = [], unasked: [String] = [],
      unchanged: Int = 0
    ) {
      self.added = added
      self.changed = changed
      self.kept = kept
      self.gone = gone
      self.unasked = unasked
      self.unchanged = unchanged
    }

    /// True if nothing changed.
    package var isEmpty: Bool { added.isEmpty && changed.isEmpty && gone.isEmpty }

    /// A summary of the changes: `1 added (GET /user), 2 not requested again (get-a, get-b), 5 unchanged`.
    package var description: String {
      let lists = [
        ("added", added), ("changed", changed), ("kept as recorded", kept), ("gone", gone),
        ("not requested again", unasked),
      ]
      var parts = lists.compactMap { word, names -> String? in
        names.isEmpty ? nil : "\(names.count) \(word) (\(Self.list(names, most: 5)))"
      }
      if isEmpty { parts.insert(unchanged == 0 && parts.isEmpty ? "nothing recorded" : "nothing changed", at: 0) }
      if unchanged > 0, parts.count > 1 || !isEmpty { parts.append("\(unchanged) unchanged") }
      return (parts + redaction.lines()).joined(separator: ", ")
    }

    /// Returns a list of names, shortened to `most` names.
    package static func list(_ names: [String], most: Int) -> String {
      names.prefix(most).joined(separator: ", ") + (names.count > most ? ", …" : "")
    }

    /// Adds the outcome of one exchange.
    package mutating func note(_ outcome: RecordingMerge.Outcome) {
      switch outcome {
      case .added(let name): added.append(name)
      case .changed(let id): changed.append(id)
      case .kept(let reason): kept.append(reason)
      case .unchanged: unchanged += 1
      }
    }

    /// Adds the changes of another part of a recording.
    mutating func add(_ other: Changes) {
      added += other.added
      changed += other.changed
      kept += other.kept
      gone += other.gone
      unasked += other.unasked
      unchanged += other.unchanged
    }
  }
}
