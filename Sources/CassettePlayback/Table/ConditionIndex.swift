internal import CassetteMatching
internal import Cassettes

/// Recordings with conditions on path or URL, by the folder of all that can meet them.
///
/// Hundreds of patterns for one API cost the requests of another nothing.
struct ConditionIndex: Sendable {
  /// The key is a path's beginning up to one of its slashes; it is empty where a pattern says nothing of that.
  private var folders: [ArraySlice<UInt8>: [(number: Int, beginning: [UInt8])]] = [:]

  var isEmpty: Bool { folders.isEmpty }

  /// Adds a recording, by what its condition says that a path or URL begins with.
  mutating func insert(_ condition: Condition?, recording: Int) {
    let beginning = condition?.beginning ?? []
    let path = beginning.prefix { $0 != UInt8(ascii: "?") }
    let folder = path.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? []
    folders[folder, default: []].append((recording, beginning))
  }

  /// The recordings whose condition a target may meet: path and query, as they were sent.
  func recordings(for target: String) -> [Int] {
    guard !isEmpty else { return [] }
    let target = Array(target.utf8)
    var found: [Int] = []
    func look(in folder: ArraySlice<UInt8>) {
      for (number, beginning) in folders[folder] ?? [] where target.starts(with: beginning) { found.append(number) }
    }
    look(in: [])
    for (index, byte) in target.enumerated() {
      if byte == UInt8(ascii: "?") { break }
      if byte == UInt8(ascii: "/") { look(in: target[...index]) }
    }
    return found
  }
}
