internal import CassetteEngines
internal import CassetteJSON

/// A schema that all observed values meet: types, members, and the formats that all strings have.
struct InferredSchema {
  /// A member of an object, with the number of objects that contain it.
  struct Member {
    var schema: [InferredSchema]
    var count = 0
  }

  /// The maximum nesting depth; deeper values are not restricted.
  private static let floors = 48
  /// The maximum number of member names; an object with more is treated as a table whose names are data.
  private static let names = 256
  private static let mostValues = 16
  /// The formats to detect, the most specific first.
  private static let formats: [SchemaFormat] = [.dateTime, .date, .uuid, .email, .uri]

  private(set) var types: Set<String> = []
  private(set) var members: [String: Member] = [:]
  private(set) var objects = 0
  private(set) var isTable = false
  private(set) var elements: [InferredSchema] = []
  private(set) var formats = Self.formats
  /// The distinct strings; nil if there are too many for an enumeration.
  private(set) var values: Set<String>? = []
  private(set) var texts = 0
  private(set) var example: [UInt8]?
  private(set) var isCut = false

  // MARK: Adding values

  mutating func add(_ tree: JSONTree) { add(tree.root, tree.bytes, "", 0) }

  /// Adds a value without quotes: from a path, a query or a header field.
  mutating func add(text: String, isSecret: Bool = false) {
    let bytes = Array(text.utf8)
    if text == "true" || text == "false" {
      types.insert("boolean")
    } else if Self.isInteger(bytes) {
      types.insert("integer")
    } else {
      types.insert("string")
    }
    note(bytes, isSecret: isSecret)
  }

  private mutating func add(_ node: JSONTree.Node, _ bytes: [UInt8], _ name: String, _ depth: Int) {
    guard depth < Self.floors else {
      isCut = true
      return
    }
    switch node.kind {
    case .array(let elements):
      types.insert("array")
      if self.elements.isEmpty { self.elements = [InferredSchema()] }
      for element in elements { self.elements[0].add(element, bytes, name, depth + 1) }
    case .object(let members):
      types.insert("object")
      objects += 1
      var seen: Set<String> = []
      for member in members {
        let name = String(decoding: member.name, as: UTF8.self)
        var known = self.members[name] ?? Member(schema: [InferredSchema()])
        self.members[name] = nil
        known.schema[0].add(member.value, bytes, name, depth + 1)
        if seen.insert(name).inserted { known.count += 1 }
        self.members[name] = known
        if !Self.isName(name) { isTable = true }
      }
      if self.members.count > Self.names { isTable = true }
    case .scalar: add(scalar: bytes[node.range], name)
    }
  }

  private mutating func add(scalar token: ArraySlice<UInt8>, _ name: String) {
    switch token.first {
    case UInt8(ascii: "\""):
      let text = JSONTree.text(ofString: token)
      // The type of a redacted value is unknown.
      if !InferredSecrets.isStandIn(text) { types.insert("string") }
      note(text, isSecret: InferredSecrets.isSecret(name, text))
    case UInt8(ascii: "t"), UInt8(ascii: "f"): types.insert("boolean")
    case UInt8(ascii: "n"): types.insert("null")
    default:
      types.insert(JSONNumber(token)?.isInteger ?? false ? "integer" : "number")
      note(number: token)
    }
  }

  private mutating func note(number token: ArraySlice<UInt8>) {
    let bytes = Array(token)
    if example.map({ bytes.count < $0.count || bytes.count == $0.count && bytes.lexicographicallyPrecedes($0) }) ?? true
    {
      example = bytes
    }
  }

  private mutating func note(_ text: [UInt8], isSecret: Bool) {
    guard !InferredSecrets.isStandIn(text) else { return }
    texts += 1
    if !formats.isEmpty { formats.removeAll { !$0.mayBe(text) || !$0.accepts(text) } }
    guard !isSecret else {
      values = nil
      return
    }
    let value = String(decoding: text, as: UTF8.self)
    values?.insert(value)
    if let count = values?.count, count > Self.mostValues { values = nil }
    guard !text.isEmpty, text.count <= 120 else { return }
    let token = JSONString.encode(value)
    // The alphabetically first value is the example, so that the order of recordings does not matter.
    if example.map({ token.lexicographicallyPrecedes($0) }) ?? true { example = token }
  }

  private static func isName(_ name: String) -> Bool {
    // File names, addresses and numbers are keys of a table.
    !name.isEmpty && !name.utf8.contains { "./ ".utf8.contains($0) } && !isInteger(Array(name.utf8))
  }

  private static func isInteger(_ bytes: [UInt8]) -> Bool {
    let digits = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes[...]
    return (1...15).contains(digits.count) && digits.allSatisfy { (0x30...0x39).contains($0) }
      && (digits.first != 0x30 || digits.count == 1 && bytes.count == 1)
  }

  // MARK: Conversions before writing

  /// Reduces the schema of a parameter to a single type.
  mutating func settle() {
    if types.count > 1 { types = types.isSubset(of: ["integer", "number"]) ? ["number"] : ["string"] }
    if types == ["string"], let first = example, first.first != UInt8(ascii: "\"") { example = nil }
    if types != ["string"], let text = example { example = Array(text.dropFirst().dropLast()) }
  }

  /// The schema without null among its types.
  var withoutNull: InferredSchema {
    var schema = self
    schema.types.remove("null")
    return schema
  }

  // MARK: Merging

  mutating func merge(_ other: InferredSchema, _ depth: Int) {
    guard depth < Self.floors else { return }
    types.formUnion(other.types)
    formats.removeAll { other.texts > 0 && !other.formats.contains($0) }
    if let known = values, let more = other.values, known.union(more).count <= Self.mostValues {
      values = known.union(more)
    } else {
      values = nil
    }
    texts += other.texts
    objects += other.objects
    isTable = isTable || other.isTable
    isCut = isCut || other.isCut
    if let token = other.example, example.map({ token.lexicographicallyPrecedes($0) }) ?? true { example = token }
    if let items = other.elements.first {
      if elements.isEmpty { elements = [InferredSchema()] }
      elements[0].merge(items, depth + 1)
    }
    for (name, member) in other.members {
      var known = members[name] ?? Member(schema: [InferredSchema()])
      known.schema[0].merge(member.schema[0], depth + 1)
      known.count += member.count
      members[name] = known
    }
  }
}

extension SchemaFormat {
  /// Returns false if a string cannot have the format, which is faster than the pattern of the format.
  fileprivate func mayBe(_ text: [UInt8]) -> Bool {
    switch self {
    case .dateTime: text.count > 15 && text.count < 40 && text[10] | 0x20 == UInt8(ascii: "t")
    case .date: text.count == 10
    case .uuid: text.count == 36
    case .email: text.count < 255 && text.contains(UInt8(ascii: "@"))
    // `a:b` is a valid URI, but rarely intended as one.
    case .uri: text.count < 2_048 && String(decoding: text.prefix(12), as: UTF8.self).contains("://")
    default: false
    }
  }
}

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
