internal import CassetteEngines
internal import CassetteJSON
internal import CassetteSystem

/// The schemas of a document, compiled on first use.
package final class ContractSchemas: Sendable {
  /// The document, converted to JSON Schema 2020-12.
  let nodes: OpenAPINodes
  private let compiled = Locked<[String: Result<JSONSchema, JSONSchema.Problem>]>([:])
  /// The schemas rewritten for each direction on first use; nil if nothing is rewritten.
  private let directed = Locked<[ContractDirection: ContractSchemas?]>([:])

  init(_ tree: JSONTree) { nodes = OpenAPINodes(tree) }

  /// Returns the schemas for requests or for responses.
  ///
  /// A request may omit `readOnly` properties, and a response contains no `writeOnly` ones (OpenAPI 3.0.3 §4.7.24.2).
  func directed(_ direction: ContractDirection) -> ContractSchemas {
    directed.withLock { known in
      if let schemas = known[direction] { return schemas ?? self }
      let schemas = direction.rewritten(nodes).map { ContractSchemas($0) }
      known[direction] = .some(schemas)
      return schemas ?? self
    }
  }

  /// Returns the schema at a JSON Pointer (RFC 6901).
  func schema(at pointer: String) throws(JSONSchema.Problem) -> JSONSchema {
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

  /// Returns the paths of undocumented members, and of `readOnly` members in requests, with a description of the
  /// problem.
  func undocumented(
    in tree: JSONTree, at pointer: String, _ direction: ContractDirection
  ) -> [(path: JSONPath, words: String)] {
    var found: [(path: JSONPath, words: String)] = []
    guard let node = nodes.node(at: pointer) else { return [] }
    walk(tree.root, [node], direction, [], &found, 0)
    return found
  }

  private func walk(
    _ value: JSONTree.Node, _ schemas: [JSONTree.Node], _ direction: ContractDirection, _ path: [JSONPath.Step],
    _ found: inout [(path: JSONPath, words: String)], _ depth: Int
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
        walk(element, items, direction, path + [.element(index)], &found, depth + 1)
      }
    case .object(let members):
      let isOpen = all.contains { nodes["additionalProperties", $0] != nil || nodes["patternProperties", $0] != nil }
      let named = all.compactMap { nodes["properties", $0] }
      guard !named.isEmpty else { return }
      for member in members {
        let name = String(decoding: member.name, as: UTF8.self)
        let below = named.compactMap { nodes[name, $0] }
        if below.isEmpty {
          if !isOpen { found.append((JSONPath(path + [.member(name)]), "is not documented")) }
        } else {
          let place = path + [.member(name)]
          // For responses, the rewritten schema reports `writeOnly` members.
          if direction == .request, below.contains(where: isReadOnly) {
            found.append((JSONPath(place), "is readOnly but occurs in a request"))
          }
          walk(member.value, below, direction, place, &found, depth + 1)
        }
      }
    }
  }

  private func isReadOnly(_ schema: JSONTree.Node) -> Bool {
    if nodes.isTrue(nodes["readOnly", schema]) { return true }
    return (try? nodes.followed(schema, "")).map { nodes.isTrue(nodes["readOnly", $0.node]) } ?? false
  }

  /// Returns true if a violation is caused by a `writeOnly` member in a response.
  func isWriteOnly(_ violation: JSONSchemaViolation) -> Bool {
    guard violation.keyword == "not", violation.schema.hasSuffix("/not"),
      let schema = nodes.node(at: String(violation.schema.dropFirst().dropLast("/not".count)))
    else { return false }
    return nodes.isTrue(nodes[ContractDirection.answer.keyword, schema])
  }

  /// Collects a schema, the schemas it refers to, and their subschemas.
  private func gather(_ schema: JSONTree.Node, _ all: inout [JSONTree.Node], _ depth: Int) {
    guard depth < 16, all.count < 256, let found = try? nodes.followed(schema, "") else { return }
    all.append(found.node)
    if schema.range != found.node.range { all.append(schema) }
    for part in nodes.parts(of: found.node) { gather(part, &all, depth + 1) }
  }
}
