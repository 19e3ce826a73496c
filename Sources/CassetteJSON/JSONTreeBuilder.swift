internal import CassetteSystem

/// Represents other formats as JSON, so that the same code compares every kind of body.
package struct JSONTreeBuilder {
  /// The JSON text of the values that have been built.
  package private(set) var bytes: [UInt8]

  package init(after bytes: [UInt8] = []) { self.bytes = bytes }

  /// Appends a string with any bytes.
  package mutating func string(_ text: [UInt8]) -> JSONTree.Node {
    let start = bytes.count
    JSONString.append(text.span, to: &bytes)
    return JSONTree.Node(range: start..<bytes.count, kind: .scalar)
  }

  /// Appends a token that is neither a string nor a number: it equals only the same token, and is never a generated
  /// value.
  package mutating func word(_ text: String) -> JSONTree.Node {
    let start = bytes.count
    bytes += text.utf8
    return JSONTree.Node(range: start..<bytes.count, kind: .scalar)
  }

  /// Returns an object with members whose values have been appended before.
  package mutating func object(_ members: [JSONTree.Member]) -> JSONTree.Node {
    // Values are identified by their offsets, so the next value must have another offset.
    defer { bytes.append(0x20) }
    return JSONTree.Node(range: bytes.count..<bytes.count, kind: .object(members))
  }

  /// Appends the value of another tree.
  package mutating func value(_ tree: JSONTree) -> JSONTree.Node {
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

extension JSONTree {
  /// The maximum number of bytes of JSON inside of strings; longer strings are compared as text.
  private static let mostInnerBytes = 1 << 20

  /// Returns the document with the JSON objects and arrays inside of strings as values, so that paths reach into them.
  package func withInnerValues(depth: Int = 0) -> JSONTree {
    var builder = JSONTreeBuilder(after: bytes)
    let root = withInnerValues(root, depth, &builder)
    return builder.bytes.count == bytes.count ? self : JSONTree(builder.bytes, root: root)
  }

  private func withInnerValues(_ node: Node, _ depth: Int, _ builder: inout JSONTreeBuilder) -> Node {
    switch node.kind {
    case .object(let members):
      let members = members.map { Member(name: $0.name, value: withInnerValues($0.value, depth, &builder)) }
      return Node(range: node.range, kind: .object(members))
    case .array(let elements):
      return Node(range: node.range, kind: .array(elements.map { withInnerValues($0, depth, &builder) }))
    case .scalar:
      guard depth < 3, bytes[node.range].first == UInt8(ascii: "\"") else { return node }
      let text = JSONTree.text(ofString: bytes[node.range])
      guard let first = text.first(where: { $0 > 0x20 }), first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
        builder.bytes.count - bytes.count + text.count <= JSONTree.mostInnerBytes, let inner = JSONTree(text)
      else { return node }
      return builder.value(inner.withInnerValues(depth: depth + 1))
    }
  }
}
