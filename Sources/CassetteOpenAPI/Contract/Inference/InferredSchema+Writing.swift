internal import CassetteEngines
internal import CassetteJSON

/// The options for writing schemas.
struct SchemaStyle {
  /// True to write repeated strings as enumerations.
  var enums = false
  var examples = true
  /// The schemas that are written as references to components.
  var components = SchemaComponents()
}

extension InferredSchema {
  func write(to writer: inout JSONWriter, _ name: String, _ style: SchemaStyle) {
    writer.object(name) { write(to: &$0, style) }
  }

  private func write(to writer: inout JSONWriter, _ style: SchemaStyle) {
    if let name = style.components[self] { return writeReference(to: &writer, name) }
    writeWhole(to: &writer, style)
  }

  /// Writes the schema itself, with references for its named subschemas.
  func writeWhole(to writer: inout JSONWriter, _ style: SchemaStyle) {
    guard !isCut else { return }
    var names = types
    // Every integer is a number as well.
    if names.contains("number") { names.remove("integer") }
    if names.isEmpty, objects == 0, texts == 0, elements.isEmpty, example == nil { return }
    let order = ["object", "array", "string", "integer", "number", "boolean", "null"].filter(names.contains)
    if order.count == 1 {
      writer.member("type", order[0])
    } else if !order.isEmpty {
      writer.member("type", order)
    }
    if names.contains("string"), texts > 0, let format = formats.first { writer.member("format", format.rawValue) }
    if style.enums, names.isSubset(of: ["string"]), texts > 1, let values, values.count < texts, !values.isEmpty {
      writer.member("enum", values.sorted())
    } else if style.examples, let example, !names.isDisjoint(with: ["string", "integer", "number"]) {
      writer.member("examples", json: Array("[".utf8) + example + Array("]".utf8))
    }
    if names.contains("array"), let items = elements.first { items.write(to: &writer, "items", style) }
    if names.contains("object") { writeMembers(to: &writer, style) }
  }

  private func writeMembers(to writer: inout JSONWriter, _ style: SchemaStyle) {
    let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    if isTable {
      var all = InferredSchema()
      for (_, member) in sorted { all.merge(member.schema[0], 0) }
      all.write(to: &writer, "additionalProperties", style)
      return
    }
    let required = sorted.filter { $0.value.count == objects }.map(\.key)
    if !required.isEmpty { writer.member("required", required) }
    guard !sorted.isEmpty else { return }
    writer.object("properties") { writer in
      for (name, member) in sorted { member.schema[0].write(to: &writer, name, style) }
    }
  }

  /// Writes a reference to a named schema, with null as an alternative if the schema allows it.
  private func writeReference(to writer: inout JSONWriter, _ name: String) {
    let pointer = "#/components/schemas/\(name)"
    guard types.contains("null") else { return writer.member("$ref", pointer) }
    writer.array("anyOf") { list in
      list.object { $0.member("$ref", pointer) }
      list.object { $0.member("type", "null") }
    }
  }
}
