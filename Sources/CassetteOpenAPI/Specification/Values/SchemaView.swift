internal import CassetteEngines
internal import CassetteJSON

/// The combined constraints of several schemas on one value.
struct SchemaView {
  /// A schema, with its location in the document.
  struct Place {
    var node: JSONTree.Node
    var pointer: String
    /// True if the value must not meet the schema.
    var isExcluded = false
  }

  /// A limit for numbers, as a number and in its JSON form.
  struct Bound {
    var value: Double
    var token: String
    var isExclusive: Bool
  }

  /// The maximum nesting depth of schemas.
  static let depthLimit = 64
  static let mostSchemas = 4_096

  /// The allowed types; nil for all types.
  var types: Set<String>?
  /// The allowed values, in the order of the document; nil for all values.
  var values: [JSONTree.Node]?
  var (minimum, maximum): (Bound?, Bound?)
  var divisors: [(value: Double, token: String)] = []
  var (minLength, maxLength): (Int, Int?) = (0, nil)
  var patterns: [String] = []
  var format: String?
  var isBase64 = false
  var properties: [(name: String, places: [Place])] = []
  private var numbers: [String: Int] = [:]
  var required: [String] = []
  var patternProperties: [(pattern: String, place: Place)] = []
  var additional: [Place] = []
  var isClosed = false
  var propertyNames: [Place] = []
  var (minProperties, maxProperties): (Int, Int?) = (0, nil)
  var dependencies: [String: [String]] = [:]
  /// The names of members that are not allowed.
  var excluded: Set<String> = []
  var prefix: [[Place]] = []
  var items: [Place] = []
  var isItemsClosed = false
  var (minItems, maxItems): (Int, Int?) = (0, nil)
  var isUnique = false
  var contains: [(place: Place, least: Int, most: Int?)] = []
  /// Examples and defaults, each with the pointer of its schema.
  var examples: [(value: JSONTree.Node, schema: String)] = []
  /// The values of discriminator properties, by name.
  var discriminators: [String: String] = [:]
  /// The other alternatives of a `oneOf`, which the value must not match.
  var others: [Place] = []
  /// The pointers that references have led to.
  var references: Set<String> = []
  /// True if no value can meet the schema.
  var isImpossible = false
  var isWriteOnly = false

  let nodes: OpenAPINodes
  /// The number of the attempt, which selects an alternative.
  private let attempt: Int
  /// The index of the alternative for the first attempt.
  private let start: Int
  /// The number of schemas that were visited.
  var count = 0
  /// The pointers of schemas that were added; adding a schema again changes nothing.
  private var added: Set<String> = []
  /// The pointers of schemas whose negation was added.
  var denied: Set<String> = []

  init(_ places: [Place], _ nodes: OpenAPINodes, attempt: Int = 0, start: Int = 0) {
    (self.nodes, self.attempt, self.start) = (nodes, attempt, start)
    for place in places {
      if place.isExcluded { exclude(place.node, place.pointer, 0) } else { add(place, 0) }
    }
  }

  // MARK: Reading

  mutating func add(_ place: Place, _ depth: Int) {
    count += 1
    guard depth < Self.depthLimit, count < Self.mostSchemas else {
      isImpossible = true
      return
    }
    guard added.insert(place.pointer).inserted else { return }
    let (node, pointer) = (place.node, place.pointer)
    guard case .object = node.kind else {
      if nodes.tree.bytes[node.range].first == UInt8(ascii: "f") { isImpossible = true }
      return
    }
    func below(_ name: String) -> String { "\(pointer)/\(SchemaPointer.escaped(name))" }
    if let reference = nodes["$ref", node].flatMap(nodes.text) {
      let place = OpenAPINodes.pointer(ofFragment: reference)
      guard reference.hasPrefix("#"), let found = nodes.node(at: place) else {
        isImpossible = true
        return
      }
      references.insert(place)
      add(Place(node: found, pointer: place), depth + 1)
    }
    if nodes.isTrue(nodes["writeOnly", node]) { isWriteOnly = true }
    addValues(node, pointer)
    addNumbers(node)
    addTexts(node)
    addMembers(node, below)
    addElements(node, below)
    for (index, element) in nodes.elements(nodes["allOf", node]).enumerated() {
      add(Place(node: element, pointer: below("allOf") + "/\(index)"), depth + 1)
    }
    for keyword in ["oneOf", "anyOf"] { addAlternative(keyword, node, below(keyword), depth) }
    if let test = nodes["if", node] {
      if attempt % 2 == 0 {
        add(Place(node: test, pointer: below("if")), depth + 1)
        if let then = nodes["then", node] { add(Place(node: then, pointer: below("then")), depth + 1) }
      } else if let otherwise = nodes["else", node] {
        add(Place(node: otherwise, pointer: below("else")), depth + 1)
      }
    }
    for (name, schema) in nodes.members(nodes["dependentSchemas", node]) where required.contains(name) {
      add(Place(node: schema, pointer: below("dependentSchemas") + "/\(SchemaPointer.escaped(name))"), depth + 1)
    }
    if let no = nodes["not", node] { exclude(no, below("not"), depth) }
  }

  private mutating func addAlternative(_ keyword: String, _ node: JSONTree.Node, _ pointer: String, _ depth: Int) {
    let all = nodes.elements(nodes[keyword, node]).enumerated().map { ($0.offset, $0.element) }
    guard !all.isEmpty else { return }
    // Alternatives other than `null` are preferred.
    let nodes = nodes
    let isNull = { (schema: JSONTree.Node) in nodes["type", schema].flatMap(nodes.text) == "null" }
    let ordered = all.filter { !isNull($0.1) } + all.filter { isNull($0.1) }
    let (index, chosen) = ordered[(start + (attempt < 3 ? 0 : (attempt - 1) / 2)) % ordered.count]
    add(Place(node: chosen, pointer: "\(pointer)/\(index)"), depth + 1)
    if keyword == "oneOf" {
      others += ordered.filter { $0.0 != index }.map { Place(node: $0.1, pointer: "\(pointer)/\($0.0)") }
    }
    guard let discriminator = nodes["discriminator", node],
      let property = nodes["propertyName", discriminator].flatMap(nodes.text),
      let reference = nodes["$ref", chosen].flatMap(nodes.text)
    else { return }
    let name = OpenAPINodes.schemaName(ofReference: reference)
    let mapped = nodes.members(nodes["mapping", discriminator]).first { entry in
      nodes.text(entry.value).map { $0 == reference || $0 == name } ?? false
    }
    discriminators[property] = mapped?.name ?? name
  }

  private mutating func addValues(_ node: JSONTree.Node, _ pointer: String) {
    if let type = nodes["type", node] {
      var said = nodes.types(type)
      // Every integer is a number as well.
      if said.contains("number") { said.insert("integer") }
      types = types.map { $0.intersection(said) } ?? said
      if types?.isEmpty ?? false { isImpossible = true }
    }
    var allowed = nodes["enum", node].map(nodes.elements)
    if let constant = nodes["const", node] { allowed = [constant] }
    if let allowed {
      let spellings = Set(allowed.map { nodes.tree.canonical($0) })
      values = values.map { $0.filter { spellings.contains(nodes.tree.canonical($0)) } } ?? allowed
      if values?.isEmpty ?? false { isImpossible = true }
    }
    if let example = nodes["example", node] { examples.append((example, pointer)) }
    for example in nodes.elements(nodes["examples", node]) { examples.append((example, pointer)) }
    if let example = nodes["default", node] { examples.append((example, pointer)) }
  }

  func count(_ name: String, _ node: JSONTree.Node) -> Int? {
    nodes[name, node].flatMap { Double(nodes.written($0)) }.map { Int(clamping: Int64(max(0, min($0, 1e15)))) }
  }

  private mutating func addNumbers(_ node: JSONTree.Node) {
    func bound(_ name: String, _ isExclusive: Bool) -> Bound? {
      nodes[name, node].flatMap { value in
        Double(nodes.written(value)).map { Bound(value: $0, token: nodes.written(value), isExclusive: isExclusive) }
      }
    }
    for bound in [bound("minimum", false), bound("exclusiveMinimum", true)].compactMap(\.self) {
      let known = minimum?.value ?? -.infinity
      if bound.value > known || bound.value == known && bound.isExclusive { minimum = bound }
    }
    for bound in [bound("maximum", false), bound("exclusiveMaximum", true)].compactMap(\.self) {
      let known = maximum?.value ?? .infinity
      if bound.value < known || bound.value == known && bound.isExclusive { maximum = bound }
    }
    if let divisor = nodes["multipleOf", node], let value = Double(nodes.written(divisor)), value > 0 {
      divisors.append((value, nodes.written(divisor)))
    }
  }

  private mutating func addTexts(_ node: JSONTree.Node) {
    minLength = max(minLength, count("minLength", node) ?? 0)
    if let most = count("maxLength", node) { maxLength = min(maxLength ?? most, most) }
    if let pattern = nodes["pattern", node].flatMap(nodes.text) { patterns.append(pattern) }
    if let name = nodes["format", node].flatMap(nodes.text) { format = name }
    if nodes["contentEncoding", node].flatMap(nodes.text) == "base64" { isBase64 = true }
  }

  private mutating func addMembers(_ node: JSONTree.Node, _ below: (String) -> String) {
    for (name, schema) in nodes.members(nodes["properties", node]) {
      let place = Place(node: schema, pointer: "\(below("properties"))/\(SchemaPointer.escaped(name))")
      if let number = numbers[name] {
        properties[number].places.append(place)
      } else {
        numbers[name] = properties.count
        properties.append((name, [place]))
      }
    }
    for name in nodes.elements(nodes["required", node]).compactMap(nodes.text) where !required.contains(name) {
      required.append(name)
    }
    for (pattern, schema) in nodes.members(nodes["patternProperties", node]) {
      let pointer = "\(below("patternProperties"))/\(SchemaPointer.escaped(pattern))"
      patternProperties.append((pattern, Place(node: schema, pointer: pointer)))
    }
    for keyword in ["additionalProperties", "unevaluatedProperties"] {
      guard let schema = nodes[keyword, node] else { continue }
      if case .object = schema.kind {
        additional.append(Place(node: schema, pointer: below(keyword)))
      } else if !nodes.isTrue(schema) {
        isClosed = true
      }
    }
    if let names = nodes["propertyNames", node] {
      propertyNames.append(Place(node: names, pointer: below("propertyNames")))
    }
    minProperties = max(minProperties, count("minProperties", node) ?? 0)
    if let most = count("maxProperties", node) { maxProperties = min(maxProperties ?? most, most) }
    for (name, others) in nodes.members(nodes["dependentRequired", node]) {
      dependencies[name, default: []] += nodes.elements(others).compactMap(nodes.text)
    }
  }

  private mutating func addElements(_ node: JSONTree.Node, _ below: (String) -> String) {
    for (index, schema) in nodes.elements(nodes["prefixItems", node]).enumerated() {
      let place = Place(node: schema, pointer: "\(below("prefixItems"))/\(index)")
      if index < prefix.count { prefix[index].append(place) } else { prefix.append([place]) }
    }
    for keyword in ["items", "unevaluatedItems"] {
      guard let schema = nodes[keyword, node] else { continue }
      if case .object = schema.kind {
        items.append(Place(node: schema, pointer: below(keyword)))
      } else if !nodes.isTrue(schema) {
        isItemsClosed = true
      }
    }
    minItems = max(minItems, count("minItems", node) ?? 0)
    if let most = count("maxItems", node) { maxItems = min(maxItems ?? most, most) }
    if nodes.isTrue(nodes["uniqueItems", node]) { isUnique = true }
    if let schema = nodes["contains", node] {
      let least = count("minContains", node) ?? 1
      contains.append((Place(node: schema, pointer: below("contains")), least, count("maxContains", node)))
    }
  }

  /// Returns the schemas of a member.
  func places(of name: String) -> [Place] { numbers[name].map { properties[$0].places } ?? [] }

  // MARK: Constraints derived from the keyword `not`

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

/// Counts the schemas to visit if every reference of a schema is followed.
struct SchemaWeight {
  /// The weight above which a value is generated outside of the event loop, because it may take a millisecond or more.
  static let heavy = 2_000
  /// The maximum weight; greater weights count as this one.
  private static let most = 1_000_000
  private static let depthLimit = 200

  private let nodes: OpenAPINodes
  /// The weights of referenced schemas by pointer; 0 while the weight is computed.
  private var known: [String: Int] = [:]

  init(_ nodes: OpenAPINodes) { self.nodes = nodes }

  /// Returns the weight of the schema at a pointer.
  mutating func weight(at pointer: String, _ depth: Int = 0) -> Int {
    if let weight = known[pointer] { return weight }
    known[pointer] = 0
    let weight = nodes.node(at: pointer).map { self.weight(of: $0, depth) } ?? 0
    known[pointer] = weight
    return weight
  }

  private mutating func weight(of node: JSONTree.Node, _ depth: Int) -> Int {
    guard depth < Self.depthLimit else { return Self.most }
    var weight = 0
    switch node.kind {
    case .scalar: return 0
    case .array(let elements):
      for element in elements { weight = min(Self.most, weight + self.weight(of: element, depth + 1)) }
    case .object(let members):
      weight = 1
      if let reference = nodes["$ref", node].flatMap(nodes.text), reference.hasPrefix("#") {
        weight += self.weight(at: OpenAPINodes.pointer(ofFragment: reference), depth + 1)
      }
      // Required elements are generated one by one.
      let elements = nodes["minItems", node].flatMap { Double(nodes.written($0)) } ?? 1
      for member in members {
        let part = self.weight(of: member.value, depth + 1)
        let isRepeated = part > 0 && member.name.elementsEqual("items".utf8)
        weight = Int(min(Double(Self.most), Double(weight) + Double(part) * (isRepeated ? max(1, elements) : 1)))
      }
    }
    return weight
  }
}
