internal import CassetteJSON

/// Compiles the schemas of a document in two passes.
///
/// The first pass registers each schema by its location, `$id` and anchors. The second compiles the keywords.
struct SchemaCompiler {
  /// A schema resource: a schema with an `$id`, and its subschemas as far as they have no `$id`.
  struct Resource {
    let base: SchemaReference
    let root: JSONTree.Node
    var draft: JSONSchema.Draft
    var anchors: [String: Int] = [:]
    var dynamicAnchors: [String: Int] = [:]
  }

  let tree: JSONTree
  private(set) var nodes: [SchemaNode] = []
  private(set) var resources: [Resource]
  /// The indices of schemas in `nodes`, by the offsets at which the schemas begin.
  private var known: [Int: Int] = [:]
  private var resourceNumbers: [String: Int] = ["": 0]
  private var pending: [(schema: Int, value: JSONTree.Node)] = []
  /// True if an error is recorded and its schema treated as allowing everything; false if the error is thrown.
  let isAudit: Bool
  var problems: [JSONSchema.Problem] = []

  init(_ tree: JSONTree, _ draft: JSONSchema.Draft, isAudit: Bool = false) {
    self.tree = tree
    self.isAudit = isAudit
    resources = [Resource(base: SchemaReference(""), root: tree.root, draft: draft)]
  }

  /// Compiles the schema at a location and all schemas that it refers to, and returns its index in `nodes`.
  mutating func compile(at pointer: String) throws(JSONSchema.Problem) -> Int {
    guard let names = SchemaPointer.names(of: pointer) else {
      throw problem("\"\(pointer)\" is not a JSON pointer", tree.root, "#")
    }
    let root = try schema(at: names, from: 0, tree.root, pointer: "#")
    try compilePending()
    try refuseCircles()
    return root
  }

  mutating func compilePending() throws(JSONSchema.Problem) {
    while let (index, whole) = pending.popLast() {
      var value = whole
      while true {
        do throws(JSONSchema.Problem) {
          nodes[index].assertions = try assertions(of: value, nodes[index])
          break
        } catch {
          try note(error)
          // The remaining keywords may have errors as well.
          guard let rest = without(error, value, nodes[index].pointer) else { break }
          value = rest
        }
      }
    }
  }

  // MARK: Registering schemas

  /// Registers a schema and its subschemas, so that references can find them, and returns its index in `nodes`.
  mutating func schema(_ value: JSONTree.Node, _ pointer: String, in resource: Int) throws(JSONSchema.Problem) -> Int {
    if let index = known[value.range.lowerBound] { return index }
    let index = nodes.count
    known[value.range.lowerBound] = index
    guard case .object(let members) = value.kind else {
      guard case .scalar = value.kind, let word = ["true": true, "false": false][text(of: value)] else {
        let isList = if case .array = value.kind { pointer.hasSuffix("/items") } else { false }
        let advice = "; write \"prefixItems\" for a list of schemas, or declare draft-07 in \"$schema\""
        try note(problem("a schema must be an object, true or false" + (isList ? advice : ""), value, pointer))
        nodes.append(SchemaNode(pointer: pointer, resource: resource, always: true))
        return index
      }
      nodes.append(SchemaNode(pointer: pointer, resource: resource, always: word))
      return index
    }
    var number = resource
    do throws(JSONSchema.Problem) {
      number = try self.resource(of: value, pointer, in: resource, schema: index)
    } catch {
      try note(error)
    }
    nodes.append(SchemaNode(pointer: pointer, resource: number))
    pending.append((index, value))
    do throws(JSONSchema.Problem) {
      try noteAnchors(of: value, pointer, schema: index, in: number)
    } catch {
      try note(error)
    }
    for member in members {
      let name = member.text
      let place = "\(pointer)/\(SchemaPointer.escaped(name))"
      switch SchemaKeyword.children(of: name, resources[number].draft) {
      case .none: break
      case .one: _ = try schema(member.value, place, in: number)
      case .list: try schemas(inList: member.value, place, in: number)
      case .map: try schemas(inMap: member.value, place, in: number)
      case .oneOrList:
        if case .array = member.value.kind {
          try schemas(inList: member.value, place, in: number)
        } else {
          _ = try schema(member.value, place, in: number)
        }
      }
    }
    return index
  }

  private mutating func schemas(
    inList value: JSONTree.Node, _ pointer: String, in resource: Int
  ) throws(JSONSchema.Problem) {
    guard case .array(let elements) = value.kind else {
      return try note(problem("this must be a list of schemas", value, pointer))
    }
    for (index, element) in elements.enumerated() { _ = try schema(element, "\(pointer)/\(index)", in: resource) }
  }

  private mutating func schemas(
    inMap value: JSONTree.Node, _ pointer: String, in resource: Int
  ) throws(JSONSchema.Problem) {
    guard case .object(let members) = value.kind else {
      return try note(problem("this must be an object with schemas as members", value, pointer))
    }
    for member in members {
      // `dependencies` may contain lists of names instead of schemas.
      if case .array = member.value.kind { continue }
      let name = SchemaPointer.escaped(member.text)
      _ = try schema(member.value, "\(pointer)/\(name)", in: resource)
    }
  }

  /// Returns the index of the resource that a schema belongs to, and creates a resource if the schema has an `$id`.
  private mutating func resource(
    of value: JSONTree.Node, _ pointer: String, in resource: Int, schema: Int
  ) throws(JSONSchema.Problem) -> Int {
    var draft = resources[resource].draft
    if let node = member("$schema", of: value) {
      let name = try string(node, "\(pointer)/$schema")
      let identifier = name.hasSuffix("#") ? String(name.dropLast()) : name
      guard let said = JSONSchema.Draft(rawValue: identifier) else {
        throw problem(
          "unsupported draft \"\(name)\": use \(JSONSchema.Draft.allCases.map(\.rawValue).joined(separator: " or "))",
          node, "\(pointer)/$schema")
      }
      draft = said
      if value.range.lowerBound == resources[resource].root.range.lowerBound { resources[resource].draft = said }
    }
    guard let node = member("$id", of: value) else { return resource }
    // Draft-07 ignores all keywords next to `$ref`.
    if draft == .draft7, member("$ref", of: value) != nil { return resource }
    let name = try string(node, "\(pointer)/$id")
    let reference = SchemaReference(name)
    if draft == .draft7, name.hasPrefix("#") {
      resources[resource].anchors[String(name.dropFirst())] = schema
      return resource
    }
    if let fragment = reference.fragment, !fragment.isEmpty {
      guard draft == .draft7 else { throw problem("an \"$id\" must not have a fragment", node, "\(pointer)/$id") }
    }
    let base = reference.resolved(against: resources[resource].base)
    guard resourceNumbers[base.document] == nil || resourceNumbers[base.document] == 0 else {
      throw problem("another schema already has the \"$id\" \"\(base.document)\"", node, "\(pointer)/$id")
    }
    resourceNumbers[base.document] = resources.count
    resources.append(Resource(base: base, root: value, draft: draft))
    if draft == .draft7, let fragment = reference.fragment, !fragment.isEmpty {
      resources[resources.count - 1].anchors[fragment] = schema
    }
    return resources.count - 1
  }

  private mutating func noteAnchors(
    of value: JSONTree.Node, _ pointer: String, schema: Int, in resource: Int
  ) throws(JSONSchema.Problem) {
    guard resources[resource].draft != .draft7 else { return }
    for keyword in ["$anchor", "$dynamicAnchor"] {
      guard let node = member(keyword, of: value) else { continue }
      let name = try string(node, "\(pointer)/\(keyword)")
      guard resources[resource].anchors.updateValue(schema, forKey: name) ?? schema == schema else {
        throw problem("another schema already has the anchor \"\(name)\"", node, "\(pointer)/\(keyword)")
      }
      if keyword == "$dynamicAnchor" { resources[resource].dynamicAnchors[name] = schema }
    }
  }

  // MARK: References

  /// Returns the schema that a reference leads to, and the name of the anchor if the reference contains one.
  mutating func target(
    of node: JSONTree.Node, _ pointer: String, in resource: Int
  ) throws(JSONSchema.Problem) -> (schema: Int, anchor: String?) {
    let text = try string(node, pointer)
    let reference = SchemaReference(text).resolved(against: resources[resource].base)
    guard let number = resourceNumbers[reference.document] else {
      throw problem(
        "\"\(text)\" is in another document, which is not fetched: put it under \"$defs\" with its \"$id\"", node,
        pointer)
    }
    guard let fragment = reference.decodedFragment else {
      throw problem("\"\(text)\" is not a valid reference", node, pointer)
    }
    let root = resources[number].root
    if fragment.isEmpty { return (try schema(at: [], from: number, root, pointer: pointer), nil) }
    if let names = SchemaPointer.names(of: fragment) {
      return (try schema(at: names, from: number, root, pointer: pointer), nil)
    }
    guard let schema = resources[number].anchors[fragment] else {
      throw problem("no schema has the anchor of \"\(text)\"", node, pointer)
    }
    return (schema, fragment)
  }

  /// Returns the schema at a location in a resource.
  ///
  /// Errors are reported at `pointer`, the location of the reference.
  mutating func schema(
    at names: [String], from resource: Int, _ root: JSONTree.Node, pointer: String
  ) throws(JSONSchema.Problem) -> Int {
    var (value, resource) = (root, resource)
    var place = known[root.range.lowerBound].map { nodes[$0].pointer } ?? "#"
    let whole = place + names.map { "/\(SchemaPointer.escaped($0))" }.joined()
    for name in names {
      if let index = known[value.range.lowerBound] { resource = nodes[index].resource }
      let next: JSONTree.Node?
      switch value.kind {
      case .object(let members): next = members.first { $0.name == Array(name.utf8) }?.value
      case .array(let elements): next = Int(name).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
      case .scalar: next = nil
      }
      place += "/\(SchemaPointer.escaped(name))"
      guard let next else {
        let reason = place == whole ? "" : ", because there is no \"\(place)\""
        throw problem("there is no value at \"\(whole)\"\(reason)", root, pointer)
      }
      value = next
    }
    return try schema(value, place, in: resource)
  }

  /// Refuses schemas that refer to themselves for the same value, because their evaluation would not terminate.
  mutating func refuseCircles() throws(JSONSchema.Problem) {
    var isDone = [Bool](repeating: false, count: nodes.count)
    var isOnWay = [Bool](repeating: false, count: nodes.count)
    for start in nodes.indices where !isDone[start] {
      var way: [(schema: Int, next: [Int])] = [(start, nodes[start].assertions.flatMap(\.rule.inPlace))]
      isOnWay[start] = true
      while let (schema, next) = way.last {
        guard let target = next.last else {
          isDone[schema] = true
          isOnWay[schema] = false
          way.removeLast()
          continue
        }
        way[way.count - 1].next.removeLast()
        if isOnWay[target] {
          try note(
            JSONSchema.Problem(
              message: "this schema refers to itself for the same value, which never ends",
              pointer: nodes[target].pointer, offset: known.first { $0.value == target }?.key ?? 0))
          continue
        }
        guard !isDone[target] else { continue }
        isOnWay[target] = true
        way.append((target, nodes[target].assertions.flatMap(\.rule.inPlace)))
      }
    }
  }

  // MARK: Values

  /// Returns the last member with a name.
  func member(_ name: String, of value: JSONTree.Node) -> JSONTree.Node? {
    guard case .object(let members) = value.kind else { return nil }
    return members.last { $0.name == Array(name.utf8) }?.value
  }

  func text(of value: JSONTree.Node) -> String { String(decoding: tree.bytes[value.range], as: UTF8.self) }

  func string(_ value: JSONTree.Node, _ pointer: String) throws(JSONSchema.Problem) -> String {
    let token = tree.bytes[value.range]
    guard case .scalar = value.kind, token.first == UInt8(ascii: "\"") else {
      throw problem("this must be a string", value, pointer)
    }
    return String(decoding: JSONTree.text(ofString: token), as: UTF8.self)
  }

  func problem(_ message: String, _ value: JSONTree.Node, _ pointer: String) -> JSONSchema.Problem {
    JSONSchema.Problem(message: message, pointer: pointer, offset: value.range.lowerBound)
  }

  // MARK: Compiles all schemas of a document and collects their errors

  /// Compiles the schemas at the given pointers, and records all errors in them and in the schemas they refer to.
  mutating func audit(at pointers: [String]) {
    for pointer in pointers {
      do throws(JSONSchema.Problem) {
        guard let names = SchemaPointer.names(of: pointer) else { continue }
        _ = try schema(at: names, from: 0, tree.root, pointer: "#\(pointer)")
        try compilePending()
      } catch {
        problems.append(error)
      }
    }
    do throws(JSONSchema.Problem) { try refuseCircles() } catch { problems.append(error) }
  }

  /// Returns the schema without the keyword that caused an error, or nil if no keyword of the schema caused it.
  func without(_ problem: JSONSchema.Problem, _ value: JSONTree.Node, _ pointer: String) -> JSONTree.Node? {
    guard problem.pointer.hasPrefix(pointer + "/"), case .object(let members) = value.kind else { return nil }
    let keyword = problem.pointer.dropFirst(pointer.count + 1).prefix { $0 != "/" }
    let rest = members.filter { SchemaPointer.escaped($0.text) != keyword }
    guard rest.count < members.count else { return nil }
    var other = value
    other.kind = .object(rest)
    return other
  }

  /// Records an error during an audit; throws it otherwise.
  mutating func note(_ problem: JSONSchema.Problem) throws(JSONSchema.Problem) {
    guard isAudit else { throw problem }
    problems.append(problem)
  }
}
