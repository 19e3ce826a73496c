internal import CassetteEngines
package import CassetteHTTP
internal import CassetteJSON
internal import CassettePatterns
internal import CassetteSystem
package import Cassettes

/// A request and its response, with decoded bodies.
package struct ContractExchange: Sendable {
  package var method: String
  /// The path and the query of the request, without decoding.
  package var target: String
  var requestHeaders: HTTPHeaders
  /// The body of the request; nil if it is unknown.
  var requestBody: [UInt8]?
  /// The status code of the response; nil if there was no response.
  package var status: Int?
  var headers: HTTPHeaders
  /// The body of the response; nil if it is unknown.
  var body: [UInt8]?

  package init(
    method: String, target: String, requestHeaders: HTTPHeaders = [:], requestBody: [UInt8]? = nil, status: Int?,
    headers: HTTPHeaders = [:], body: [UInt8]? = nil
  ) {
    (self.method, self.target, self.requestHeaders, self.requestBody) = (method, target, requestHeaders, requestBody)
    (self.status, self.headers, self.body) = (status, headers, body)
  }
}

/// A difference between an exchange and its contract.
package struct ContractFinding: Hashable, Sendable {
  /// The severity: an error violates the contract, a warning concerns undocumented data.
  package enum Severity: String, Sendable { case error, warning }

  package var severity: Severity
  /// The part of the exchange: `query page`, `response body $.items[0].id`.
  package var place: String
  /// A description of the difference.
  ///
  /// It does not contain the value, which may be a secret.
  package var words: String
  /// The location of the violated rule in the document, as a JSON Pointer; nil if there is none.
  package var rule: String?
  /// The location in the body, as a JSON Pointer (RFC 6901); nil for the whole body and for other parts of the
  /// exchange.
  var pointer: String?
  /// The status with which a server should refuse such a request; nil for 422.
  var status: Int?
  /// True if the part of the exchange was not checked, so that it may violate the contract.
  var isUnchecked = false

  init(
    _ severity: Severity, _ place: String, _ words: String, rule: String? = nil, pointer: String? = nil,
    status: Int? = nil, isUnchecked: Bool = false
  ) {
    self.isUnchecked = isUnchecked
    (self.severity, self.place, self.words) = (severity, place, words)
    (self.rule, self.pointer, self.status) = (rule, pointer, status)
  }
}

/// Checks exchanges against an OpenAPI document.
package struct ContractCheck: Sendable {
  /// The result of checking one exchange.
  package struct Result: Sendable {
    /// The operation of the request; nil if the document has none.
    package var operation: OpenAPIOperation?
    /// The status of the documented response: `200`, `4XX` or `default`; nil if the response is not documented.
    var response: String?
    package var findings: [ContractFinding] = []
  }

  /// The maximum number of findings for one location.
  private static let most = 8

  package let document: OpenAPIDocument
  let routes: OperationRoutes

  package init(_ document: OpenAPIDocument) {
    self.document = document
    routes = OperationRoutes(document.operations)
  }

  /// Checks an exchange against the operation that its method and path select.
  package func check(_ exchange: ContractExchange) -> Result {
    let path = String(exchange.target.prefix { $0 != "?" })
    if let found = routes.operation(exchange.method, path) { return check(exchange, as: found) }
    let methods = routes.methods(of: path)
    let words =
      methods.isEmpty ? "the document has no path \(path)" : "the path supports only \(methods.joined(separator: ", "))"
    return Result(findings: [ContractFinding(.error, "request", words)])
  }

  /// Checks an exchange against an operation.
  func check(_ exchange: ContractExchange, as found: OperationRoutes.Found) -> Result {
    var result = Result(operation: found.operation)
    checkRequest(exchange, found, QueryItem.all(ofTarget: exchange.target), &result.findings)
    if let status = exchange.status {
      result.response = checkResponse(exchange, status, found.operation, &result.findings)
    }
    return result
  }

  // MARK: Requests

  private func checkRequest(
    _ exchange: ContractExchange, _ found: OperationRoutes.Found, _ query: [QueryItem],
    _ findings: inout [ContractFinding]
  ) {
    let values = ContractParameters(
      path: found.values, query: query, headers: exchange.requestHeaders, all: found.operation.parameters)
    for parameter in found.operation.parameters where !Self.isElsewhere(parameter) {
      check(parameter, values, "\(parameter.location.rawValue) \(parameter.name)", &findings)
    }
    var named: Set<String> = []
    for item in query where named.insert(item.name).inserted {
      let isKey = found.operation.security.joined().contains { $0.kind == .key(.query, item.name) }
      guard !isKey, !found.operation.parameters.contains(where: { ContractParameters.owns($0, item.name) }) else {
        continue
      }
      findings.append(ContractFinding(.warning, "query \(item.name)", "is not documented"))
    }
    guard let body = found.operation.requestBody else {
      // OpenAPI cannot describe a request body without a media type.
      if let sent = exchange.requestBody, !sent.isEmpty,
        exchange.requestHeaders["Content-Type"].flatMap(MediaType.init) != nil
      {
        findings.append(ContractFinding(.warning, "request body", "is not documented"))
      }
      return
    }
    guard let sent = exchange.requestBody else { return }
    if sent.isEmpty {
      if body.isRequired { findings.append(ContractFinding(.error, "request body", "is required but was not sent")) }
      return
    }
    check(sent, exchange.requestHeaders["Content-Type"], body.content, .request, &findings)
  }

  /// Returns true for header fields that OpenAPI does not describe as parameters (OpenAPI 3.1 §4.8.12).
  private static func isElsewhere(_ parameter: OpenAPIOperation.Parameter) -> Bool {
    parameter.location == .header && ["accept", "content-type", "authorization"].contains(parameter.name.lowercased())
  }

  private func check(
    _ parameter: OpenAPIOperation.Parameter, _ values: ContractParameters, _ place: String,
    _ findings: inout [ContractFinding]
  ) {
    guard let candidates = values.candidates(for: parameter) else {
      if parameter.isRequired { findings.append(ContractFinding(.error, place, "is required but was not sent")) }
      return
    }
    guard let pointer = parameter.schema else { return }
    var first: [ContractFinding] = []
    for (index, candidate) in candidates.enumerated() {
      guard let tree = JSONTree(candidate) else {
        first = [ContractFinding(.error, place, "is not JSON", rule: OpenAPINodes.shown("#\(pointer)"))]
        continue
      }
      let found = violations(of: tree, pointer, place, in: document.schemas)
      if found.isEmpty { return }
      if index == 0 || first.isEmpty { first = found }
    }
    findings += first
  }

  // MARK: Responses

  /// Returns true if the schema of a response header field allows a value.
  func allows(_ value: String, for header: OpenAPIOperation.Parameter) -> Bool {
    var findings: [ContractFinding] = []
    let values = ContractParameters(path: [:], query: [], headers: [(header.name, value)])
    check(header, values, header.name, &findings)
    return findings.isEmpty
  }

  private func checkResponse(
    _ exchange: ContractExchange, _ status: Int, _ operation: OpenAPIOperation, _ findings: inout [ContractFinding]
  ) -> String? {
    guard let response = operation.response(for: status) else {
      findings.append(ContractFinding(.warning, "response status", "\(status) is not documented"))
      return nil
    }
    let values = ContractParameters(path: [:], query: [], headers: exchange.headers)
    for header in response.headers { check(header, values, "response field \(header.name)", &findings) }
    guard let body = exchange.body, !body.isEmpty, !response.content.isEmpty, exchange.method != "HEAD", status != 304
    else { return response.status }
    check(body, exchange.headers["Content-Type"], response.content, .answer, &findings)
    return response.status
  }

  private func check(
    _ body: [UInt8], _ type: String?, _ content: OpenAPIOperation.Content, _ direction: ContractDirection,
    _ findings: inout [ContractFinding]
  ) {
    let place = direction == .request ? "request body" : "response body"
    let media = type.flatMap(MediaType.init)
    guard let entry = Self.entry(for: media, in: content) else {
      let known = content.map(\.range).joined(separator: ", ")
      findings.append(
        ContractFinding(.error, place, "is \(type ?? "of no Content-Type"); \(known) is documented", status: 415))
      return
    }
    guard let pointer = entry.schema, let media else { return }
    let form = media.isForm ? ContractForm(document.schemas.nodes, pointer) : nil
    guard media.isJSON || form != nil else { return }
    let trees = (form.map { $0.candidates(of: body, media) ?? [] } ?? [body]).compactMap { JSONTree($0) }
    guard let first = trees.first else {
      let kind = form == nil ? "JSON" : "\(media.type)/\(media.subtype)"
      findings.append(ContractFinding(.error, place, "is not valid \(kind)", status: 400))
      return
    }
    for name in form?.unescaped(in: body, media) ?? [] {
      findings.append(ContractFinding(.error, "\(place) $.\(name)", "has reserved characters", pointer: "/\(name)"))
    }
    let schemas = document.schemas.directed(direction)
    let all = trees.lazy.map { (tree: $0, violations: violations(of: $0, pointer, place, in: schemas)) }
    let (tree, found) = all.first { $0.violations.isEmpty } ?? all.first ?? (first, [])
    findings += found
    for (path, words) in document.schemas.undocumented(in: tree, at: pointer, direction).prefix(Self.most) {
      findings.append(ContractFinding(.warning, "\(place) \(path)", words))
    }
  }

  /// Returns the entry for a media type: the one with the same type and subtype, else the one for the type, else `*/*`.
  private static func entry(
    for media: MediaType?, in content: OpenAPIOperation.Content
  ) -> (range: String, schema: String?)? {
    guard let media else { return content.first { $0.range == "*/*" } }
    let ranges = content.map { entry in (entry, MediaType(entry.range)) }
    return ranges.first { $0.1?.type == media.type && $0.1?.subtype == media.subtype }?.0
      ?? ranges.first { $0.1?.type == media.type && $0.1?.subtype == "*" }?.0
      ?? ranges.first { $0.1?.type == "*" }?.0
  }

  private func violations(
    of tree: JSONTree, _ pointer: String, _ place: String, in schemas: ContractSchemas
  ) -> [ContractFinding] {
    let schema: JSONSchema
    do {
      schema = try schemas.schema(at: pointer)
    } catch {
      return [
        ContractFinding(
          .warning, place, "cannot be checked: \(error.message)", rule: OpenAPINodes.shown(error.pointer),
          isUnchecked: true)
      ]
    }
    var budget = MatchingBudget()
    guard let found = schema.violations(of: tree, limit: Self.most, &budget) else {
      return [
        ContractFinding(
          .warning, place, "takes too long to check", rule: OpenAPINodes.shown("#\(pointer)"), isUnchecked: true)
      ]
    }
    return found.filter { !isStandIn(at: $0.instance, in: tree) }.map {
      ContractFinding(
        .error, $0.instance.steps.isEmpty ? place : "\(place) \($0.instance)",
        schemas.isWriteOnly($0) ? "is writeOnly but occurs in a response" : $0.words,
        rule: OpenAPINodes.shown($0.schema),
        pointer: $0.instance.steps.isEmpty ? nil : $0.instance.pointer)
    }
  }

  /// Returns true if the value at a path contains a redacted secret, so that its original value is unknown.
  private func isStandIn(at path: JSONPath, in tree: JSONTree) -> Bool {
    guard let node = OpenAPINodes(tree).node(at: path.pointer), case .scalar = node.kind else { return false }
    return OpenAPINodes(tree).written(node).contains("{{secret:")
  }
}

extension JSONPath {
  /// The path as a JSON Pointer (RFC 6901).
  var pointer: String {
    steps.map { step in
      switch step {
      case .member(let name): "/" + SchemaPointer.escaped(name)
      case .element(let index): "/\(index)"
      }
    }.joined()
  }
}

/// The direction of content.
///
/// A schema may require different members in requests and responses.
package enum ContractDirection: String, Sendable {
  case request, answer

  /// The keyword for properties that are not sent in this direction.
  var keyword: String { self == .request ? "readOnly" : "writeOnly" }

  /// Rewrites a document so that no schema requires properties that are not sent in this direction.
  ///
  /// All pointers into the document stay valid. A response with a `writeOnly` member violates the schema; a request may
  /// have `readOnly` members, which servers ignore. Returns nil if the document is unchanged.
  func rewritten(_ nodes: OpenAPINodes) -> JSONTree? {
    guard nodes.tree.bytes.firstIndex(of: Array("\"\(keyword)\"".utf8), from: 0) != nil else { return nil }
    var rewriting = DirectedRewriting(nodes, self)
    return rewriting.tree()
  }
}

/// Rewrites a document for one direction of content.
private struct DirectedRewriting {
  private static let depthLimit = 5
  /// The keywords whose subschemas apply to the same value.
  private static let inPlace: Set = ["allOf", "anyOf", "oneOf", "if", "then", "else"]

  private let nodes: OpenAPINodes
  private let direction: ContractDirection
  private var text: [UInt8] = []
  private var isAnother = false

  init(_ nodes: OpenAPINodes, _ direction: ContractDirection) { (self.nodes, self.direction) = (nodes, direction) }

  mutating func tree() -> JSONTree? {
    text.reserveCapacity(nodes.tree.bytes.count)
    write(nodes.tree.root, SpecificationWords.Context(), [])
    return isAnother ? JSONTree(text) : nil
  }

  private mutating func write(_ node: JSONTree.Node, _ context: SpecificationWords.Context, _ outer: Set<String>) {
    switch node.kind {
    case .scalar: text += nodes.tree.bytes[node.range]
    case .array(let elements):
      text.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        write(element, context.element, outer)
      }
      text.append(UInt8(ascii: "]"))
    case .object(let members):
      guard !context.isPlain else { return writeMembers(members, context, []) }
      var left = outer
      if nodes["required", node] != nil || members.contains(where: { Self.inPlace.contains(Self.name($0)) }) {
        // The names of properties that are not sent in this direction, in the schema and its subschemas.
        for part in nodes.whole(node) {
          for (name, value) in nodes.members(nodes["properties", part]) where isLeftOut(value, 0) { left.insert(name) }
        }
      }
      writeMembers(members, context, left)
    }
  }

  private mutating func writeMembers(
    _ members: [JSONTree.Member], _ context: SpecificationWords.Context, _ left: Set<String>
  ) {
    text.append(UInt8(ascii: "{"))
    for (index, member) in members.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      let name = Self.name(member)
      text += JSONString.encode(name) + [UInt8(ascii: ":")]
      if name == "required", !context.isPlain, !left.isEmpty, case .array(let names) = member.value.kind {
        let kept = names.filter { nodes.text($0).map { !left.contains($0) } ?? true }
        if kept.count < names.count { isAnother = true }
        let list = kept.map { nodes.tree.bytes[$0.range] }.joined(separator: [UInt8(ascii: ",")])
        text += [UInt8(ascii: "[")] + list + [UInt8(ascii: "]")]
      } else {
        let isInPlace = !context.isPlain && Self.inPlace.contains(name)
        write(member.value, context.member(name, member.value), isInPlace ? left : [])
      }
    }
    if direction == .answer, !context.isPlain,
      members.contains(where: { Self.name($0) == direction.keyword && nodes.isTrue($0.value) })
    {
      isAnother = true
      text += Array(",\"not\":{}".utf8)
    }
    text.append(UInt8(ascii: "}"))
  }

  private func isLeftOut(_ schema: JSONTree.Node, _ depth: Int) -> Bool {
    guard depth < Self.depthLimit else { return false }
    if nodes.isTrue(nodes[direction.keyword, schema]) { return true }
    guard let node = try? nodes.followed(schema, "").node else { return false }
    return nodes.isTrue(nodes[direction.keyword, node])
      || nodes.elements(nodes["allOf", node]).contains { isLeftOut($0, depth + 1) }
  }

  private static func name(_ member: JSONTree.Member) -> String { String(decoding: member.name, as: UTF8.self) }
}

extension ContractExchange {
  /// Creates an exchange from a recording; throws if the file of a body cannot be read.
  package init(_ interaction: Interaction) throws(CassetteError) {
    self.init(
      method: "\(interaction.method)", target: interaction.pathAndQuery, requestHeaders: interaction.requestHeaders,
      requestBody: try interaction.requestBody?.bytes(), status: interaction.status,
      headers: interaction.response?.headers ?? [:], body: try interaction.response?.body?.bytes())
  }
}
