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

  // MARK: Seeing

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

  // MARK: Telling

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
