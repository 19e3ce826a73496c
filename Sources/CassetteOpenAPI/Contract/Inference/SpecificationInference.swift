internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSecrets
internal import CassetteSystem

/// Derives an OpenAPI document from recordings, all of which conform to it.
///
/// Varying segments of paths become parameters (``PathTemplates``), and each operation has the types, members and
/// formats of all its exchanges. The document contains no secrets.
package struct SpecificationInference: Sendable {
  /// The methods that an OpenAPI document supports, in the order in which they are written.
  private static let methods = ["GET", "HEAD", "OPTIONS", "TRACE", "POST", "PUT", "PATCH", "DELETE", "QUERY"]

  private var exchanges: [ContractExchange] = []
  private var origins: Set<String> = []
  /// The requests that an OpenAPI document cannot describe: those with other methods, or without a path.
  package private(set) var leftOut: [String] = []
  /// The number of exchanges that have been added.
  package var count: Int { exchanges.count }

  package init() {}

  /// Adds an exchange with the server at an origin such as `https://api.example`.
  package mutating func add(_ exchange: ContractExchange, origin: String?) {
    guard exchange.target.hasPrefix("/"), Self.methods.contains(exchange.method) else {
      leftOut.append("\(exchange.method) \(exchange.target)")
      return
    }
    exchanges.append(exchange)
    // An exchange without an origin gets the server `/`, which is the server that delivers the document.
    origins.insert(origin.flatMap { $0.isEmpty ? nil : $0 } ?? "/")
  }

  /// Returns an OpenAPI 3.1 document for all exchanges, independently of their order.
  ///
  /// - `enums`: True to write repeated strings as enumerations. Default: false.
  package func document(enums: Bool = false) -> [UInt8] {
    let templates = templates()
    var names = Set<[String]>()
    for exchange in exchanges { names.insert([exchange.method, templates.template(of: Self.path(of: exchange))]) }
    // Requests are assigned to operations by the routes of the document, as in a verification.
    let routes = OperationRoutes(
      names.sorted { $0.lexicographicallyPrecedes($1) }.map { name in
        OpenAPIOperation(
          method: name[0], path: name[1], name: "", parameters: [], requestBody: nil, responses: [], bases: [""])
      })
    var paths: [String: [String: InferredOperation]] = [:]
    for exchange in exchanges {
      guard let found = routes.operation(exchange.method, Self.path(of: exchange)) else { continue }
      let (path, method) = (found.operation.path, exchange.method)
      var operation = paths[path]?[method] ?? InferredOperation()
      paths[path]?[method] = nil
      operation.add(exchange, path: found.values, query: QueryItem.all(ofTarget: exchange.target))
      paths[path, default: [:]][method] = operation
    }
    return text(of: paths, enums: enums)
  }

  private static func path(of exchange: ContractExchange) -> String { String(exchange.target.prefix { $0 != "?" }) }

  private func templates() -> PathTemplates {
    var witnesses = PathWitnesses()
    for origin in origins where origin != "/" { witnesses.add(origin: origin) }
    for exchange in exchanges {
      let media = exchange.headers["Content-Type"].flatMap(MediaType.init)
      let body = media?.isJSON ?? true ? exchange.body.flatMap { JSONTree($0) } : nil
      witnesses.add(exchange, path: Self.path(of: exchange), body: body)
      if let body { witnesses.addLinks(of: body, at: Self.path(of: exchange)) }
    }
    witnesses.compare()
    return PathTemplates(witnesses)
  }

  // MARK: Writing

  private func text(of paths: [String: [String: InferredOperation]], enums: Bool) -> [UInt8] {
    var ids: Set<String> = []
    var style = SchemaStyle(enums: enums)
    style.components = Self.components(of: paths, style)
    let document = JSONWriter.object { writer in
      writer.member("openapi", "3.1.0")
      writer.object("info") { writer in
        writer.member("title", origins.sorted().first { $0 != "/" } ?? "Recorded API")
        writer.member("version", "1.0.0")
        writer.member("description", "Inferred from recordings. It describes only recorded requests and responses.")
      }
      if origins != ["/"] {
        writer.array("servers", of: origins.sorted()) { $1.member("url", $0) }
      }
      writer.object("paths") { writer in
        for (path, operations) in paths.sorted(by: { $0.key < $1.key }) {
          writer.object(path) { writer in
            for method in Self.methods {
              guard let operation = operations[method] else { continue }
              let id = TemplateName.unused(TemplateName.operation(method, path), &ids)
              operation.write(to: &writer, method.lowercased(), id: id, names: TemplateName.names(in: path), style)
            }
          }
        }
      }
      let schemes = paths.values.reduce(into: Set()) { all, operations in
        for operation in operations.values { all.formUnion(operation.security) }
      }
      guard !schemes.isEmpty || !style.components.isEmpty else { return }
      writer.object("components") { writer in
        if !style.components.isEmpty { writer.object("schemas") { style.components.write(to: &$0, style) } }
        guard !schemes.isEmpty else { return }
        writer.object("securitySchemes") { writer in
          for scheme in schemes.sorted() { Self.write(scheme, to: &writer) }
        }
      }
    }
    return JSONStyle.indent2.file(of: document)
  }

  /// Returns the objects that occur in several places of the bodies, with their names.
  private static func components(of paths: [String: [String: InferredOperation]], _ style: SchemaStyle)
    -> SchemaComponents
  {
    var components = SchemaComponents(enums: style.enums)
    for (path, operations) in paths.sorted(by: { $0.key < $1.key }) {
      for method in methods {
        operations[method]?.eachSchema { components.add($0, named: TemplateName.schema(of: path)) }
      }
    }
    components.settle()
    return components
  }

  private static func write(_ scheme: InferredSecrets.Scheme, to writer: inout JSONWriter) {
    writer.object(scheme.name) { writer in
      switch scheme {
      case .http(let scheme):
        writer.member("type", "http")
        writer.member("scheme", scheme)
      case .key(let place, let name):
        writer.member("type", "apiKey")
        writer.member("in", place)
        writer.member("name", name)
      }
    }
  }
}

/// Detects secrets, which must not become examples, and the security schemes of requests.
enum InferredSecrets {
  /// A security scheme (OpenAPI 3.1 §4.8.27).
  enum Scheme: Hashable, Comparable {
    case http(String)
    case key(place: String, name: String)

    /// The name of the scheme among the document's components.
    var name: String {
      switch self {
      case .http(let scheme): scheme
      case .key(let place, let name):
        "\(place)_\(String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }))"
      }
    }
  }

  static func isStandIn(_ text: [UInt8]) -> Bool { String(decoding: text, as: UTF8.self).contains("{{secret") }

  /// Returns true if the value of a member or parameter is a secret.
  static func isSecret(_ name: String, _ text: [UInt8]) -> Bool {
    switch SecretNames.verdict(on: name) {
    case .secret: true
    // `code` may be `not_found`, or a token of a sign-in.
    case .parameter, .several: text.count > 15 && text.contains { (0x30...0x39).contains($0) }
    case .harmless, .holder, .value:
      // A longer text may contain a secret.
      text.count > 15 && SecretMask.masked(String(decoding: text, as: UTF8.self), .text).contains(SecretNames.mask)
    }
  }

  static func isCredential(query name: String) -> Bool { SecretNames.isParameter(name) }

  static func isCredential(field name: String) -> Bool { CredentialField.isNamed(name) || SecretNames.isField(name) }

  /// Returns the security schemes of a request.
  static func schemes(of headers: HTTPHeaders, _ query: [QueryItem]) -> Set<Scheme> {
    var schemes: Set<Scheme> = []
    for field in headers where isCredential(field: field.name) {
      let name = field.name.lowercased()
      guard name == "authorization" else {
        if !["cookie", "proxy-authorization"].contains(name) {
          schemes.insert(.key(place: "header", name: field.name))
        }
        continue
      }
      let words = field.value.split(separator: " ", maxSplits: 1)
      let scheme = words.first.map { $0.lowercased() } ?? ""
      // The registered authentication schemes. An unregistered scheme such as `token …` is described as an API key.
      let known = ["basic", "bearer", "digest", "dpop", "hoba", "mutual", "negotiate", "scram-sha-256", "vapid"]
      schemes.insert(
        words.count == 2 && known.contains(scheme) ? .http(scheme) : .key(place: "header", name: "Authorization"))
    }
    for item in query where isCredential(query: item.name) { schemes.insert(.key(place: "query", name: item.name)) }
    return schemes
  }
}
