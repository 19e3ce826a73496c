internal import CassetteJSON

/// Objects that several places of a document have in common, and the names that they get there.
///
/// Two are equal when they ask the same, whatever their examples. A name comes of the path or member where the object stands
/// most often, and does not depend on the order of the recordings.
struct SchemaComponents {
  /// An object with fewer members is no thing of its own.
  private static let fewest = 2

  private struct Entry {
    var schema: InferredSchema
    var count = 0
    var names: [String: Int] = [:]
    var name = ""
  }

  private let enums: Bool
  private var entries: [[UInt8]: Entry] = [:]
  /// The keys in the order in which the document has them first.
  private var order: [[UInt8]] = []
  private(set) var isEmpty = true

  init(enums: Bool = false) { self.enums = enums }

  /// Notes the objects of a schema by what one of it is called.
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
    // What is in an object that was seen is in it once.
    guard isNew else { return }
    for (name, member) in schema.members.sorted(by: { $0.key < $1.key }) {
      add(member.schema[0], named: schema.isTable ? "Object" : TemplateName.schema(named: name))
    }
  }

  /// Gives names to those that stand in several places, and forgets the others.
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

  /// The name of an object; nil for what has none.
  subscript(schema: InferredSchema) -> String? {
    guard !isEmpty, let key = key(of: schema) else { return nil }
    return entries[key]?.name
  }

  /// Writes the objects, by name.
  func write(to writer: inout JSONWriter, _ style: SchemaStyle) {
    for entry in entries.values.sorted(by: { $0.name < $1.name }) {
      writer.object(entry.name) { entry.schema.withoutNull.writeWhole(to: &$0, style) }
    }
  }

  /// The schema of an object as text, to compare it; nil for what is no object, or one among other types.
  private func key(of schema: InferredSchema) -> [UInt8]? {
    guard !schema.isTable, !schema.isCut, schema.members.count >= Self.fewest,
      schema.types.subtracting(["null"]) == ["object"]
    else { return nil }
    return JSONWriter.object { schema.withoutNull.writeWhole(to: &$0, SchemaStyle(enums: enums, examples: false)) }
  }
}
