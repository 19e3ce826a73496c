extension Recording {
  /// What a recording changes in a cassette.
  package struct Changes: Hashable, Sendable, CustomStringConvertible {
    /// Exchanges that were not there before, by method and URL.
    package var added: [String] = []
    /// Exchanges that are not what they were, by id.
    package var changed: [String] = []
    /// Exchanges that were not seen again, by id.
    package var gone: [String] = []
    /// How many stayed as they were.
    package var unchanged = 0

    /// Changes.
    package init(added: [String] = [], changed: [String] = [], gone: [String] = [], unchanged: Int = 0) {
      self.added = added
      self.changed = changed
      self.gone = gone
      self.unchanged = unchanged
    }

    /// Whether all is as it was.
    package var isEmpty: Bool { added.isEmpty && changed.isEmpty && gone.isEmpty }

    /// The changes in words: `1 added (GET /user), 2 gone (get-a, get-b), 5 unchanged`.
    package var description: String {
      if isEmpty { return unchanged == 0 ? "nothing recorded" : "nothing changed" }
      var parts = [("added", added), ("changed", changed), ("gone", gone)].compactMap { word, names -> String? in
        if names.isEmpty { return nil }
        let rest = names.count > 5 ? ", …" : ""
        return "\(names.count) \(word) (\(names.prefix(5).joined(separator: ", "))\(rest))"
      }
      if unchanged > 0 { parts.append("\(unchanged) unchanged") }
      return parts.joined(separator: ", ")
    }
  }
}
