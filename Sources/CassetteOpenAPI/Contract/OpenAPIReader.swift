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
        // A path item may name a file for each operation.
        guard let (value, pointer) = followed(value, "\(item.pointer)/\(method)") else { continue }
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

/// A method of a path in an OpenAPI document.
package struct OpenAPIOperation: Sendable {
  /// The location of a parameter in a request.
  package enum Location: String, Sendable { case path, query, header, cookie }

  /// A parameter and its serialization.
  package struct Parameter: Sendable {
    var name: String
    var location: Location
    var isRequired: Bool
    /// The serialization style: `form`, `simple`, `spaceDelimited`, `pipeDelimited`, `deepObject`, `label` or `matrix`.
    var style: String
    var explodes: Bool
    /// The location of its schema in the document, as a JSON Pointer.
    var schema: String?
    /// True if the value is JSON, which the schema describes.
    var isJSON = false
    /// True if an empty value is allowed even if the schema rejects it.
    var allowsEmpty = false
    /// The forms that the schema allows for the value.
    var form = ParameterForm()
    /// True if the schema allows a list of values.
    var isList: Bool { form.isList }
  }

  /// The schemas of a body by media range, in the order of the document.
  package typealias Content = [(range: String, schema: String?)]

  /// The documented body of a request.
  package struct RequestBody: Sendable {
    var isRequired: Bool
    var content: Content
    /// The location in the document, as a JSON Pointer.
    var pointer: String
  }

  /// A response, by status code, range of codes (`4XX`) or `default`.
  package struct Response: Sendable {
    var status: String
    var headers: [Parameter]
    var content: Content
    /// The location in the document, as a JSON Pointer.
    var pointer: String
  }

  /// The method, in upper case.
  package var method: String
  /// The path with its parameters: `/users/{id}`.
  package var path: String
  /// The `operationId`, or the method and the path.
  package var name: String
  var parameters: [Parameter]
  var requestBody: RequestBody?
  var responses: [Response]
  /// The base paths of its servers, without a trailing slash.
  var bases: [String]
  /// The alternative lists of security schemes.
  ///
  /// A request must meet all schemes of one list; an empty list requires no credentials.
  var security: [[SecurityScheme]] = []
  /// The location in the document, as a JSON Pointer.
  var pointer = ""

  /// Returns the response for a status code, else for its range, else the default.
  func response(for status: Int) -> Response? {
    responses.first { $0.status == "\(status)" }
      ?? responses.first { $0.status.uppercased() == "\(status / 100)XX" }
      ?? responses.first { $0.status == "default" }
  }
}

/// Determines the base paths of the servers of a document, a path or an operation.
struct ServerBases {
  /// The maximum number of base paths for one server, whose variables may have many values.
  private static let most = 64

  private let nodes: OpenAPINodes

  init(_ nodes: OpenAPINodes) { self.nodes = nodes }

  /// Returns the base paths of all servers in order, without duplicates, or nil if there are no servers.
  func bases(of node: JSONTree.Node) -> [String]? {
    var bases: [String] = []
    for server in nodes.elements(nodes["servers", node]) {
      guard let url = nodes["url", server].flatMap(nodes.text) else { continue }
      for base in self.bases(of: url, nodes["variables", server]) where !bases.contains(base) { bases.append(base) }
    }
    return bases.isEmpty ? nil : bases
  }

  /// Returns the base paths of a server, with the defaults and all other values of its variables.
  private func bases(of url: String, _ variables: JSONTree.Node?) -> [String] {
    var urls = [url]
    for (name, variable) in nodes.members(variables) {
      let usual = nodes["default", variable].flatMap(value)
      let others = nodes.elements(nodes["enum", variable]).compactMap(value).filter { $0 != usual }
      let values = (usual.map { [$0] } ?? []) + others
      guard !values.isEmpty, url.contains("{\(name)}") else { continue }
      urls = Array(values.flatMap { value in urls.map { $0.replacing("{\(name)}", with: value) } }.prefix(Self.most))
    }
    return urls.map(Self.path(of:))
  }

  /// Returns the value of a variable, which YAML may have parsed as a number: `default: 1`.
  private func value(_ node: JSONTree.Node) -> String? {
    if case .scalar = node.kind { nodes.scalar(node) } else { nil }
  }

  /// Returns the path of a URL without a trailing slash; a relative reference is resolved against the root.
  private static func path(of url: String) -> String {
    var path = String(url.prefix { $0 != "?" && $0 != "#" })
    if let mark = path.hasPrefix("//") ? path.firstRange(of: "//") : path.firstRange(of: "://") {
      path = path[mark.upperBound...].firstIndex(of: "/").map { String(path[$0...]) } ?? ""
    }
    var steps: [Substring] = []
    for step in path.split(separator: "/") {
      switch step {
      case ".": continue
      case "..": _ = steps.popLast()
      default: steps.append(step)
      }
    }
    return steps.map { "/\($0)" }.joined()
  }
}
