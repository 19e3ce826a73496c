internal import CassetteJSON
internal import CassetteSchemas

/// Reads the operations of a document.
struct OpenAPIReader {
  private static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]

  let nodes: OpenAPINodes

  init(_ nodes: OpenAPINodes) { self.nodes = nodes }

  mutating func operations() throws(OpenAPIError) -> [OpenAPIOperation] {
    let root = nodes.tree.root
    let servers = ServerBases(nodes)
    let bases = servers.bases(of: root) ?? [""]
    var operations: [OpenAPIOperation] = []
    for (path, entry) in nodes.members(nodes["paths", root]) where path.hasPrefix("/") {
      let place = "/paths/\(SchemaPointer.escaped(path))"
      let item = try nodes.followed(entry, place)
      let shared = try parameters(of: item.node, item.pointer)
      for (method, value) in nodes.members(item.node) where Self.methods.contains(method) {
        let pointer = "\(item.pointer)/\(method)"
        var own = try parameters(of: value, pointer)
        own += shared.filter { other in !own.contains { $0.name == other.name && $0.location == other.location } }
        operations.append(
          OpenAPIOperation(
            method: method.uppercased(), path: path,
            name: nodes["operationId", value].flatMap(nodes.text) ?? "\(method.uppercased()) \(path)",
            parameters: own, requestBody: try requestBody(of: value, pointer),
            responses: try responses(of: value, pointer),
            bases: servers.bases(of: value) ?? servers.bases(of: item.node) ?? bases,
            security: try security(of: value), pointer: pointer))
      }
    }
    return operations
  }

  // MARK: Parameters

  private func parameters(
    of node: JSONTree.Node, _ pointer: String
  ) throws(OpenAPIError) -> [OpenAPIOperation.Parameter] {
    var parameters: [OpenAPIOperation.Parameter] = []
    for (index, entry) in nodes.elements(nodes["parameters", node]).enumerated() {
      let found = try nodes.followed(entry, "\(pointer)/parameters/\(index)")
      guard let name = nodes["name", found.node].flatMap(nodes.text),
        let location = nodes["in", found.node].flatMap(nodes.text).flatMap(OpenAPIOperation.Location.init)
      else { throw OpenAPIError(message: "a parameter needs \"name\" and \"in\"", offset: entry.range.lowerBound) }
      parameters.append(try parameter(found, name, location))
    }
    return parameters
  }

  private func parameter(
    _ found: (node: JSONTree.Node, pointer: String), _ name: String, _ location: OpenAPIOperation.Location
  ) throws(OpenAPIError) -> OpenAPIOperation.Parameter {
    let usual = location == .query || location == .cookie ? "form" : "simple"
    let style = nodes["style", found.node].flatMap(nodes.text) ?? usual
    var parameter = OpenAPIOperation.Parameter(
      name: name, location: location, isRequired: location == .path || nodes.isTrue(nodes["required", found.node]),
      style: style, explodes: nodes["explode", found.node].map { nodes.isTrue($0) } ?? (style == "form"))
    if let schema = nodes["schema", found.node] {
      parameter.schema = "\(found.pointer)/schema"
      var seen: Set<Int> = []
      (parameter.shape, parameter.members) = try shape(of: schema, &seen)
    } else if let (range, schema) = try content(of: found.node, found.pointer).first {
      parameter.schema = schema
      parameter.isJSON = range.contains("json")
    }
    return parameter
  }

  /// Returns the type that a schema gives a value, as far as that decides how the value is written.
  private func shape(of schema: JSONTree.Node, _ seen: inout Set<Int>) throws(OpenAPIError) -> (String?, [String]) {
    let node = try nodes.followed(schema, "").node
    // Each is looked at once: those that refer to one another would make ever more.
    guard seen.count < 256, seen.insert(node.range.lowerBound).inserted else { return (nil, []) }
    let names = nodes.members(nodes["properties", node]).map(\.name)
    if let type = nodes["type", node] {
      let types = nodes.text(type).map { [$0] } ?? nodes.elements(type).compactMap(nodes.text)
      return (types.first { $0 == "array" || $0 == "object" }, names)
    }
    if nodes["properties", node] != nil { return ("object", names) }
    if nodes["items", node] != nil { return ("array", []) }
    for keyword in ["oneOf", "anyOf", "allOf"] {
      for element in nodes.elements(nodes[keyword, node]) {
        let found = try shape(of: element, &seen)
        if found.0 != nil { return found }
      }
    }
    return (nil, [])
  }

  // MARK: Bodies

  private func content(of node: JSONTree.Node, _ pointer: String) throws(OpenAPIError) -> OpenAPIOperation.Content {
    nodes.members(nodes["content", node]).filter { $0.name.contains("/") }.map { range, value in
      let place = "\(pointer)/content/\(SchemaPointer.escaped(range))"
      return (range.lowercased(), nodes["schema", value].map { _ in "\(place)/schema" })
    }
  }

  private func requestBody(
    of node: JSONTree.Node, _ pointer: String
  ) throws(OpenAPIError) -> OpenAPIOperation.RequestBody? {
    guard let entry = nodes["requestBody", node] else { return nil }
    let found = try nodes.followed(entry, "\(pointer)/requestBody")
    return OpenAPIOperation.RequestBody(
      isRequired: nodes.isTrue(nodes["required", found.node]), content: try content(of: found.node, found.pointer),
      pointer: found.pointer)
  }

  private func responses(
    of node: JSONTree.Node, _ pointer: String
  ) throws(OpenAPIError) -> [OpenAPIOperation.Response] {
    var responses: [OpenAPIOperation.Response] = []
    for (status, entry) in nodes.members(nodes["responses", node]) where !status.hasPrefix("x-") {
      let found = try nodes.followed(entry, "\(pointer)/responses/\(status)")
      var headers: [OpenAPIOperation.Parameter] = []
      for (name, value) in nodes.members(nodes["headers", found.node]) where name.lowercased() != "content-type" {
        let place = "\(found.pointer)/headers/\(SchemaPointer.escaped(name))"
        headers.append(try parameter(nodes.followed(value, place), name, .header))
        headers[headers.count - 1].isRequired = nodes.isTrue(nodes["required", try nodes.followed(value, place).node])
      }
      responses.append(
        OpenAPIOperation.Response(
          status: status, headers: headers, content: try content(of: found.node, found.pointer), pointer: found.pointer)
      )
    }
    return responses
  }
}
