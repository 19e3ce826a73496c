internal import CassetteEngines
internal import CassetteJSON

/// Reads the operations of a document.
///
/// A part with an error is left out, and the error is added to `problems`.
struct OpenAPIReader {
  private static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]

  let nodes: OpenAPINodes
  /// The errors in the order of the document.
  private(set) var problems: [OpenAPIError] = []

  init(_ nodes: OpenAPINodes) { self.nodes = nodes }

  /// Resolves the references of a value; adds an error to `problems` and returns nil if a target does not exist.
  mutating func followed(_ node: JSONTree.Node, _ pointer: String) -> (node: JSONTree.Node, pointer: String)? {
    do throws(OpenAPIError) {
      return try nodes.followed(node, pointer)
    } catch {
      problems.append(error)
      return nil
    }
  }

  mutating func operations() -> [OpenAPIOperation] {
    let root = nodes.tree.root
    let servers = ServerBases(nodes)
    let bases = servers.bases(of: root) ?? [""]
    var operations: [OpenAPIOperation] = []
    for (path, entry) in nodes.members(nodes["paths", root]) where path.hasPrefix("/") {
      let place = "/paths/\(SchemaPointer.escaped(path))"
      guard let item = followed(entry, place) else { continue }
      let shared = parameters(of: item.node, item.pointer)
      for (method, value) in nodes.members(item.node) where Self.methods.contains(method) {
        let pointer = "\(item.pointer)/\(method)"
        var own = parameters(of: value, pointer)
        own += shared.filter { other in !own.contains { $0.name == other.name && $0.location == other.location } }
        operations.append(
          OpenAPIOperation(
            method: method.uppercased(), path: path,
            name: nodes["operationId", value].flatMap(nodes.text) ?? "\(method.uppercased()) \(path)",
            parameters: own, requestBody: requestBody(of: value, pointer),
            responses: responses(of: value, pointer),
            bases: servers.bases(of: value) ?? servers.bases(of: item.node) ?? bases,
            security: security(of: value), pointer: pointer))
      }
    }
    return operations
  }

  // MARK: Parameters

  private mutating func parameters(of node: JSONTree.Node, _ pointer: String) -> [OpenAPIOperation.Parameter] {
    var parameters: [OpenAPIOperation.Parameter] = []
    for (index, entry) in nodes.elements(nodes["parameters", node]).enumerated() {
      guard let found = followed(entry, "\(pointer)/parameters/\(index)") else { continue }
      guard let name = nodes["name", found.node].flatMap(nodes.text),
        let location = nodes["in", found.node].flatMap(nodes.text).flatMap(OpenAPIOperation.Location.init)
      else {
        problems.append(
          OpenAPIError(message: "a parameter must have \"name\" and \"in\"", offset: found.node.range.lowerBound))
        continue
      }
      parameters.append(parameter(found, name, location))
    }
    return parameters
  }

  private func parameter(
    _ found: (node: JSONTree.Node, pointer: String), _ name: String, _ location: OpenAPIOperation.Location
  ) -> OpenAPIOperation.Parameter {
    let usual = location == .query || location == .cookie ? "form" : "simple"
    let style = nodes["style", found.node].flatMap(nodes.text) ?? usual
    var parameter = OpenAPIOperation.Parameter(
      name: name, location: location, isRequired: location == .path || nodes.isTrue(nodes["required", found.node]),
      style: style, explodes: nodes["explode", found.node].map { nodes.isTrue($0) } ?? (style == "form"))
    parameter.allowsEmpty = nodes.isTrue(nodes["allowEmptyValue", found.node])
    if let schema = nodes["schema", found.node] {
      parameter.schema = "\(found.pointer)/schema"
      parameter.form = ParameterForm(schema, nodes, depth: style == "deepObject" ? 4 : 2)
    } else if let (range, schema) = content(of: found.node, found.pointer).first {
      parameter.schema = schema
      parameter.isJSON = range.contains("json")
    }
    return parameter
  }

  // MARK: Bodies

  private func content(of node: JSONTree.Node, _ pointer: String) -> OpenAPIOperation.Content {
    nodes.members(nodes["content", node]).filter { $0.name.contains("/") }.map { range, value in
      let place = "\(pointer)/content/\(SchemaPointer.escaped(range))"
      return (range.lowercased(), nodes["schema", value].map { _ in "\(place)/schema" })
    }
  }

  private mutating func requestBody(of node: JSONTree.Node, _ pointer: String) -> OpenAPIOperation.RequestBody? {
    guard let entry = nodes["requestBody", node], let found = followed(entry, "\(pointer)/requestBody") else {
      return nil
    }
    return OpenAPIOperation.RequestBody(
      isRequired: nodes.isTrue(nodes["required", found.node]), content: content(of: found.node, found.pointer),
      pointer: found.pointer)
  }

  private mutating func responses(of node: JSONTree.Node, _ pointer: String) -> [OpenAPIOperation.Response] {
    var responses: [OpenAPIOperation.Response] = []
    for (status, entry) in nodes.members(nodes["responses", node]) where !status.hasPrefix("x-") {
      guard let found = followed(entry, "\(pointer)/responses/\(status)") else { continue }
      var headers: [OpenAPIOperation.Parameter] = []
      for (name, value) in nodes.members(nodes["headers", found.node]) where name.lowercased() != "content-type" {
        let place = "\(found.pointer)/headers/\(SchemaPointer.escaped(name))"
        guard let header = followed(value, place) else { continue }
        headers.append(parameter(header, name, .header))
        headers[headers.count - 1].isRequired = nodes.isTrue(nodes["required", header.node])
      }
      responses.append(
        OpenAPIOperation.Response(
          status: status, headers: headers, content: content(of: found.node, found.pointer), pointer: found.pointer)
      )
    }
    return responses
  }
}
