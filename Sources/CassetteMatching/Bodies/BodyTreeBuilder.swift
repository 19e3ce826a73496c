internal import CassetteJSON
internal import CassetteSystem

/// Represents other formats as JSON, so that the same code compares every kind of body.
struct BodyTreeBuilder {
  /// The JSON text of the values that have been built.
  private(set) var bytes: [UInt8]

  init(after bytes: [UInt8] = []) { self.bytes = bytes }

  /// Appends a string with any bytes.
  mutating func string(_ text: [UInt8]) -> JSONTree.Node {
    let start = bytes.count
    JSONString.append(text.span, to: &bytes)
    return JSONTree.Node(range: start..<bytes.count, kind: .scalar)
  }

  /// Appends a token that is neither a string nor a number: it equals only the same token, and is never a generated
  /// value.
  mutating func word(_ text: String) -> JSONTree.Node {
    let start = bytes.count
    bytes += text.utf8
    return JSONTree.Node(range: start..<bytes.count, kind: .scalar)
  }

  /// Returns an object with members whose values have been appended before.
  mutating func object(_ members: [JSONTree.Member]) -> JSONTree.Node {
    // Values are identified by their offsets, so the next value must have another offset.
    defer { bytes.append(0x20) }
    return JSONTree.Node(range: bytes.count..<bytes.count, kind: .object(members))
  }

  /// Appends the value of another tree.
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
