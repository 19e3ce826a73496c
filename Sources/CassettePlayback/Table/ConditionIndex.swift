internal import CassetteMatching
internal import Cassettes

/// Recordings with conditions on path or URL, by the folder of all that can meet them.
///
/// Hundreds of patterns for one API cost the requests of another nothing.
struct ConditionIndex: Sendable {
  private struct Folder {
    var recordings: [(number: Int, beginning: [UInt8])] = []
    /// The cost of trying them.
    var cost = RuleCost()
  }

  /// The key is a path's beginning up to one of its slashes; it is empty where a pattern says nothing of that.
  private var folders: [ArraySlice<UInt8>: Folder] = [:]

  var isEmpty: Bool { folders.isEmpty }

  /// Adds a recording, by what its condition says that a path or URL begins with.
  mutating func insert(_ condition: Condition?, recording: Int, _ rules: MatchRules) {
    let beginning = condition?.beginning ?? []
    let path = beginning.prefix { $0 != UInt8(ascii: "?") }
    let folder = path.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? []
    folders[folder, default: Folder()].recordings.append((recording, beginning))
    folders[folder]?.cost.add(rules)
  }

  /// The recordings whose condition a target may meet: path and query, as they were sent.
  func recordings(for target: String) -> [Int] {
    var found: [Int] = []
    each(for: target) { folder, target in
      for (number, beginning) in folder.recordings where target.starts(with: beginning) { found.append(number) }
    }
    return found
  }

  /// The most that it takes to try them.
  func steps(for target: String, body count: Int) -> Int {
    var steps = 0
    each(for: target) { steps += $0.cost.steps(target: $1.count, body: count) }
    return steps
  }

  private func each(for target: String, _ use: (Folder, [UInt8]) -> Void) {
    guard !isEmpty else { return }
    let target = Array(target.utf8)
    if let anywhere = folders[[]] { use(anywhere, target) }
    for (index, byte) in target.enumerated() {
      if byte == UInt8(ascii: "?") { break }
      if byte == UInt8(ascii: "/"), let folder = folders[target[...index]] { use(folder, target) }
    }
  }
}
