internal import CassetteHTTP
internal import CassetteJSON

/// A method of a path, with the data of all its exchanges.
struct InferredOperation {
  /// The schemas of a body by media type.
  struct Content {
    struct Entry {
      var schema = InferredSchema()
      /// True if all bodies of the type are JSON.
      var isJSON = true
    }

    private(set) var entries: [String: Entry] = [:]
    /// True if at least one exchange had no body.
    var isOptional = false

    /// The entries as the document lists them: `*/*` replaces a JSON media type if some of its bodies are not JSON.
    private var written: [String: Entry] {
      let pairs = entries.map { name, entry in
        (!entry.isJSON && MediaType(name)?.isJSON ?? false ? "*/*" : name, entry)
      }
      return Dictionary(pairs) { first, _ in first }
    }

    /// True if the document can describe the body of a response.
    ///
    /// A response with `content` always has a body (OpenAPI 3.1 §4.8.17). That restriction is only useful with a
    /// schema.
    var isKnown: Bool {
      entries.values.contains { $0.isJSON } || !isOptional && written.keys.contains { $0 != "*/*" }
    }

    /// True if at least one body has a media type; OpenAPI cannot describe a request body without one.
    var hasTypes: Bool { entries.keys.contains { $0 != "*/*" } }

    mutating func add(_ body: [UInt8], type: String?) {
      let media = type.flatMap(MediaType.init)
      let name = media.map { "\($0.type)/\($0.subtype)" } ?? "*/*"
      var entry = entries[name] ?? Entry()
      entries[name] = nil
      if media?.isJSON ?? false, let tree = JSONTree(body) { entry.schema.add(tree) } else { entry.isJSON = false }
      entries[name] = entry
    }

    func write(to writer: inout JSONWriter, _ style: SchemaStyle) {
      writer.object("content") { writer in
        for (name, entry) in written.sorted(by: { $0.key < $1.key }) {
          writer.object(name) { if entry.isJSON { entry.schema.write(to: &$0, "schema", style) } }
        }
      }
    }
  }

  /// A parameter in the query or the header fields.
  private struct Parameter {
    var schema = InferredSchema()
    var count = 0
    var values: Set<String> = []
    var isRepeated = false
    var isEmpty = false
  }

  /// Header fields that HTTP or the client adds, which are not part of an API.
  private static let plumbing: Set<String> = [
    "accept", "accept-charset", "accept-encoding", "accept-language", "authorization", "cache-control", "connection",
    "content-length", "content-type", "content-encoding", "cookie", "date", "dnt", "expect", "forwarded", "host",
    "keep-alive", "origin", "pragma", "proxy-authorization", "proxy-connection", "referer", "te", "trailer",
    "transfer-encoding", "upgrade", "upgrade-insecure-requests", "user-agent", "via", "priority", "traceparent",
    "tracestate", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip",
  ]

  private(set) var exchanges = 0
  private var path: [String: InferredSchema] = [:]
  private var query: [String: Parameter] = [:]
  private var fields: [String: Parameter] = [:]
  private var fieldNames: [String: String] = [:]
  private var request = Content()
  private var requestsWithBody = 0
  private var responses: [Int: Content] = [:]
  /// The key of all responses whose status OpenAPI does not allow, such as 999.
  private static let otherStatus = 1000
  private var schemes: Set<InferredSecrets.Scheme> = []
  private var signed = 0

  // MARK: Adding exchanges

  mutating func add(_ exchange: ContractExchange, path values: [String: String], query items: [QueryItem]) {
    exchanges += 1
    for (name, value) in values {
      path[name, default: InferredSchema()].add(text: value, isSecret: false)
    }
    for (name, all) in Dictionary(grouping: items, by: \.name) where !InferredSecrets.isCredential(query: name) {
      Self.note(name, all.map { $0.value ?? "" }, in: &query)
    }
    let names = Set(exchange.requestHeaders.map { $0.name.lowercased() })
    for name in names.sorted() where !Self.plumbing.contains(name) && !name.hasPrefix("sec-") {
      guard !InferredSecrets.isCredential(field: name) else { continue }
      let written = exchange.requestHeaders.first { $0.isNamed(name) }?.name ?? name
      fieldNames[name] = min(fieldNames[name] ?? written, written)
      Self.note(name, [exchange.requestHeaders.values(of: name).joined(separator: ", ")], in: &fields)
    }
    let found = InferredSecrets.schemes(of: exchange.requestHeaders, items)
    schemes.formUnion(found)
    if !found.isEmpty { signed += 1 }
    if let body = exchange.requestBody, !body.isEmpty {
      requestsWithBody += 1
      request.add(body, type: exchange.requestHeaders["Content-Type"])
    }
    guard var status = exchange.status else { return }
    if !(100...599).contains(status) { status = Self.otherStatus }
    var content = responses[status] ?? Content()
    responses[status] = nil
    if let body = exchange.body, !body.isEmpty, exchange.method != "HEAD", status != 304 {
      content.add(body, type: exchange.headers["Content-Type"])
    } else {
      content.isOptional = true
    }
    responses[status] = content
  }

  private static func note(_ name: String, _ values: [String], in parameters: inout [String: Parameter]) {
    var parameter = parameters[name] ?? Parameter()
    parameter.count += 1
    if values.count > 1 || name.hasSuffix("[]") { parameter.isRepeated = true }
    if values.contains("") { parameter.isEmpty = true }
    for value in values {
      parameter.schema.add(text: value, isSecret: InferredSecrets.isSecret(name, Array(value.utf8)))
      if parameter.values.count < 2 { parameter.values.insert(value) }
    }
    parameters[name] = parameter
  }

  // MARK: Writing the document

  /// The security schemes in the requests.
  var security: Set<InferredSecrets.Scheme> { schemes }

  /// Calls `visit` with the schemas of all bodies, in the order of the document.
  func eachSchema(_ visit: (InferredSchema) -> Void) {
    for content in [request] + responses.sorted(by: { $0.key < $1.key }).map(\.value) {
      for (_, entry) in content.entries.sorted(by: { $0.key < $1.key }) where entry.isJSON { visit(entry.schema) }
    }
  }

  func write(to writer: inout JSONWriter, _ method: String, id: String, names: [String], _ style: SchemaStyle) {
    writer.object(method) { writer in
      writer.member("operationId", id)
      writeParameters(to: &writer, names, style)
      if request.hasTypes {
        writer.object("requestBody") { writer in
          // A recording without a body shows that the body is optional.
          if requestsWithBody == exchanges { writer.member("required", true) }
          request.write(to: &writer, style)
        }
      }
      writer.object("responses") { writer in
        if responses.isEmpty { writer.object("default") { $0.member("description", "No response was recorded.") } }
        for (status, content) in responses.sorted(by: { $0.key < $1.key }) {
          let isOther = status == Self.otherStatus
          writer.object(isOther ? "default" : "\(status)") { writer in
            let phrase = isOther ? "Another status" : HTTPStatus(status).standardPhrase
            writer.member("description", phrase ?? "Status \(status)")
            if content.isKnown { content.write(to: &writer, style) }
          }
        }
      }
      guard !schemes.isEmpty else { return }
      writer.array("security") { writer in
        for scheme in schemes.sorted() { writer.object { $0.array(scheme.name) { _ in } } }
        if signed < exchanges { writer.object { _ in } }
      }
    }
  }

  private func writeParameters(to writer: inout JSONWriter, _ names: [String], _ style: SchemaStyle) {
    // A field with the same value in all requests is a property of the client, not of the operation.
    let fields = self.fields.filter { $0.value.values.count > 1 || $0.value.count < exchanges }
    guard !names.isEmpty || !query.isEmpty || !fields.isEmpty else { return }
    writer.array("parameters") { writer in
      for name in names {
        guard let schema = path[name] else { continue }
        Self.write(name, "path", Parameter(schema: schema), isRequired: true, to: &writer, style)
      }
      for (name, parameter) in query.sorted(by: { $0.key < $1.key }) {
        Self.write(name, "query", parameter, isRequired: parameter.count == exchanges, to: &writer, style)
      }
      for (name, parameter) in fields.sorted(by: { $0.key < $1.key }) {
        Self.write(
          fieldNames[name] ?? name, "header", parameter, isRequired: parameter.count == exchanges, to: &writer, style)
      }
    }
  }

  private static func write(
    _ name: String, _ place: String, _ parameter: Parameter, isRequired: Bool, to writer: inout JSONWriter,
    _ style: SchemaStyle
  ) {
    var schema = parameter.schema
    schema.settle()
    writer.object { writer in
      writer.member("name", name)
      writer.member("in", place)
      if isRequired { writer.member("required", true) }
      if parameter.isEmpty, place == "query" { writer.member("allowEmptyValue", true) }
      guard parameter.isRepeated else { return schema.write(to: &writer, "schema", style) }
      writer.object("schema") { writer in
        writer.member("type", "array")
        schema.write(to: &writer, "items", style)
      }
    }
  }
}
