internal import CassetteJSON
internal import CassetteSystem

/// Makes JSON of what is none, so that one walker compares every kind of body.
struct BodyTreeBuilder {
  /// The text of the values made so far.
  private(set) var bytes: [UInt8]

  init(after bytes: [UInt8] = []) { self.bytes = bytes }

  /// A string of a text, whatever its bytes.
  mutating func string(_ text: [UInt8]) -> JSONTree.Node {
    let start = bytes.count
    JSONString.append(text.span, to: &bytes)
    return JSONTree.Node(range: start..<bytes.count, kind: .scalar)
  }

  /// A value that is no string and no number: it equals the same word, and never counts as made anew.
  mutating func word(_ text: String) -> JSONTree.Node {
    let start = bytes.count
    bytes += text.utf8
    return JSONTree.Node(range: start..<bytes.count, kind: .scalar)
  }

  /// An object of members whose values were made before.
  mutating func object(_ members: [JSONTree.Member]) -> JSONTree.Node {
    // Values are told apart by where they begin: the next one must not begin here.
    defer { bytes.append(0x20) }
    return JSONTree.Node(range: bytes.count..<bytes.count, kind: .object(members))
  }

  /// A value of another tree.
  mutating func value(_ tree: JSONTree) -> JSONTree.Node {
    let shift = bytes.count
    bytes += tree.bytes
    return Self.shifted(tree.root, by: shift)
  }

  private static func shifted(_ node: JSONTree.Node, by shift: Int) -> JSONTree.Node {
    let kind: JSONTree.Kind =
      switch node.kind {
      case .object(let members):
        .object(members.map { JSONTree.Member(name: $0.name, value: shifted($0.value, by: shift)) })
      case .array(let elements): .array(elements.map { shifted($0, by: shift) })
      case .scalar: .scalar
      }
    return JSONTree.Node(range: node.range.lowerBound + shift..<node.range.upperBound + shift, kind: kind)
  }
}
