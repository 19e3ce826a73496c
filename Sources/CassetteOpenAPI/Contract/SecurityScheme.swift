internal import CassetteEngines
package import CassetteHTTP
internal import CassetteJSON

/// A security scheme (OpenAPI 3.1 §4.8.27).
package struct SecurityScheme: Hashable, Sendable {
  /// The type of a scheme.
  package enum Kind: Hashable, Sendable {
    /// An API key in the parameter with this name.
    case key(OpenAPIOperation.Location, String)
    /// An `Authorization` field with this scheme: `basic`, `bearer`.
    case authorization(String)
    /// Credentials outside of the request, such as a client certificate.
    case elsewhere
  }

  /// The name in the document.
  package var name: String
  package var kind: Kind

  /// Returns true if a request has credentials for the scheme, with any value.
  package func isMet(by headers: HTTPHeaders, query: [QueryItem]) -> Bool {
    switch kind {
    case .elsewhere: return true
    case .authorization(let scheme):
      return headers.values(of: "Authorization").contains {
        $0.prefix { $0 != " " }.lowercased() == scheme && $0.utf8.count > scheme.utf8.count + 1
      }
    case .key(let location, let name):
      let parameter = OpenAPIOperation.Parameter(
        name: name, location: location, isRequired: true, style: "form", explodes: true)
      return ContractParameters(path: [:], query: query, headers: headers).candidates(for: parameter) != nil
    }
  }

  /// The challenge for a `WWW-Authenticate` field (RFC 9110 §11.6.1); nil if the scheme has none.
  package var challenge: String? {
    switch kind {
    case .authorization("basic"): "Basic realm=\"*\""
    case .authorization(let scheme): scheme.prefix(1).uppercased() + scheme.dropFirst()
    case .key, .elsewhere: nil
    }
  }

  /// The required credentials, for messages.
  package var words: String {
    switch kind {
    case .key(let location, let name): "\(location.rawValue) \(name)"
    case .authorization(let scheme): "Authorization: \(scheme.prefix(1).uppercased() + scheme.dropFirst())"
    case .elsewhere: name
    }
  }
}

extension OpenAPIReader {
  /// Returns the security schemes of an operation: its own lists, or those of the document.
  mutating func security(of operation: JSONTree.Node) -> [[SecurityScheme]] {
    let lists = nodes.elements(nodes["security", operation] ?? nodes["security", nodes.tree.root])
    var read: [[SecurityScheme]] = []
    for list in lists {
      var schemes: [SecurityScheme] = []
      for (name, _) in nodes.members(list) {
        // A scheme that the document does not define is ignored, because no request could meet it.
        guard let entry = nodes.node(at: "/components/securitySchemes/\(SchemaPointer.escaped(name))") else { continue }
        guard let node = followed(entry, "")?.node else { continue }
        let nodes = nodes
        func text(_ member: String) -> String? { nodes[member, node].flatMap(nodes.text) }
        let kind: SecurityScheme.Kind =
          switch text("type") {
          case "apiKey":
            text("in").flatMap(OpenAPIOperation.Location.init).map { .key($0, text("name") ?? name) } ?? .elsewhere
          case "http": .authorization((text("scheme") ?? "basic").lowercased())
          case "oauth2", "openIdConnect": .authorization("bearer")
          default: .elsewhere
          }
        schemes.append(SecurityScheme(name: name, kind: kind))
      }
      read.append(schemes)
    }
    return read
  }
}
