internal import CassetteJSON

/// The forms that a schema allows for the value of a parameter or a form field.
///
/// It contains the forms of all subschemas; the schema itself then decides whether a value is valid.
struct ParameterForm: Sendable {
  /// The maximum number of schemas visited for one parameter.
  private static let most = 2_000
  private static let all: Set = ["string", "integer", "number", "boolean", "null"]

  /// The JSON types that a value may represent.
  private(set) var types: Set<String> = []
  private(set) var isList = false
  private(set) var isObject = false
  /// The form of the elements of a list; empty if unknown.
  private(set) var elements: [ParameterForm] = []
  private(set) var members: [String: ParameterForm] = [:]
  /// The form of members that the schema does not name; empty if there are no such members.
  private(set) var others: [ParameterForm] = []

  /// True if the value may be a single string.
  var isText: Bool { !types.isEmpty || !isList && !isObject }

  init() {}

  /// Collects the forms of a schema, and of its members and elements down to `depth` levels.
  init(_ schema: JSONTree.Node, _ nodes: OpenAPINodes, depth: Int = 2) {
    var left = Self.most
    self.init(schema, nodes, depth, &left)
  }

  private init(_ schema: JSONTree.Node, _ nodes: OpenAPINodes, _ depth: Int, _ left: inout Int) {
    for part in nodes.whole(schema) {
      left -= 1
      add(part, nodes)
      guard depth > 0, left > 0 else { continue }
      for keyword in ["items", "contains"] where elements.isEmpty {
        if let items = nodes[keyword, part] { elements = [ParameterForm(items, nodes, depth - 1, &left)] }
      }
      for (name, property) in nodes.members(nodes["properties", part]) {
        members[name, default: ParameterForm()].merge(ParameterForm(property, nodes, depth - 1, &left))
      }
      let more = nodes.members(nodes["patternProperties", part]).map(\.value)
      for schema in more + [nodes["additionalProperties", part]].compactMap(\.self) {
        guard nodes.written(schema) != "false" else { continue }
        others = [others.first ?? ParameterForm()]
        others[0].merge(ParameterForm(schema, nodes, depth - 1, &left))
      }
    }
  }

  private mutating func merge(_ other: ParameterForm) {
    types.formUnion(other.types)
    (isList, isObject) = (isList || other.isList, isObject || other.isObject)
    if elements.isEmpty { elements = other.elements }
    if others.isEmpty { others = other.others }
    members.merge(other.members) { one, _ in one }
  }

  /// Adds the forms that a single schema allows.
  private mutating func add(_ schema: JSONTree.Node, _ nodes: OpenAPINodes) {
    func has(_ names: [String]) -> Bool { names.contains { nodes[$0, schema] != nil } }
    var named = nodes["type", schema].map(nodes.types) ?? []
    if nodes.isTrue(nodes["nullable", schema]) { named.insert("null") }
    let values = nodes.elements(nodes["enum", schema]) + [nodes["const", schema]].compactMap(\.self)
    if named.isEmpty || named == ["null"] { for value in values { named.insert(Self.type(of: value, nodes)) } }
    if named.isEmpty {
      if has(["items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems"]) { named.insert("array") }
      if has(["properties", "additionalProperties", "patternProperties", "required", "minProperties"]) {
        named.insert("object")
      }
    }
    // A schema without type information allows every type.
    if named.isEmpty, !has(["$ref", "allOf", "oneOf", "anyOf"]) { named = Self.all }
    if named.contains("array") { isList = true }
    if named.contains("object") { isObject = true }
    types.formUnion(named.intersection(Self.all))
  }

  private static func type(of value: JSONTree.Node, _ nodes: OpenAPINodes) -> String {
    switch value.kind {
    case .array: "array"
    case .object: "object"
    case .scalar: nodes.text(value) == nil ? type(ofToken: nodes.tree.bytes[value.range]) : "string"
    }
  }

  private static func type(ofToken token: ArraySlice<UInt8>) -> String {
    switch token.first {
    case UInt8(ascii: "t"), UInt8(ascii: "f"): "boolean"
    case UInt8(ascii: "n"): "null"
    default: JSONNumber(token)?.isInteger ?? false ? "integer" : "number"
    }
  }

  /// Returns a value as a JSON token: of the type it looks like if that type is allowed, or else as a string.
  ///
  /// If both are allowed, `isTyped` decides.
  func token(_ text: String, isTyped: Bool, takesJSON: Bool = false) -> [UInt8] {
    let bytes = Array(text.utf8)
    if takesJSON, isList || isObject, let tree = JSONTree(bytes) {
      switch tree.root.kind {
      case .array: if isList { return bytes }
      case .object: if isObject { return bytes }
      case .scalar: break
      }
    }
    let types = types.isEmpty ? Self.all : types
    let isString = types.contains("string")
    if bytes.isEmpty, types.contains("null"), !isString || !isTyped { return Array("null".utf8) }
    guard let first = bytes.first, first != UInt8(ascii: "\""), let tree = JSONTree(bytes),
      case .scalar = tree.root.kind, tree.root.range == bytes.indices
    else { return JSONString.encode(text) }
    let type = Self.type(ofToken: bytes[...])
    let isAllowed = types.contains(type) || type == "integer" && types.contains("number")
    if isAllowed, isTyped || !isString { return bytes }
    return isString ? JSONString.encode(text) : bytes
  }

  /// Returns values as a JSON array.
  func list(_ texts: [String], isTyped: Bool) -> [UInt8] {
    let form = elements.first ?? ParameterForm()
    let tokens = texts.map { form.token($0, isTyped: isTyped) }
    return Array("[".utf8) + tokens.joined(separator: [UInt8(ascii: ",")]) + Array("]".utf8)
  }

  /// Returns named values as a JSON object, with nested names as nested objects.
  ///
  /// If `takesJSON` is true, the value of an object or a list may be JSON itself.
  func object(_ texts: [(steps: [String], text: String)], isTyped: Bool, takesJSON: Bool = false) -> [UInt8] {
    var value = NamedTexts()
    for (steps, text) in texts { value.add(text, at: steps[...]) }
    return texts.isEmpty ? Array("{}".utf8) : value.json(self, isTyped: isTyped, takesJSON: takesJSON)
  }
}

/// Values with nested names, such as `filter[tags][]=a`.
struct NamedTexts {
  private static let depthLimit = 32

  private var texts: [String] = []
  private var order: [String] = []
  private var members: [String: NamedTexts] = [:]

  /// Returns the nested names of `a[b][c]`, or the whole name if it has no brackets.
  static func steps(of name: String) -> [String] {
    guard let open = name.firstIndex(of: "["), name.hasSuffix("]") else { return [name] }
    let rest = name[open...].dropFirst().dropLast()
    let steps = [String(name[..<open])] + String(rest).components(between: "][")
    return steps.count <= depthLimit ? steps : [name]
  }

  mutating func add(_ text: String, at steps: ArraySlice<String>) {
    guard let name = steps.first else { return texts.append(text) }
    if members[name] == nil { order.append(name) }
    members[name, default: NamedTexts()].add(text, at: steps.dropFirst())
  }

  /// Returns the values as JSON, of the given form.
  func json(_ form: ParameterForm?, isTyped: Bool, takesJSON: Bool) -> [UInt8] {
    let known = form ?? ParameterForm()
    if order.isEmpty {
      let isOne = texts.count == 1 && !(known.isList && (isTyped || !known.isText))
      if isOne || takesJSON && texts.count == 1 && texts[0].hasPrefix("[") {
        return known.token(texts[0], isTyped: isTyped, takesJSON: takesJSON)
      }
      return list([self], known.elements.first, isTyped: isTyped, takesJSON: takesJSON)
    }
    let values = order.compactMap { members[$0] }
    let isNumbered = order.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    if isNumbered, known.isList || order == [""] {
      return list(values, known.elements.first, isTyped: isTyped, takesJSON: takesJSON)
    }
    let written = zip(order, values).map { name, value in
      let form = known.members[name] ?? known.others.first
      return JSONString.encode(name) + [UInt8(ascii: ":")] + value.json(form, isTyped: isTyped, takesJSON: takesJSON)
    }
    return Array("{".utf8) + written.joined(separator: [UInt8(ascii: ",")]) + Array("}".utf8)
  }

  /// Returns a JSON array; several values with the same name become one element each.
  private func list(
    _ values: [NamedTexts], _ form: ParameterForm?, isTyped: Bool, takesJSON: Bool
  ) -> [UInt8] {
    let tokens = values.flatMap { value in
      guard value.order.isEmpty else { return [value.json(form, isTyped: isTyped, takesJSON: takesJSON)] }
      return value.texts.map { (form ?? ParameterForm()).token($0, isTyped: isTyped, takesJSON: takesJSON) }
    }
    return Array("[".utf8) + tokens.joined(separator: [UInt8(ascii: ",")]) + Array("]".utf8)
  }
}

extension String {
  /// Splits a string at a separator of several characters.
  fileprivate func components(between mark: String) -> [String] {
    var parts: [String] = []
    var rest = self[...]
    while let range = rest.firstRange(of: mark) {
      parts.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return parts + [String(rest)]
  }
}
