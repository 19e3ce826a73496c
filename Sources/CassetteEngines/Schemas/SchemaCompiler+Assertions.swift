internal import CassetteJSON
internal import CassettePatterns

/// Compiles the keywords of a schema to assertions.
extension SchemaCompiler {
  /// The schema whose keywords are being compiled.
  private struct Reading {
    let value: JSONTree.Node
    let pointer: String
    let resource: Int
    let draft: JSONSchema.Draft
  }

  /// Returns the assertions of a schema, ordered so that `unevaluatedItems` and `unevaluatedProperties` are last.
  mutating func assertions(of value: JSONTree.Node, _ node: SchemaNode) throws(JSONSchema.Problem) -> [SchemaAssertion]
  {
    let schema = Reading(
      value: value, pointer: node.pointer, resource: node.resource, draft: resources[node.resource].draft)
    var assertions: [SchemaAssertion] = []
    func add(_ keyword: String, _ rule: SchemaRule?) {
      if let rule { assertions.append(SchemaAssertion(keyword: keyword, rule: rule)) }
    }
    if let reference = member("$ref", of: value) {
      let target = try target(of: reference, "\(node.pointer)/$ref", in: node.resource)
      add("$ref", .reference(target.schema))
      // Draft-07 ignores all keywords next to `$ref`.
      if schema.draft == .draft7 { return assertions }
    }
    add("type", try type(schema))
    add("const", member("const", of: value).map { .oneOfValues([tree.canonical($0)]) })
    add("enum", try enumeration(schema))
    for bound in SchemaBound.allCases {
      add(bound.rawValue, try number(bound.rawValue, schema).map { .bound($0.value, bound) })
    }
    add("multipleOf", try divisor(schema))
    for count in SchemaCount.allCases {
      add(count.rawValue, try self.count(count.rawValue, schema).map { .count(count, $0) })
    }
    add("pattern", try pattern(schema))
    add("format", try format(schema))
    if let names = member("required", of: value) {
      add("required", .required(try self.names(names, "\(node.pointer)/required")))
    }
    try addDependencies(schema, add)
    try addMembers(schema, add)
    try addItems(schema, add)
    try addCombinations(schema, add)
    guard schema.draft == .draft2020 else { return assertions }
    if let reference = member("$dynamicRef", of: value) {
      let target = try target(of: reference, "\(node.pointer)/$dynamicRef", in: node.resource)
      let resource = nodes[target.schema].resource
      if let name = target.anchor, resources[resource].dynamicAnchors[name] == target.schema {
        add("$dynamicRef", .dynamicReference(target.schema, name: name))
      } else {
        add("$dynamicRef", .reference(target.schema))
      }
    }
    add("unevaluatedItems", try one("unevaluatedItems", schema).map { .unevaluatedItems($0) })
    add("unevaluatedProperties", try one("unevaluatedProperties", schema).map { .unevaluatedProperties($0) })
    return assertions
  }

  // MARK: Values

  private func type(_ schema: Reading) throws(JSONSchema.Problem) -> SchemaRule? {
    guard let value = member("type", of: schema.value) else { return nil }
    let place = "\(schema.pointer)/type"
    var values = [value]
    if case .array(let elements) = value.kind { values = elements }
    var types: SchemaTypes = []
    for value in values {
      let name = try string(value, place)
      guard let type = SchemaTypes(name) else {
        throw problem("unknown type \"\(name)\": use \(SchemaTypes.names.joined(separator: ", "))", value, place)
      }
      types.insert(type)
    }
    return .type(types)
  }

  private func enumeration(_ schema: Reading) throws(JSONSchema.Problem) -> SchemaRule? {
    guard let value = member("enum", of: schema.value) else { return nil }
    guard case .array(let elements) = value.kind else {
      throw problem("this must be a list of values", value, "\(schema.pointer)/enum")
    }
    return .oneOfValues(Set(elements.map { tree.canonical($0) }))
  }

  private func number(
    _ name: String, _ schema: Reading
  ) throws(JSONSchema.Problem) -> (value: JSONNumber, node: JSONTree.Node)? {
    guard let node = member(name, of: schema.value) else { return nil }
    guard case .scalar = node.kind, let number = JSONNumber(tree.bytes[node.range]) else {
      throw problem("this must be a number", node, "\(schema.pointer)/\(name)")
    }
    return (number, node)
  }

  private func divisor(_ schema: Reading) throws(JSONSchema.Problem) -> SchemaRule? {
    guard let (number, node) = try number("multipleOf", schema) else { return nil }
    guard let divisor = SchemaDivisor(number, text: text(of: node)) else {
      throw problem("this must be a number above zero with at most 18 digits", node, "\(schema.pointer)/multipleOf")
    }
    return .multiple(divisor)
  }

  /// Returns a non-negative integer; numbers of 18 or more digits become `Int.max`.
  private func count(_ name: String, _ schema: Reading) throws(JSONSchema.Problem) -> Int? {
    guard let (number, node) = try number(name, schema) else { return nil }
    guard number.isInteger, !number.isNegative else {
      throw problem("this must be an integer of at least 0", node, "\(schema.pointer)/\(name)")
    }
    guard number.exponent + number.digits.count < 18 else { return .max }
    return Int(String(decoding: number.digits + Array(repeating: 0x30, count: number.exponent), as: UTF8.self)) ?? 0
  }

  private func pattern(_ schema: Reading) throws(JSONSchema.Problem) -> SchemaRule? {
    guard let value = member("pattern", of: schema.value) else { return nil }
    let place = "\(schema.pointer)/pattern"
    return .pattern(try pattern(try string(value, place), value, place))
  }

  private func pattern(
    _ source: String, _ value: JSONTree.Node, _ place: String
  ) throws(JSONSchema.Problem) -> TextPattern {
    do throws(TextPattern.Problem) {
      return try TextPattern(source, in: .ecmaScript, ofPart: true)
    } catch {
      throw problem("error in the pattern at character \(error.column): \(error.message)", value, place)
    }
  }

  private func format(_ schema: Reading) throws(JSONSchema.Problem) -> SchemaRule? {
    guard let value = member("format", of: schema.value) else { return nil }
    // Unknown formats are annotations and are not validated.
    return SchemaFormat(rawValue: try string(value, "\(schema.pointer)/format")).map { .format($0) }
  }

  private func names(_ value: JSONTree.Node, _ place: String) throws(JSONSchema.Problem) -> [[UInt8]] {
    guard case .array(let elements) = value.kind else { throw problem("this must be a list of names", value, place) }
    var names: [[UInt8]] = []
    for element in elements { names.append(Array(try string(element, place).utf8)) }
    return names
  }

  // MARK: Schemas

  private mutating func one(_ name: String, _ schema: Reading) throws(JSONSchema.Problem) -> Int? {
    guard let value = member(name, of: schema.value) else { return nil }
    return try self.schema(value, "\(schema.pointer)/\(name)", in: schema.resource)
  }

  private mutating func list(_ name: String, _ schema: Reading) throws(JSONSchema.Problem) -> [Int]? {
    guard case .array(let elements)? = member(name, of: schema.value)?.kind else { return nil }
    var schemas: [Int] = []
    for (index, element) in elements.enumerated() {
      schemas.append(try self.schema(element, "\(schema.pointer)/\(name)/\(index)", in: schema.resource))
    }
    return schemas
  }

  private func members(_ name: String, _ schema: Reading) -> [JSONTree.Member] {
    guard case .object(let members)? = member(name, of: schema.value)?.kind else { return [] }
    return members
  }

  private mutating func addDependencies(
    _ schema: Reading, _ add: (String, SchemaRule?) -> Void
  ) throws(JSONSchema.Problem) {
    for keyword in schema.draft == .draft7 ? ["dependencies"] : ["dependentRequired", "dependentSchemas"] {
      var (names, schemas): ([(name: [UInt8], others: [[UInt8]])], [(name: [UInt8], schema: Int)]) = ([], [])
      for member in members(keyword, schema) {
        let place =
          "\(schema.pointer)/\(keyword)/\(SchemaPointer.escaped(member.text))"
        let isList = if case .array = member.value.kind { true } else { false }
        if keyword == "dependentRequired" || keyword == "dependencies" && isList {
          names.append((member.name, try self.names(member.value, place)))
        } else {
          schemas.append((member.name, try self.schema(member.value, place, in: schema.resource)))
        }
      }
      if !names.isEmpty { add(keyword, .dependentRequired(names)) }
      if !schemas.isEmpty { add(keyword, .dependentSchemas(schemas)) }
    }
  }

  private mutating func addMembers(_ schema: Reading, _ add: (String, SchemaRule?) -> Void) throws(JSONSchema.Problem) {
    var rule = SchemaMembers()
    for member in members("properties", schema) {
      let name = SchemaPointer.escaped(member.text)
      rule.named[member.name] = try self.schema(
        member.value, "\(schema.pointer)/properties/\(name)", in: schema.resource)
    }
    for member in members("patternProperties", schema) {
      let source = member.text
      let place = "\(schema.pointer)/patternProperties/\(SchemaPointer.escaped(source))"
      rule.patterns.append(
        (try pattern(source, member.value, place), try self.schema(member.value, place, in: schema.resource)))
    }
    rule.additional = try one("additionalProperties", schema)
    if !rule.named.isEmpty || !rule.patterns.isEmpty || rule.additional != nil {
      add("additionalProperties", .members(rule))
    }
    add("propertyNames", try one("propertyNames", schema).map { .propertyNames($0) })
  }

  private mutating func addItems(_ schema: Reading, _ add: (String, SchemaRule?) -> Void) throws(JSONSchema.Problem) {
    let prefix: [Int]
    let restKeyword: String
    if schema.draft == .draft7, let list = try list("items", schema) {
      (prefix, restKeyword) = (list, "additionalItems")
    } else {
      (prefix, restKeyword) = (schema.draft == .draft7 ? [] : try list("prefixItems", schema) ?? [], "items")
    }
    let rest = try one(restKeyword, schema)
    if !prefix.isEmpty || rest != nil { add(restKeyword, .items(prefix: prefix, rest: rest)) }
    if let schemaOfOne = try one("contains", schema) {
      let counts = schema.draft == .draft2020
      let least = counts ? try count("minContains", schema) : nil
      add("contains", .contains(schemaOfOne, least: least ?? 1, most: counts ? try count("maxContains", schema) : nil))
    }
    if let value = member("uniqueItems", of: schema.value), text(of: value) == "true" {
      add("uniqueItems", .uniqueItems)
    }
  }

  private mutating func addCombinations(
    _ schema: Reading, _ add: (String, SchemaRule?) -> Void
  ) throws(JSONSchema.Problem) {
    add("allOf", try list("allOf", schema).map { .allOf($0) })
    add("anyOf", try list("anyOf", schema).map { .anyOf($0) })
    add("oneOf", try list("oneOf", schema).map { .oneOf($0) })
    add("not", try one("not", schema).map { .not($0) })
    guard let test = try one("if", schema) else { return }
    let (then, otherwise) = (try one("then", schema), try one("else", schema))
    add("if", .condition(test, then: then, otherwise: otherwise))
  }
}
