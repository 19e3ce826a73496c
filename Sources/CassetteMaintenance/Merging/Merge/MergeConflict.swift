internal import CassetteSystem
internal import Cassettes

/// An interaction that two branches changed in different ways.
package struct MergeConflict: Hashable, Sendable, CustomStringConvertible {
  /// The kind of conflict, which determines the content of the file and the marks of ids.
  package enum Kind: Hashable, Sendable {
    /// Both sides changed the interaction.
    ///
    /// Their version follows our version.
    case changed
    /// Both sides added a recording of the request.
    ///
    /// Their version follows our version.
    case added
    /// Our side deleted the interaction and their side changed it.
    ///
    /// Their version is kept.
    case deletedByOurs
    /// Their side deleted the interaction and our side changed it.
    ///
    /// Our version is kept.
    case deletedByTheirs
    /// Both sides changed a member of the cassette.
    ///
    /// Our version is kept.
    case member(theirs: String)
  }

  /// The request and id of the interaction: `GET /users/kean ("get-users-kean")`.
  var name: String
  var kind: Kind
  /// Descriptions of the differences between our version and theirs.
  var differences: [String] = []

  package var description: String {
    let end = differences.isEmpty ? "" : ": " + differences.prefix(3).joined(separator: "; ")
    switch kind {
    case .changed: return "\(name) was changed on both sides\(end)"
    case .added: return "\(name) was recorded on both sides\(end)"
    case .deletedByOurs: return "\(name) was deleted by us and changed by them"
    case .deletedByTheirs: return "\(name) was changed by us and deleted by them"
    case .member(let theirs): return "\(name) was changed on both sides; our value is kept, their value was \(theirs)"
    }
  }

  // MARK: Marks in the file

  /// The suffix of an id that marks a conflict in the file.
  enum Mark: String, CaseIterable {
    case theirs = " (conflict: theirs)"
    case deletedByOurs = " (conflict: deleted by ours)"
    case deletedByTheirs = " (conflict: deleted by theirs)"

    /// Splits an id into the original id and its mark; returns nil if it has no mark.
    static func split(_ id: String) -> (id: String, mark: Mark)? {
      for mark in allCases where id.hasSuffix(mark.rawValue) { return (String(id.dropLast(mark.rawValue.count)), mark) }
      // A number follows the mark if the marked id was in use.
      guard let hyphen = id.lastIndex(of: "-"), id[hyphen...].dropFirst().allSatisfy(\.isNumber) else { return nil }
      return split(String(id[..<hyphen])).map { ($0.id, $0.mark) }
    }
  }

  /// Returns an error for each unresolved conflict in a cassette, with the command that resolves it.
  static func problems(of cassette: Cassette) -> [CassetteError] {
    let file = cassette.file ?? cassette.name
    return cassette.interactions.compactMap { interaction in
      guard let (id, mark) = Mark.split(interaction.id) else { return nil }
      let request = "\(interaction.shown) (\"\(id)\")"
      let message =
        switch mark {
        case .theirs: "\(request) was changed on both sides; this is their version"
        case .deletedByOurs: "\(request) was deleted by us and changed by them"
        case .deletedByTheirs: "\(request) was changed by us and deleted by them"
        }
      return CassetteError(
        file: file, line: interaction.place?.line ?? 0, column: interaction.place?.column ?? 0, message: message,
        suggestion:
          "resolve the conflict: mockserver git resolve --ours \(ShellWord.path(file)), or --theirs, or --both")
    }
  }

  /// The side that is kept when a conflict is resolved.
  package enum Choice: String, CaseIterable, Sendable {
    case ours, theirs, both
  }
}

extension CassetteText {
  /// Resolves all conflicts in the file in favor of one side, and returns their number.
  package mutating func resolve(_ choice: MergeConflict.Choice) -> Int {
    var gone: Set<String> = []
    var names: [(from: String, to: String)] = []
    for entry in entries {
      guard let (id, mark) = MergeConflict.Mark.split(entry.id) else { continue }
      switch (mark, choice) {
      case (.theirs, .ours), (.deletedByOurs, .ours), (.deletedByTheirs, .theirs): gone.insert(entry.id)
      case (.theirs, .theirs):
        gone.insert(id)
        names.append((entry.id, id))
      default: names.append((entry.id, id))
      }
    }
    let count = gone.union(names.map(\.from)).filter { MergeConflict.Mark.split($0) != nil }.count
    remove(gone)
    for (from, to) in names { rename(from, to: UniqueIDs.free(to, among: Set(ids))) }
    return count
  }
}

/// Generates unique ids.
enum UniqueIDs {
  /// Returns the id, or the id with the next unused number.
  static func free(_ id: String, among taken: Set<String>) -> String {
    guard taken.contains(id) else { return id }
    var base = id
    if let hyphen = id.lastIndex(of: "-"), Int(id[id.index(after: hyphen)...]) != nil { base = String(id[..<hyphen]) }
    var number = 2
    while taken.contains("\(base)-\(number)") { number += 1 }
    return "\(base)-\(number)"
  }
}
