internal import CassetteJSON
internal import CassetteSystem

/// The direction of content.
///
/// A schema may require different members in requests and responses.
package enum ContractDirection: String, Sendable {
  case request, answer

  /// The keyword for properties that are not sent in this direction.
  var keyword: String { self == .request ? "readOnly" : "writeOnly" }

  /// Rewrites a document so that no schema requires properties that are not sent in this direction.
  ///
  /// All pointers into the document stay valid. A response with a `writeOnly` member violates the schema; a request may
  /// have `readOnly` members, which servers ignore. Returns nil if the document is unchanged.
  func rewritten(_ nodes: OpenAPINodes) -> JSONTree? {
    guard nodes.tree.bytes.firstIndex(of: Array("\"\(keyword)\"".utf8), from: 0) != nil else { return nil }
    var rewriting = DirectedRewriting(nodes, self)
    return rewriting.tree()
  }
}

/// Rewrites a document for one direction of content.
private struct DirectedRewriting {
  private static let depthLimit = 5
  /// The keywords whose subschemas apply to the same value.
  private static let inPlace: Set = ["allOf", "anyOf", "oneOf", "if", "then", "else"]

  private let nodes: OpenAPINodes
  private let direction: ContractDirection
  private var text: [UInt8] = []
  private var isAnother = false

  init(_ nodes: OpenAPINodes, _ direction: ContractDirection) { (self.nodes, self.direction) = (nodes, direction) }

  mutating func tree() -> JSONTree? {
    text.reserveCapacity(nodes.tree.bytes.count)
    write(nodes.tree.root, SpecificationWords.Context(), [])
    return isAnother ? JSONTree(text) : nil
  }

  private mutating func write(_ node: JSONTree.Node, _ context: SpecificationWords.Context, _ outer: Set<String>) {
    switch node.kind {
    case .scalar: text += nodes.tree.bytes[node.range]
    case .array(let elements):
      text.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        write(element, context.element, outer)
      }
      text.append(UInt8(ascii: "]"))
    case .object(let members):
      guard !context.isPlain else { return writeMembers(members, context, []) }
      var left = outer
      if nodes["required", node] != nil || members.contains(where: { Self.inPlace.contains(Self.name($0)) }) {
        // The names of properties that are not sent in this direction, in the schema and its subschemas.
        for part in nodes.whole(node) {
          for (name, value) in nodes.members(nodes["properties", part]) where isLeftOut(value, 0) { left.insert(name) }
        }
      }
      writeMembers(members, context, left)
    }
  }

  private mutating func writeMembers(
    _ members: [JSONTree.Member], _ context: SpecificationWords.Context, _ left: Set<String>
  ) {
    text.append(UInt8(ascii: "{"))
    for (index, member) in members.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      let name = Self.name(member)
      text += JSONString.encode(name) + [UInt8(ascii: ":")]
      if name == "required", !context.isPlain, !left.isEmpty, case .array(let names) = member.value.kind {
        let kept = names.filter { nodes.text($0).map { !left.contains($0) } ?? true }
        if kept.count < names.count { isAnother = true }
        let list = kept.map { nodes.tree.bytes[$0.range] }.joined(separator: [UInt8(ascii: ",")])
        text += [UInt8(ascii: "[")] + list + [UInt8(ascii: "]")]
      } else {
        let isInPlace = !context.isPlain && Self.inPlace.contains(name)
        write(member.value, context.member(name, member.value), isInPlace ? left : [])
      }
    }
    if direction == .answer, !context.isPlain,
      members.contains(where: { Self.name($0) == direction.keyword && nodes.isTrue($0.value) })
    {
      isAnother = true
      text += Array(",\"not\":{}".utf8)
    }
    text.append(UInt8(ascii: "}"))
  }

  private func isLeftOut(_ schema: JSONTree.Node, _ depth: Int) -> Bool {
    guard depth < Self.depthLimit else { return false }
    if nodes.isTrue(nodes[direction.keyword, schema]) { return true }
    guard let node = try? nodes.followed(schema, "").node else { return false }
    return nodes.isTrue(nodes[direction.keyword, node])
      || nodes.elements(nodes["allOf", node]).contains { isLeftOut($0, depth + 1) }
  }

  private static func name(_ member: JSONTree.Member) -> String { String(decoding: member.name, as: UTF8.self) }
}
