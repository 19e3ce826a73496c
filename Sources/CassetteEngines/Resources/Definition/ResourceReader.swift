internal import CassetteHTTP
internal import CassetteJSON

/// An error in a resource's definition, with its offset in bytes.
struct ResourceError: Error, Sendable {
  let message: String
  let offset: Int
}

/// Parses a resource's definition strictly: unknown members and values of a wrong type are errors.
struct ResourceReader {
  /// The names of the definition's members, in the order in which they are written.
  static let members = [
    "path", "id", "headers", "operations", "list", "defaults", "created", "changed", "schema", "errors", "seed",
  ]

  static let membersOfList = ["page", "size", "perPage", "missingPage", "filter", "search", "sort", "envelope"]

  private let tree: JSONTree

  /// Creates a reader of the JSON of a definition.
  init(_ tree: JSONTree) { self.tree = tree }

  func definition() throws(ResourceError) -> ResourceDefinition {
    let known = try members(of: tree.root, among: Self.members, "\"resource\"")
    guard let path = known["path"] else { throw error("\"path\" is missing", tree.root) }
    var definition = ResourceDefinition(source: EditableJSON(tree.root, in: tree).bytes, paths: try paths(path))
    if case .array(let paths) = path.kind, let first = paths.first {
      definition.addressEnd = try addressEnd(first)
    } else {
      definition.addressEnd = try addressEnd(path)
    }
    if let id = known["id"] { definition.id = try text(id, "\"id\"") }
    if let headers = known["headers"] { definition.headers = try self.headers(headers) }
    if let operations = known["operations"] { definition.operations = try self.operations(operations) }
    if let list = known["list"] { definition.listing = try listing(list) }
    if let defaults = known["defaults"] { definition.defaults = try template(defaults, "\"defaults\"") }
    if let created = known["created"] { definition.created = try template(created, "\"created\"") }
    if let changed = known["changed"] { definition.changed = try template(changed, "\"changed\"") }
    if let errors = known["errors"] { definition.errors = try self.errors(errors) }
    if let seed = known["seed"] { (definition.seed, definition.naming) = try elements(seed, id: definition.id) }
    if let schema = known["schema"] {
      do throws(ResourceError) {
        definition.schema = try ElementSchema(Array(tree.bytes[schema.range]))
      } catch {
        throw ResourceError(message: error.message, offset: schema.range.lowerBound + error.offset)
      }
    }
    return definition
  }

  private func paths(_ node: JSONTree.Node) throws(ResourceError) -> [String] {
    var nodes = [node]
    if case .array(let elements) = node.kind { nodes = elements }
    guard !nodes.isEmpty else { throw error("\"path\" is empty", node) }
    var paths: [String] = []
    for node in nodes {
      let path = try text(node, "\"path\"")
      guard path.hasPrefix("/"), !path.contains("?"), !path.contains("#"), !path.contains("{"), HTTPTarget(path) != nil
      else { throw error("\"path\" must be a path without a query, such as \"/v2/articles\"", node) }
      paths.append(path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path)
    }
    return paths
  }

  private func addressEnd(_ path: JSONTree.Node) throws(ResourceError) -> String {
    let path = try text(path, "\"path\"")
    return path.count > 1 && path.hasSuffix("/") ? "/" : ""
  }

  private func headers(_ node: JSONTree.Node) throws(ResourceError) -> HTTPHeaders {
    guard case .object(let members) = node.kind else { throw error("\"headers\" must be an object", node) }
    var headers: HTTPHeaders = []
    for member in members {
      let value = try text(member.value, "a header field")
      guard FieldSyntax.isToken(member.text), FieldSyntax.isValue(value) else {
        throw error("\"\(member.text)\" is not a header field name", member.value)
      }
      headers.append(member.text, value)
    }
    return headers
  }

  private func search(_ node: JSONTree.Node) throws(ResourceError) -> (parameter: String, members: [String]) {
    let known = try members(of: node, among: ["parameter", "members"], "\"search\"")
    guard let parameter = known["parameter"] else { throw error("\"parameter\" is missing", node) }
    guard case .array(let names)? = known["members"]?.kind, !names.isEmpty else {
      throw error("\"members\" must be a list of the members to search", known["members"] ?? node)
    }
    var members: [String] = []
    for name in names { members.append(try text(name, "a member to search")) }
    return (try text(parameter, "\"parameter\""), members)
  }

  private func operations(_ node: JSONTree.Node) throws(ResourceError) -> [ResourceDefinition.Operation: HTTPStatus] {
    let names = ResourceDefinition.Operation.allCases.map(\.rawValue)
    var operations: [ResourceDefinition.Operation: HTTPStatus] = [:]
    for (name, value) in try members(of: node, among: names, "\"operations\"") {
      let status = try number(value, "a status", 200...299)
      if let operation = ResourceDefinition.Operation(rawValue: name) { operations[operation] = HTTPStatus(status) }
    }
    return operations
  }

  private func listing(_ node: JSONTree.Node) throws(ResourceError) -> ResourceDefinition.Listing {
    let known = try members(of: node, among: Self.membersOfList, "\"list\"")
    var listing = ResourceDefinition.Listing()
    if let page = known["page"] { listing.page = try text(page, "\"page\"") }
    if let size = known["size"] { listing.size = try text(size, "\"size\"") }
    if let sort = known["sort"] { listing.sort = try text(sort, "\"sort\"") }
    if let perPage = known["perPage"] {
      listing.perPage = try number(perPage, "\"perPage\"", 1...ResourceDefinition.longestPage)
    } else if let asked = known["page"] ?? known["size"] {
      throw error("\"perPage\" is missing: write the number of elements of a page", asked)
    }
    if let filter = known["filter"] {
      guard case .array(let names) = filter.kind else { throw error("\"filter\" must be a list of members", filter) }
      for name in names { listing.filters.append(try text(name, "a member to filter by")) }
    }
    if let missing = known["missingPage"] {
      listing.missingPage = HTTPStatus(try number(missing, "\"missingPage\"", 400...499))
    }
    if let search = known["search"] { listing.search = try self.search(search) }
    if let envelope = known["envelope"] { listing.envelope = try fillable(envelope, ResourceTemplate.ofLists) }
    return listing
  }

  private func errors(_ node: JSONTree.Node) throws(ResourceError) -> [Int: EditableJSON] {
    guard case .object(let members) = node.kind else { throw error("\"errors\" must be an object", node) }
    var errors: [Int: EditableJSON] = [:]
    for member in members {
      guard let status = Int(member.text), (400...599).contains(status) else {
        throw error("the members of \"errors\" must be statuses such as \"404\"", member.value)
      }
      errors[status] = try fillable(member.value, ResourceTemplate.ofErrors)
    }
    return errors
  }

  private func elements(
    _ node: JSONTree.Node, id: String
  ) throws(ResourceError) -> ([EditableJSON], ResourceDefinition.Naming) {
    guard case .array(let nodes) = node.kind else { throw error("\"seed\" must be a list of objects", node) }
    guard nodes.count <= ResourceDefinition.mostElements else {
      throw error("\"seed\" has more than \(ResourceDefinition.mostElements) elements", node)
    }
    var elements: [EditableJSON] = []
    var names: Set<String> = []
    for node in nodes {
      let element = EditableJSON(node, in: tree)
      guard element.isObject else { throw error("an element must be an object", node) }
      guard let name = element[id]?.scalar, !(element[id]?.isNull ?? true), !name.isEmpty else {
        throw error("the element has no \"\(id)\"", node)
      }
      guard names.insert(name).inserted else { throw error("the \(id) \(name) occurs twice", node) }
      elements.append(element)
    }
    let isText = elements.contains { $0[id]?.string != nil }
    return (elements, isText ? .uuid : .number)
  }

  private func template(_ node: JSONTree.Node, _ what: String) throws(ResourceError) -> [EditableJSON.Member] {
    guard case .object(let members)? = Optional(try fillable(node, ResourceTemplate.ofElements)) else {
      throw error("\(what) must be an object", node)
    }
    return members
  }

  private func fillable(_ node: JSONTree.Node, _ names: [String]) throws(ResourceError) -> EditableJSON {
    let value = EditableJSON(node, in: tree)
    if let unknown = ResourceTemplate.unknownName(in: value, among: names) {
      throw error(
        "unknown placeholder {{\(unknown)}}: use \(names.map { "{{\($0)}}" }.joined(separator: ", "))", node)
    }
    return value
  }

  // MARK: Values

  private func members(
    of node: JSONTree.Node, among names: [String], _ what: String
  ) throws(ResourceError) -> [String: JSONTree.Node] {
    guard case .object(let members) = node.kind else { throw error("\(what) must be an object", node) }
    var known: [String: JSONTree.Node] = [:]
    for member in members {
      let name = member.text
      guard names.contains(name) else {
        throw error("\(what) has no \"\(name)\": it has \(names.joined(separator: ", "))", member.value)
      }
      guard known.updateValue(member.value, forKey: name) == nil else {
        throw error("\"\(name)\" occurs twice", member.value)
      }
    }
    return known
  }

  private func text(_ node: JSONTree.Node, _ what: String) throws(ResourceError) -> String {
    guard let text = EditableJSON(node, in: tree).string, !text.isEmpty else {
      throw error("\(what) must be a non-empty string", node)
    }
    return text
  }

  private func number(_ node: JSONTree.Node, _ what: String, _ range: ClosedRange<Int>) throws(ResourceError) -> Int {
    guard case .scalar = node.kind, let number = Int(String(decoding: tree.bytes[node.range], as: UTF8.self)),
      range.contains(number)
    else { throw error("\(what) must be an integer from \(range.lowerBound) to \(range.upperBound)", node) }
    return number
  }

  private func error(_ message: String, _ node: JSONTree.Node) -> ResourceError {
    ResourceError(message: message, offset: node.range.lowerBound)
  }
}
