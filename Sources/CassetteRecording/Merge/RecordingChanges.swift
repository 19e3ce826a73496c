extension Recording {
  /// The changes that a recording makes in a cassette, and what it leaves.
  package struct Changes: Hashable, Sendable, CustomStringConvertible {
    /// Exchanges that were not there before, by method and URL.
    package var added: [String] = []
    /// Exchanges that are not what they were, by id.
    package var changed: [String] = []
    /// Exchanges that were asked for and stay as they were, by id, with the reason: `get-a: timedOut`.
    package var kept: [String] = []
    /// Exchanges that were taken away because nothing asked for them, by id.
    package var gone: [String] = []
    /// Exchanges that nothing asked for and that stay, by id.
    package var unasked: [String] = []
    /// The number of recordings that were asked for and stayed as they were.
    package var unchanged = 0
    /// The places that were to be taken out, by whether there was anything.
    package var redaction = RedactionUse()

    /// Changes.
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

    /// The changes in words: `1 added (GET /user), 2 not asked again (get-a, get-b), 5 unchanged`.
    package var description: String {
      let lists = [
        ("added", added), ("changed", changed), ("kept as recorded", kept), ("gone", gone),
        ("not asked again", unasked),
      ]
      var parts = lists.compactMap { word, names -> String? in
        names.isEmpty ? nil : "\(names.count) \(word) (\(Self.list(names, most: 5)))"
      }
      if isEmpty { parts.insert(unchanged == 0 && parts.isEmpty ? "nothing recorded" : "nothing changed", at: 0) }
      if unchanged > 0, parts.count > 1 || !isEmpty { parts.append("\(unchanged) unchanged") }
      return (parts + redaction.lines()).joined(separator: ", ")
    }

    /// Names, as many as fit into a line.
    package static func list(_ names: [String], most: Int) -> String {
      names.prefix(most).joined(separator: ", ") + (names.count > most ? ", …" : "")
    }

    mutating func note(_ outcome: RecordingMerge.Outcome) {
      switch outcome {
      case .added(let name): added.append(name)
      case .changed(let id): changed.append(id)
      case .kept(let reason): kept.append(reason)
      case .unchanged: unchanged += 1
      }
    }

    /// Changes of two parts of a recording.
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
