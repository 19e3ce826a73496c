internal import CassetteJSON

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
