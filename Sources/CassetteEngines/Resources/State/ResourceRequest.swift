internal import CassetteHTTP
internal import CassetteSystem

/// A request to a resource, and the response as a function of the request and the state.
struct ResourceRequest: Sendable {
  let definition: ResourceDefinition
  let request: HTTPRequest
  let place: ResourceDefinition.Place
  /// The scheme and authority of element URLs in responses.
  let base: String
  /// The time of the request, in RFC 3339 format.
  let now: String

  /// Parses a request to a resource; fails if the path does not belong to the resource.
  init?(_ request: HTTPRequest, to definition: ResourceDefinition, base: String, now: String) {
    guard request.target.form == .origin || request.target.form == .absolute,
      let place = definition.place(of: request.target.path)
    else { return nil }
    (self.definition, self.request, self.place, self.base, self.now) = (definition, request, place, base, now)
  }

  /// Returns the response, and applies the requested change to the state.
  func answer(_ state: inout ResourceState) -> HTTPResponse {
    do throws(Refusal) { return try answered(&state) } catch { return error.response }
  }

  private func answered(_ state: inout ResourceState) throws(Refusal) -> HTTPResponse {
    guard let operation else {
      var response = refusal(405, "\(request.method.rawValue) is not supported for \(request.target.path)")
      if response.headers["Allow"] == nil { response.headers.append("Allow", allowed) }
      return response
    }
    if case .element(let name) = place {
      guard let element = state.element(name) else {
        return refusal(404, "There is no \(request.target.path).", id: name)
      }
      guard meetsCondition(element) else { return refusal(412, "\(request.target.path) has changed", id: name) }
      return try answer(operation, to: element, name, &state)
    }
    switch operation {
    case .list: return ResourceList(self, state).answer
    case .clear:
      state.removeAll()
      return response(operation, .array([]))
    default: return try create(&state)
    }
  }

  /// The response if the sessions of the server together have reached their limit.
  package var refusalOfFull: HTTPResponse {
    refusal(507, "the sessions of this server have too many elements in total")
  }

  private var operation: ResourceDefinition.Operation? {
    let method: HTTPMethod = request.method == .head ? .get : request.method
    return ResourceDefinition.Operation.allCases.first {
      $0.method == method && $0.isOfCollection == (place == .collection) && definition.operations[$0] != nil
    }
  }

  /// The value of the `Allow` header field (RFC 9110 §10.2.1).
  var allowed: String {
    let methods = definition.methods(of: place).map(\.rawValue)
    return (methods + (methods.contains("GET") ? ["HEAD"] : []) + ["OPTIONS"]).joined(separator: ", ")
  }

  private func answer(
    _ operation: ResourceDefinition.Operation, to element: EditableJSON, _ name: String, _ state: inout ResourceState
  ) throws(Refusal) -> HTTPResponse {
    switch operation {
    case .delete:
      state.remove(name)
      return response(operation, element)
    case .replace, .patch:
      var changed = element
      if operation == .replace { try replace(&changed) } else { try patch(&changed) }
      guard changed.isObject else { return refusal(422, "an element must be an object", id: name) }
      // The id and the members that the server assigned at creation cannot be changed.
      changed[definition.id] = element[definition.id]
      for member in definition.created { changed[member.name] = element[member.name] ?? changed[member.name] }
      try check(changed, name)
      fill(&changed, definition.changed, id: element[definition.id] ?? .null)
      guard state.put(changed, as: name) else { return refusal(507, "the resource has too many elements", id: name) }
      return response(operation, changed)
    default: return response(operation, element)
    }
  }

  // MARK: Changes

  private func create(_ state: inout ResourceState) throws(Refusal) -> HTTPResponse {
    let sent = try content()
    guard sent.isObject else { return refusal(422, "an element must be an object") }
    var element = sent
    for member in definition.created + definition.changed { element[member.name] = nil }
    try check(element)
    let own = sent[definition.id].flatMap { $0.isNull ? nil : $0 }
    guard own == nil || own?.scalar?.isEmpty == false else {
      return refusal(422, "\"\(definition.id)\" must be a non-empty string or a number")
    }
    var changed = state
    let id = own ?? changed.nextName(definition.naming)
    let name = id.scalar ?? ""
    guard changed.element(name) == nil else { return refusal(409, "\(name) already exists.", id: name) }
    var new = EditableJSON.object([EditableJSON.Member(Array(definition.id.utf8), id)])
    if case .object(let members) = element {
      for member in members where member.name != Array(definition.id.utf8) { new[member.name] = member.value }
    }
    let missing = definition.defaults.filter { new[$0.name] == nil }
    fill(&new, missing + definition.created + definition.changed, id: id)
    guard changed.put(new, as: name) else { return refusal(507, "the resource has too many elements") }
    state = changed
    var response = response(.create, new)
    response.headers.append("Location", address(of: name))
    return response
  }

  private func replace(_ element: inout EditableJSON) throws(Refusal) {
    element = try content()
    for member in definition.defaults where element.isObject && element[member.name] == nil {
      fill(&element, [member], id: .null)
    }
  }

  private func patch(_ element: inout EditableJSON) throws(Refusal) {
    let changes = try content(of: "application/json-patch+json", "application/merge-patch+json")
    let type = request.headers.mediaType
    guard type?.subtype == "json-patch+json" || type?.subtype != "merge-patch+json" && changes.isArray else {
      return element.merge(changes)
    }
    do throws(JSONPatch.Failure) {
      try JSONPatch(changes).apply(to: &element)
    } catch {
      let place = error.operation.map { "operation \($0): " } ?? ""
      throw Refusal(response: refusal(error.isMalformed ? 400 : 422, place + error.message))
    }
  }

  private func fill(_ element: inout EditableJSON, _ members: [EditableJSON.Member], id: EditableJSON) {
    let values = ["id": id, "now": .string(now), "url": .string(address(of: id.scalar ?? ""))]
    for member in members { element[member.name] = ResourceTemplate.filled(member.value, values) }
  }

  // MARK: Content of the request

  private struct Refusal: Error {
    let response: HTTPResponse
  }

  /// Parses the content of the request as JSON.
  private func content(of more: String...) throws(Refusal) -> EditableJSON {
    let type = request.headers.mediaType
    guard type.map({ $0.isJSON }) ?? true else {
      var response = refusal(415, "send application/json")
      if !more.isEmpty {
        // RFC 5789 §3.1
        response.headers.append("Accept-Patch", (more + ["application/json"]).joined(separator: ", "))
      }
      throw Refusal(response: response)
    }
    guard let value = EditableJSON(request.body) else {
      throw Refusal(response: refusal(400, "the content is not JSON"))
    }
    return value
  }

  /// Throws the error response for an element that violates the schema.
  ///
  /// The element is validated before the server assigns its members, so the schema should not require them.
  private func check(_ element: EditableJSON, _ name: String? = nil) throws(Refusal) {
    let problems = definition.schema?.problems(of: element) ?? []
    guard !problems.isEmpty else { return }
    // Some APIs respond with status 400 to invalid elements. Their definition has an error body for 400 and none for
    // 422.
    let status: HTTPStatus = definition.errors[422] == nil && definition.errors[400] != nil ? 400 : 422
    throw Refusal(response: refusal(status, "the element was not accepted", id: name, problems))
  }

  /// Returns true if `If-Match` is absent or matches (RFC 9110 §13.1.1); only methods that change the element are
  /// checked.
  private func meetsCondition(_ element: EditableJSON) -> Bool {
    guard request.method != .get, request.method != .head else { return true }
    let wanted = request.headers.values(of: "If-Match")
    guard !wanted.isEmpty else { return true }
    let tag = Self.tag(of: element.bytes)
    return wanted.contains { list in
      list.split(separator: ",").contains { $0.drop { $0 == " " } == "*" || $0.drop { $0 == " " }.hasPrefix(tag) }
    }
  }

  // MARK: Answers

  /// Returns the URL of an element.
  func address(of name: String) -> String {
    let path = definition.paths[0]
    return base + (path == "/" ? "" : path) + "/" + PercentEncoding.encode(name) + definition.addressEnd
  }

  func response(_ operation: ResourceDefinition.Operation, _ content: EditableJSON) -> HTTPResponse {
    let status = definition.operations[operation] ?? 200
    guard status.allowsContent, status != 205 else { return HTTPResponse(status: status) }
    let bytes = content.bytes
    var headers = self.headers("application/json")
    headers.append("ETag", Self.tag(of: bytes))
    return HTTPResponse(status: status, headers: headers, body: bytes)
  }

  private func headers(_ type: String) -> HTTPHeaders {
    var headers: HTTPHeaders = [("Content-Type", type)]
    for field in definition.headers { headers.append(field.name, field.value) }
    return headers
  }

  func refusal(
    _ status: HTTPStatus, _ detail: String, id: String? = nil, _ problems: [ElementProblem] = []
  ) -> HTTPResponse {
    if let own = definition.errors[status.code] {
      let values: [String: EditableJSON] = [
        "id": id.map { Int($0).map { .number($0) } ?? .string($0) } ?? .null, "detail": .string(detail),
        "fields": Self.fields(problems),
      ]
      return HTTPResponse(
        status: status, headers: headers("application/json"),
        body: ResourceTemplate.filled(own, values).bytes)
    }
    var problem = EditableJSON.object([])
    problem["title"] = .string(status.standardPhrase ?? "")
    problem["status"] = .number(status.code)
    problem["detail"] = .string(detail)
    if !problems.isEmpty { problem["fields"] = Self.fields(problems) }
    return HTTPResponse(status: status, headers: headers("application/problem+json"), body: problem.bytes)
  }

  /// Returns the problems as an object of messages by member, with the steps of a member's path separated by points.
  private static func fields(_ problems: [ElementProblem]) -> EditableJSON {
    var fields = EditableJSON.object([])
    for problem in problems.prefix(100) {
      let name = problem.path.joined(separator: ".")
      var messages: [EditableJSON] = []
      if case .array(let known)? = fields[name] { messages = known }
      fields[name] = .array(messages + [.string(problem.message)])
    }
    return fields
  }

  /// Returns a strong entity tag for some bytes.
  static func tag(of bytes: [UInt8]) -> String {
    let digits = String(bytes.stableHash, radix: 16)
    return "\"\(String(repeating: "0", count: 16 - digits.count))\(digits)\""
  }
}
