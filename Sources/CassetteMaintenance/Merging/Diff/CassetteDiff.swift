internal import CassetteJSON
package import Cassettes

/// The differences between two versions of a cassette: added, removed and changed interactions.
package struct CassetteDiff: Sendable {
  /// An interaction that was added, removed or changed.
  package struct Change: Hashable, Sendable {
    package enum Kind: String, Sendable {
      case new, gone, changed
    }

    package var kind: Kind
    package var id: String
    /// The method and path with secrets masked: `GET /users/kean`.
    package var request: String
    /// The status, or the name of a failure.
    package var outcome: String
    /// Descriptions of the differences in a changed interaction.
    package var differences: [String] = []
  }

  package private(set) var changes: [Change] = []
  /// Descriptions of the differences in other members of the cassette.
  package private(set) var members: [String] = []

  /// True if only layout and times differ.
  package var isEmpty: Bool { changes.isEmpty && members.isEmpty }

  /// Compares two versions of a cassette.
  ///
  /// - Parameters:
  ///   - old: The old version; empty if there is no file.
  ///   - new: The new version; empty if there is no file.
  ///   - names: The paths of both files, for error messages.
  /// - Throws: The first error in one of the files.
  package init(from old: [UInt8], to new: [UInt8], names: (old: String, new: String)) throws(CassetteError) {
    let before = old.isEmpty ? CassetteText() : try CassetteText(old, name: names.old)
    let after = new.isEmpty ? CassetteText() : try CassetteText(new, name: names.new)
    for item in before.members.items + after.members.items {
      let name = String(decoding: item.name, as: UTF8.self)
      let (one, other) = (before.members.member(name), after.members.member(name))
      guard name != "interactions", name != "cassette", one?.tokens != other?.tokens else { continue }
      let words = "\(name): \(Self.text(one)) → \(Self.text(other))"
      if !members.contains(words) { members.append(words) }
    }
    let pairs = InteractionPairs.pair(before.entries, after.entries)
    let kept = Set(pairs.compactMap(\.self))
    for (index, entry) in before.entries.enumerated() where !kept.contains(index) {
      changes.append(Self.change(.gone, entry))
    }
    // The order of recordings of the same request is significant, because the first one is played first.
    var last: [[UInt8]: Int] = [:]
    for (index, partner) in pairs.enumerated() {
      let entry = after.entries[index]
      guard let partner else {
        changes.append(Self.change(.new, entry))
        continue
      }
      var differences = InteractionChange.words(from: before.entries[partner], to: entry)
      if let later = last[entry.request], partner < later {
        differences.append("order: now after \"\(before.entries[later].id)\"")
      }
      last[entry.request] = max(last[entry.request] ?? partner, partner)
      if !differences.isEmpty {
        var change = Self.change(.changed, entry)
        change.differences = differences
        changes.append(change)
      }
    }
  }

  private static func change(_ kind: Change.Kind, _ entry: CassetteText.Entry) -> Change {
    Change(
      kind: kind, id: entry.id, request: entry.interaction.shown, outcome: EntryWords.outcome(of: entry.interaction))
  }

  private static func text(_ item: JSONTextList.Item?) -> String {
    item.map { JSONDifference.excerpt($0.tokens[...]) } ?? "nothing"
  }

  /// Returns the number of changes of a kind.
  package func count(_ kind: Change.Kind) -> Int { changes.count { $0.kind == kind } }

  /// The changes as lines of text.
  package var text: String {
    var text = members.map { "~ \($0)\n" }.joined()
    for change in changes {
      let mark = ["new": "+", "gone": "-"][change.kind.rawValue] ?? "~"
      text += "\(mark) \(change.request)  \(change.outcome)  (\"\(change.id)\")\n"
      for difference in change.differences { text += "    \(difference)\n" }
    }
    return text
  }
}
