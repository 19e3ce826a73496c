internal import CassetteJSON
internal import CassettePatterns
package import CassetteSchemas
internal import CassetteSystem

/// The schemas of a document, compiled one by one when they are asked for.
package final class ContractSchemas: Sendable {
  /// The document, in the words of JSON Schema 2020-12.
  package let nodes: OpenAPINodes
  private let compiled = Locked<[String: Result<JSONSchema, JSONSchema.Problem>]>([:])

  init(_ tree: JSONTree) { nodes = OpenAPINodes(tree) }

  /// The schema at a place of the document.
  ///
  /// - Parameter pointer: The place (RFC 6901).
  /// - Returns: The schema.
  /// - Throws: Why it is none, or leads to another document.
  package func schema(at pointer: String) throws(JSONSchema.Problem) -> JSONSchema {
    if let known = compiled.withLock({ $0[pointer] }) { return try known.get() }
    let result: Result<JSONSchema, JSONSchema.Problem>
    do {
      result = .success(try JSONSchema(nodes.tree, at: pointer))
    } catch {
      result = .failure(error)
    }
    compiled.withLock { $0[pointer] = result }
    return try result.get()
  }

  /// The names that a value's schema does not have, as paths: fields that nobody documented.
  func undocumented(in tree: JSONTree, at pointer: String) -> [JSONPath] {
    var found: [JSONPath] = []
    guard let node = nodes.node(at: pointer) else { return [] }
    walk(tree.root, [node], [], &found, 0)
    return found
  }

  private func walk(
    _ value: JSONTree.Node, _ schemas: [JSONTree.Node], _ path: [JSONPath.Step], _ found: inout [JSONPath], _ depth: Int
  ) {
    guard depth < 64, found.count < 32 else { return }
    var all: [JSONTree.Node] = []
    for schema in schemas { gather(schema, &all, 0) }
    switch value.kind {
    case .scalar: return
    case .array(let elements):
      let items = all.compactMap { nodes["items", $0] }
      guard !items.isEmpty else { return }
      for (index, element) in elements.enumerated() {
        walk(element, items, path + [.element(index)], &found, depth + 1)
      }
    case .object(let members):
      let isOpen = all.contains { nodes["additionalProperties", $0] != nil || nodes["patternProperties", $0] != nil }
      let named = all.compactMap { nodes["properties", $0] }
      guard !named.isEmpty else { return }
      for member in members {
        let name = String(decoding: member.name, as: UTF8.self)
        let below = named.compactMap { nodes[name, $0] }
        if below.isEmpty {
          if !isOpen { found.append(JSONPath(path + [.member(name)])) }
        } else {
          walk(member.value, below, path + [.member(name)], &found, depth + 1)
        }
      }
    }
  }

  /// A schema, what it refers to, and those it is put together from.
  private func gather(_ schema: JSONTree.Node, _ all: inout [JSONTree.Node], _ depth: Int) {
    guard depth < 16, all.count < 256, let found = try? nodes.followed(schema, "") else { return }
    all.append(found.node)
    if schema.range != found.node.range { all.append(schema) }
    for keyword in ["allOf", "oneOf", "anyOf"] {
      for element in nodes.elements(nodes[keyword, found.node]) { gather(element, &all, depth + 1) }
    }
  }
}
