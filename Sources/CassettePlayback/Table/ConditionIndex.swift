internal import CassetteMatching
internal import Cassettes

/// An index of the recordings with conditions on path or URL, by the folder that matching paths begin with.
///
/// Hundreds of patterns for one API do not slow down requests to another.
struct ConditionIndex: Sendable {
  /// The recordings by the beginning of a path, up to a slash; the key is empty for a pattern without a literal
  /// beginning.
  private var folders: [ArraySlice<UInt8>: [(number: Int, beginning: [UInt8])]] = [:]

  /// The lengths of the keys: hashing every folder of a request's path would take quadratic time.
  private var lengths: Set<Int> = []

  var isEmpty: Bool { folders.isEmpty }

  /// Adds a recording under the literal beginning of its condition.
  mutating func insert(_ condition: Condition?, recording: Int) {
    let beginning = condition?.beginning ?? []
    let path = beginning.prefix { $0 != UInt8(ascii: "?") }
    let folder = path.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? []
    folders[folder, default: []].append((recording, beginning))
    lengths.insert(folder.count)
  }

  /// Returns the recordings whose condition a target (path and query, as sent) may satisfy.
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
      if byte == UInt8(ascii: "/"), lengths.contains(index + 1) { look(in: target[...index]) }
    }
    return found
  }
}
