/// A change of one cassette's file, as text: proposed, shown, written, undone.
///
/// All that is not of the change keeps its bytes, however a person has laid it out.
package struct CassetteEdit: Sendable {
  /// The path of the file, which need not exist.
  package let path: String
  /// The file as it is; nil for one that is not there.
  package let before: [UInt8]?
  /// The file as it is to be.
  package let after: [UInt8]
  /// The interaction that changes, or is added, by its id.
  package let interaction: String

  /// A change that is not written yet.
  package init(path: String, before: [UInt8]?, after: [UInt8], interaction: String) {
    (self.path, self.before, self.after, self.interaction) = (path, before, after, interaction)
  }

  /// The change as a unified diff of one hunk.
  package var diff: String { LineDiff.text(path: path, before ?? [], after) }

  /// The change back.
  package var undone: CassetteEdit? {
    before.map { CassetteEdit(path: path, before: after, after: $0, interaction: interaction) }
  }
}

/// Differences of two texts that share their beginning and their end.
enum LineDiff {
  /// Lines that are shown around a change.
  private static let context = 3

  /// One hunk of a unified diff; empty where nothing differs.
  static func text(path: String, _ before: [UInt8], _ after: [UInt8]) -> String {
    let (old, new) = (lines(before), lines(after))
    let most = min(old.count, new.count)
    var head = 0
    while head < most, old[head] == new[head] { head += 1 }
    var tail = 0
    while tail < most - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] { tail += 1 }
    guard head + tail < max(old.count, new.count) else { return "" }
    let start = max(0, head - context)
    let (oldEnd, newEnd) = (old.count - tail, new.count - tail)
    let after = min(context, tail)
    func range(_ end: Int, of count: Int) -> String {
      let length = end + after - start
      return "\(count == 0 ? 0 : start + 1),\(length)"
    }
    var text = before.isEmpty ? "--- /dev/null\n" : "--- \(path)\n"
    text += "+++ \(path)\n@@ -\(range(oldEnd, of: old.count)) +\(range(newEnd, of: new.count)) @@\n"
    func add(_ sign: String, _ lines: ArraySlice<ArraySlice<UInt8>>) {
      for line in lines { text += sign + String(decoding: line, as: UTF8.self) + "\n" }
    }
    add(" ", old[start..<head])
    add("-", old[head..<oldEnd])
    add("+", new[head..<newEnd])
    add(" ", old[oldEnd..<(oldEnd + after)])
    return text
  }

  private static func lines(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines = text.split(separator: 10, omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }
}
