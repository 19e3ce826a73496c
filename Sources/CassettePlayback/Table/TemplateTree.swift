internal import CassetteMatching
internal import Cassettes

/// A tree of path templates by segment: looking up a path does not depend on the number of templates.
struct TemplateTree: Sendable {
  private struct Node {
    var literals: [Substring: Int] = [:]
    /// The node that follows any segment.
    var any: Int?
    /// The numbers of the recordings whose template ends at this node.
    var recordings: [Int] = []
  }

  private var nodes = [Node()]

  var isEmpty: Bool { nodes.count == 1 }

  /// Adds a recording's template.
  mutating func insert(_ template: PathTemplate, recording: Int) {
    var at = 0
    for segment in template.canonical.pattern {
      let known = segment.map { nodes[at].literals[$0] } ?? nodes[at].any
      let next = known ?? nodes.count
      if known == nil { nodes.append(Node()) }
      if let segment { nodes[at].literals[segment] = next } else { nodes[at].any = next }
      at = next
    }
    nodes[at].recordings.append(recording)
  }

  /// Returns the recordings whose templates match a path in its canonical spelling.
  func recordings(for path: String) -> [Int] {
    guard !isEmpty else { return [] }
    var ways = [0]
    for segment in path.split(separator: "/", omittingEmptySubsequences: false) {
      ways = ways.flatMap { way in
        [nodes[way].literals[segment], segment.isEmpty ? nil : nodes[way].any].compactMap(\.self)
      }
      if ways.isEmpty { break }
    }
    return ways.flatMap { nodes[$0].recordings }
  }
}
