/// A proposed change of a cassette file, which can be shown, written and reverted.
///
/// All text outside of the change is preserved byte for byte.
package struct CassetteEdit: Sendable {
  /// The path of the file, which need not exist.
  package let path: String
  /// The current contents of the file; nil if it does not exist.
  package let before: [UInt8]?
  /// The new contents of the file.
  package let after: [UInt8]
  /// The id of the interaction that is changed or added.
  package let interaction: String

  /// Creates a change without writing it.
  package init(path: String, before: [UInt8]?, after: [UInt8], interaction: String) {
    (self.path, self.before, self.after, self.interaction) = (path, before, after, interaction)
  }

  /// The change as a unified diff with one hunk.
  package var diff: String { LineDiff.text(path: path, before ?? [], after) }

  /// The reverse change; nil if the file did not exist.
  package var undone: CassetteEdit? {
    before.map { CassetteEdit(path: path, before: after, after: $0, interaction: interaction) }
  }
}

/// Compares two versions of a text with a common beginning and end.
enum LineDiff {
  /// The number of unchanged lines around a change.
  private static let context = 3

  /// Returns a unified diff with one hunk; empty if the versions are equal.
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
