internal import CassetteJSON
internal import CassetteSystem

/// Rewrites what OpenAPI 3.0 says differently from JSON Schema 2020-12, which 3.1 uses.
///
/// `nullable` becomes a type, `exclusiveMinimum: true` a number; in a schema with a `$ref` nothing else counts. An `enum` is
/// not widened: it has null where it lists it (OpenAPI 3.0.3 §4.7.24.1).
enum OpenAPIUpgrade {
  /// Returns the document in the words of 3.1; every pointer still leads where it led.
  static func upgraded(_ tree: JSONTree) -> JSONTree {
    var text: [UInt8] = []
    text.reserveCapacity(tree.bytes.count)
    write(tree.root, OpenAPINodes(tree), SpecificationWords.Context(), &text)
    return JSONTree(text) ?? tree
  }

  private static func write(
    _ node: JSONTree.Node, _ nodes: OpenAPINodes, _ context: SpecificationWords.Context, _ text: inout [UInt8]
  ) {
    switch node.kind {
    case .scalar: text += nodes.tree.bytes[node.range]
    case .array(let elements):
      text.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        write(element, nodes, context.element, &text)
      }
      text.append(UInt8(ascii: "]"))
    case .object(let members):
      text.append(UInt8(ascii: "{"))
      var isFirst = true
      // The members of `properties` are names, whatever they are called.
      let isPlain = context.isPlain
      let isNullable = !isPlain && nodes.isTrue(nodes["nullable", node])
      let isReference = !isPlain && nodes["$ref", node].flatMap(nodes.text) != nil
      for member in members {
        let name = String(decoding: member.name, as: UTF8.self)
        if isReference, name != "$ref" { continue }
        var key = name
        var value: [UInt8] = []
        let isBool = [UInt8(ascii: "t"), UInt8(ascii: "f")].contains(nodes.tree.bytes[member.value.range].first)
        switch name {
        case "nullable" where !isPlain && isBool: continue
        case "exclusiveMinimum" where !isPlain && isBool, "exclusiveMaximum" where !isPlain && isBool: continue
        case "minimum" where !isPlain && nodes.isTrue(nodes["exclusiveMinimum", node]): key = "exclusiveMinimum"
        case "maximum" where !isPlain && nodes.isTrue(nodes["exclusiveMaximum", node]): key = "exclusiveMaximum"
        case "type" where isNullable && nodes.text(member.value) != nil:
          value = Array("[".utf8) + nodes.tree.bytes[member.value.range] + Array(",\"null\"]".utf8)
        default: break
        }
        if value.isEmpty { write(member.value, nodes, context.member(name, member.value), &value) }
        if !isFirst { text.append(UInt8(ascii: ",")) }
        isFirst = false
        JSONString.append(Array(key.utf8).span, to: &text)
        text.append(UInt8(ascii: ":"))
        text += value
      }
      text.append(UInt8(ascii: "}"))
    }
  }
}
