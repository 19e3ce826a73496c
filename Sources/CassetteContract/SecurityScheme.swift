package import CassetteHTTP
internal import CassetteJSON
internal import CassetteSchemas

/// A way in which a request shows who asks (OpenAPI 3.1 §4.8.27).
package struct SecurityScheme: Hashable, Sendable {
  /// The means of a scheme.
  package enum Kind: Hashable, Sendable {
    /// A key in a parameter of that name.
    case key(OpenAPIOperation.Location, String)
    /// A field `Authorization` of that scheme: `basic`, `bearer`.
    case authorization(String)
    /// A means that the request itself does not show, such as a certificate.
    case elsewhere
  }

  /// Its name in the document.
  package var name: String
  package var kind: Kind

  /// Tells whether a request has what the scheme asks for; its value is not looked at.
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

  /// The challenge of a field `WWW-Authenticate` (RFC 9110 §11.6.1); nil for a scheme that has none.
  package var challenge: String? {
    switch kind {
    case .authorization("basic"): "Basic realm=\"*\""
    case .authorization(let scheme): scheme.prefix(1).uppercased() + scheme.dropFirst()
    case .key, .elsewhere: nil
    }
  }

  /// The credentials that a request is to have, in words.
  package var words: String {
    switch kind {
    case .key(let location, let name): "\(location.rawValue) \(name)"
    case .authorization(let scheme): "Authorization: \(scheme.prefix(1).uppercased() + scheme.dropFirst())"
    case .elsewhere: name
    }
  }
}

extension OpenAPIReader {
  /// The schemes of an operation: its own lists, or those of the document.
  mutating func security(of operation: JSONTree.Node) -> [[SecurityScheme]] {
    let lists = nodes.elements(nodes["security", operation] ?? nodes["security", nodes.tree.root])
    var read: [[SecurityScheme]] = []
    for list in lists {
      var schemes: [SecurityScheme] = []
      for (name, _) in nodes.members(list) {
        // A scheme that the document does not have asks for nothing that anybody could send.
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
