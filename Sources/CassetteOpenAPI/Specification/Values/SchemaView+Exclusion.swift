internal import CassetteJSON

/// Constraints derived from the keyword `not`.
extension SchemaView {
  /// Adds the negation of a schema, as far as a single keyword can express it.
  mutating func exclude(_ schema: JSONTree.Node, _ pointer: String, _ depth: Int) {
    count += 1
    guard depth < Self.depthLimit, count < Self.mostSchemas, denied.insert(pointer).inserted else { return }
    if let reference = nodes["$ref", schema].flatMap(nodes.text), reference.hasPrefix("#") {
      let place = OpenAPINodes.pointer(ofFragment: reference)
      if let found = nodes.node(at: place) { exclude(found, place, depth + 1) }
      return
    }
    if let no = nodes["not", schema] { add(Place(node: no, pointer: "\(pointer)/not"), depth + 1) }
    for keyword in ["anyOf", "oneOf"] {
      for (index, element) in nodes.elements(nodes[keyword, schema]).enumerated() {
        exclude(element, "\(pointer)/\(keyword)/\(index)", depth + 1)
      }
    }
    excluded.formUnion(nodes.elements(nodes["required", schema]).compactMap(nodes.text))
    if let type = nodes["type", schema] {
      let only = nodes.members(schema).allSatisfy { ["type", "description", "title"].contains($0.name) }
      guard only else { return excludeLimits(schema) }
      var left = types ?? ["object", "array", "string", "number", "integer", "boolean", "null"]
      for name in nodes.types(type) { left.subtract(name == "number" ? ["number", "integer"] : [name]) }
      types = left
    } else {
      excludeLimits(schema)
    }
  }

  /// Adds the negation of the limits of a schema.
  private mutating func excludeLimits(_ schema: JSONTree.Node) {
    func number(_ name: String) -> Bound? {
      nodes[name, schema].flatMap { value in
        Double(nodes.written(value)).map { Bound(value: $0, token: nodes.written(value), isExclusive: false) }
      }
    }
    for (name, isExclusive) in [("minimum", true), ("exclusiveMinimum", false)] {
      guard var bound = number(name), bound.value <= maximum?.value ?? .infinity else { continue }
      bound.isExclusive = isExclusive
      maximum = bound
    }
    for (name, isExclusive) in [("maximum", true), ("exclusiveMaximum", false)] {
      guard var bound = number(name), bound.value >= minimum?.value ?? -.infinity else { continue }
      bound.isExclusive = isExclusive
      minimum = bound
    }
    if let least = count("minLength", schema), least > 0 { maxLength = min(maxLength ?? .max, least - 1) }
    if let most = count("maxLength", schema) { minLength = max(minLength, most + 1) }
    if let least = count("minItems", schema), least > 0 { maxItems = min(maxItems ?? .max, least - 1) }
    if let most = count("maxItems", schema) { minItems = max(minItems, most + 1) }
    if let least = count("minProperties", schema), least > 0 { maxProperties = min(maxProperties ?? .max, least - 1) }
    if let most = count("maxProperties", schema) { minProperties = max(minProperties, most + 1) }
  }
}
