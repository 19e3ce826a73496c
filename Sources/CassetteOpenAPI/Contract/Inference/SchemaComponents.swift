internal import CassetteJSON

/// The objects that occur in several places of a document, and their names as components.
///
/// Two objects are equal if their schemas are, apart from examples. The name is derived from the path or member in
/// which the object occurs most often, and does not depend on the order of recordings.
struct SchemaComponents {
  /// The minimum number of members of a component.
  private static let fewest = 2

  private struct Entry {
    var schema: InferredSchema
    var count = 0
    var names: [String: Int] = [:]
    var name = ""
  }

  private let enums: Bool
  private var entries: [[UInt8]: Entry] = [:]
  /// The keys of the components, in the order of their first occurrence.
  private var order: [[UInt8]] = []
  private(set) var isEmpty = true

  init(enums: Bool = false) { self.enums = enums }

  /// Adds the objects of a schema; `name` is the singular name for the schema itself.
  mutating func add(_ schema: InferredSchema, named name: String) {
    if let items = schema.elements.first { add(items, named: name) }
    guard !schema.members.isEmpty else { return }
    var isNew = true
    if let key = key(of: schema) {
      isNew = entries[key] == nil
      if isNew { order.append(key) }
      var entry = entries[key] ?? Entry(schema: schema)
      entries[key] = nil
      if !isNew { entry.schema.merge(schema, 0) }
      entry.count += 1
      entry.names[name, default: 0] += 1
      entries[key] = entry
    }
    // The members of a known object have been added already.
    guard isNew else { return }
    for (name, member) in schema.members.sorted(by: { $0.key < $1.key }) {
      add(member.schema[0], named: schema.isTable ? "Object" : TemplateName.schema(named: name))
    }
  }

  /// Assigns names to objects that occur in several places, and removes the others.
  mutating func settle() {
    entries = entries.filter { $0.value.count > 1 }
    order.removeAll { entries[$0] == nil }
    isEmpty = entries.isEmpty
    var taken: Set<String> = []
    for key in order {
      guard let names = entries[key]?.names else { continue }
      let best = names.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? "Object"
      entries[key]?.name = TemplateName.unused(best, &taken)
    }
  }

  /// The name of an object; nil if it is not a component.
  subscript(schema: InferredSchema) -> String? {
    guard !isEmpty, let key = key(of: schema) else { return nil }
    return entries[key]?.name
  }

  /// Writes the components, by name.
  func write(to writer: inout JSONWriter, _ style: SchemaStyle) {
    for entry in entries.values.sorted(by: { $0.name < $1.name }) {
      writer.object(entry.name) { entry.schema.withoutNull.writeWhole(to: &$0, style) }
    }
  }

  /// Returns the JSON of a schema for comparison, or nil if the schema is not an object or allows other types.
  private func key(of schema: InferredSchema) -> [UInt8]? {
    guard !schema.isTable, !schema.isCut, schema.members.count >= Self.fewest,
      schema.types.subtracting(["null"]) == ["object"]
    else { return nil }
    return JSONWriter.object { schema.withoutNull.writeWhole(to: &$0, SchemaStyle(enums: enums, examples: false)) }
  }
}
