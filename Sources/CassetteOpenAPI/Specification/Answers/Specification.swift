internal import CassetteEngines
internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem
internal import Cassettes

/// Responds to requests with the responses of an OpenAPI document: examples, or values generated from schemas.
///
/// Every response conforms to the document. If none can be generated, the response is a problem document.
final class Specification: Sendable {
  /// The options for responses.
  struct Settings: Sendable {
    /// True to refuse requests that violate the contract.
    var refuses: Bool
    /// The seed for random content.
    var seed: UInt64

    init(refuses: Bool = true, seed: UInt64 = 0) { (self.refuses, self.seed) = (refuses, seed) }
  }

  let check: ContractCheck
  private let maker: ResponseMaker
  /// True if an answer may take long to generate, because its schemas refer to many others.
  let isHeavy: Bool
  /// Routes without the base paths of servers; nil if no server has a base path.
  private let baseless: OperationRoutes?

  /// Creates a responder for a document.
  init(_ document: OpenAPIDocument) {
    check = ContractCheck(document)
    maker = ResponseMaker(check)
    var weight = SchemaWeight(document.schemas.nodes)
    isHeavy = document.operations.contains { operation in
      operation.responses.contains { response in
        let schemas = response.content.compactMap(\.schema) + response.headers.compactMap(\.schema)
        return schemas.contains { weight.weight(at: $0) > SchemaWeight.heavy }
      }
    }
    let hasBases = document.operations.contains { $0.bases.contains { !$0.isEmpty } }
    var operations = document.operations
    for index in operations.indices { operations[index].bases = [""] }
    baseless = hasBases ? OperationRoutes(operations) : nil
  }

  /// Returns the response to a request.
  ///
  /// Returns the response, or nil if the document does not have the path.
  func answer(_ request: HTTPRequest, _ settings: Settings) -> SpecificationAnswer? {
    let target = request.pathAndQuery
    let path = String(target.prefix { $0 != "?" })
    let method = request.method.rawValue
    guard let found = operation(method, path) else { return refusal(ofMethod: method, path) }
    let findings = findings(of: exchange(request), found, request)
    let errors = findings.filter { $0.severity == .error }
    let preference = ResponsePreference(request.headers.values(of: "Prefer"))
    let accepted = AcceptedTypes(request.headers.values(of: "Accept"))
    var random: UInt64?
    if preference.isDynamic ?? false {
      var numbers = SeededRandom(seed: settings.seed, Array(method.utf8), Array(target.utf8))
      random = numbers.next()
    }
    if settings.refuses, !errors.isEmpty { return refusal(errors, found.operation, accepted, preference, random) }
    return answer(found.operation, accepted, preference, random, findings)
  }

  func exchange(_ request: HTTPRequest) -> ContractExchange {
    ContractExchange(
      method: request.method.rawValue, target: request.pathAndQuery, requestHeaders: request.headers,
      requestBody: request.body, status: nil)
  }

  /// Returns the parts of a request that violate the contract of its operation, or are not documented.
  func findings(
    of exchange: ContractExchange, _ found: OperationRoutes.Found, _ request: HTTPRequest
  ) -> [ContractFinding] {
    var findings = check.check(exchange, as: found).findings
    if found.operation.requestBody == nil, !request.body.isEmpty, request.headers.contains("Content-Type") {
      findings.removeAll { $0.place == "request body" }
      findings.append(ContractFinding(.error, "request body", "is not documented", status: 415))
    }
    return findings + security(of: found.operation, request, exchange.target)
  }

  /// Returns the operation of a request; `HEAD` is handled like `GET` (RFC 9110 §9.3.2).
  func operation(_ method: String, _ path: String) -> OperationRoutes.Found? {
    let methods = method == "HEAD" ? ["HEAD", "GET"] : [method]
    for routes in [check.routes, baseless].compactMap(\.self) {
      for method in methods { if let found = routes.operation(method, path) { return found } }
    }
    return nil
  }

  // MARK: Answers

  private static let undocumented = ContractFinding(
    .warning, "response", "the specification does not document a response")

  private func answer(
    _ operation: OpenAPIOperation, _ accepted: AcceptedTypes, _ preference: ResponsePreference, _ random: UInt64?,
    _ findings: [ContractFinding]
  ) -> SpecificationAnswer {
    func problem(_ status: HTTPStatus, _ detail: String) -> SpecificationAnswer {
      SpecificationAnswer(
        SpecificationProblem.response(status, detail, operation: operation.name), operation.name, findings)
    }
    guard let (response, status) = Self.choice(operation, preference.code) else {
      guard let code = preference.code else {
        // Without a documented response, an empty success is the best guess.
        return SpecificationAnswer(HTTPResponse(status: 200), operation.name, findings + [Self.undocumented])
      }
      return problem(404, "\(operation.name) does not document a response with status \(code)")
    }
    do throws(ResponseMaker.Failure) {
      var made = try maker.response(response, status: status, accepted, example: preference.example, random: random)
      if let applied = preference.applied { made.headers.append("Preference-Applied", applied) }
      return SpecificationAnswer(made, operation.name, findings)
    } catch {
      switch error {
      case .noExample(let name):
        return problem(404, "the response \(status.code) of \(operation.name) has no example \"\(name)\"")
      case .notAcceptable(let types):
        let detail =
          "the response \(status.code) of \(operation.name) is only available as \(types.joined(separator: " or "))"
        return refused(406, detail, [], operation, AcceptedTypes([]), ResponsePreference([]), random)
      case .impossible(let words):
        return problem(500, "the response \(status.code) of \(operation.name) cannot be made: \(words)")
      }
    }
  }

  /// Returns the response with the requested status, or the response for success, and its status.
  private static func choice(_ operation: OpenAPIOperation, _ code: Int?) -> (OpenAPIOperation.Response, HTTPStatus)? {
    if let code {
      guard (200..<600).contains(code) else { return nil }
      return operation.response(for: code).map { ($0, HTTPStatus(code)) }
    }
    // Interim responses (1xx) cannot complete a request.
    let exact = operation.responses.compactMap { response -> (OpenAPIOperation.Response, Int)? in
      Int(response.status).flatMap { (200..<600).contains($0) ? (response, $0) : nil }
    }
    let ranges = operation.responses.compactMap { response -> (OpenAPIOperation.Response, Int)? in
      let text = response.status.uppercased()
      guard text.utf8.count == 3, text.hasSuffix("XX"), let first = Int(text.prefix(1)), (2...5).contains(first) else {
        return nil
      }
      return (response, first * 100)
    }
    let success = exact.filter { $0.1 < 300 }.min { $0.1 < $1.1 } ?? ranges.first { $0.1 == 200 }
    if let success { return (success.0, HTTPStatus(success.1)) }
    if let fallback = operation.responses.first(where: { $0.status == "default" }) {
      return (fallback, HTTPStatus(200))
    }
    let written = exact + ranges
    for response in operation.responses {
      if let found = written.first(where: { $0.0.status == response.status }) { return (found.0, HTTPStatus(found.1)) }
    }
    return nil
  }

  // MARK: Refusals

  private func refusal(
    _ errors: [ContractFinding], _ operation: OpenAPIOperation, _ accepted: AcceptedTypes,
    _ preference: ResponsePreference, _ random: UInt64?
  ) -> SpecificationAnswer {
    // Authentication errors come first, then unreadable content, as in most servers.
    let statuses = errors.map { $0.status ?? 422 }
    let code = [401, 415, 400].first(where: statuses.contains) ?? 422
    let detail = "the request violates the contract of \(operation.name): \(SpecificationProblem.detail(errors))"
    return refused(code, detail, errors, operation, accepted, preference, random)
  }

  /// Returns an error response with the documented content for its status, or with a problem document.
  private func refused(
    _ code: Int, _ detail: String, _ errors: [ContractFinding], _ operation: OpenAPIOperation,
    _ accepted: AcceptedTypes, _ preference: ResponsePreference, _ random: UInt64?
  ) -> SpecificationAnswer {
    var headers = HTTPHeaders()
    if code == 401 {
      let challenges = operation.security.flatMap { $0 }.compactMap(\.challenge)
      let different = challenges.enumerated().filter { challenges.firstIndex(of: $0.element) == $0.offset }
      if !different.isEmpty { headers.append("WWW-Authenticate", different.map(\.element).joined(separator: ", ")) }
    }
    // If the status is not documented, the closest documented one is used, because clients know it.
    let codes =
      switch code {
      case 400, 422: [code, 822 - code]
      case 401: [401, 403]
      case 415: [415, 400, 422]
      default: [code]
      }
    let exact = codes.lazy.compactMap { code in
      operation.responses.first { $0.status == "\(code)" }.map { ($0, HTTPStatus(code)) }
    }.first
    let documented = exact ?? operation.response(for: code).map { ($0, HTTPStatus(code)) }
    var status = HTTPStatus(code)
    if let (response, documentedStatus) = documented {
      status = documentedStatus
      if !response.content.isEmpty {
        do throws(ResponseMaker.Failure) {
          var made = try maker.response(response, status: status, accepted, example: preference.example, random: random)
          for field in headers where !made.headers.contains(field.name) { made.headers.append(field) }
          made.body = maker.explained(made, response, detail)
          return SpecificationAnswer(made, operation.name, errors, isRefusal: true)
        } catch .noExample(let name) {
          let words = "the response \(status.code) of \(operation.name) has no example \"\(name)\""
          let problem = SpecificationProblem.response(404, words, operation: operation.name, errors)
          return SpecificationAnswer(problem, operation.name, errors, isRefusal: true)
        } catch {
          // A problem document is sent instead.
        }
      }
    }
    let problem = SpecificationProblem.response(status, detail, operation: operation.name, errors, headers: headers)
    return SpecificationAnswer(problem, operation.name, errors, isRefusal: true)
  }

  /// Returns the response to a method that a path does not have, or nil for an unknown path.
  private func refusal(ofMethod method: String, _ path: String) -> SpecificationAnswer? {
    var methods = check.routes.methods(of: path)
    if methods.isEmpty, let baseless { methods = baseless.methods(of: path) }
    guard !methods.isEmpty else { return nil }
    if methods.contains("GET"), !methods.contains("HEAD") { methods.append("HEAD") }
    if !methods.contains("OPTIONS") { methods.append("OPTIONS") }
    let allow: HTTPHeaders = [("Allow", methods.sorted().joined(separator: ", "))]
    let name = "\(method) \(path)"
    if method == "OPTIONS" { return SpecificationAnswer(HTTPResponse(status: 204, headers: allow), name) }
    let detail = "the path supports \(methods.sorted().joined(separator: ", ")), but not \(method)"
    return SpecificationAnswer(
      SpecificationProblem.response(405, detail, operation: name, headers: allow), name, isRefusal: true)
  }

  private func security(of operation: OpenAPIOperation, _ request: HTTPRequest, _ target: String) -> [ContractFinding] {
    guard !operation.security.isEmpty else { return [] }
    let query = QueryItem.all(ofTarget: target)
    let isMet = operation.security.contains { $0.allSatisfy { $0.isMet(by: request.headers, query: query) } }
    guard !isMet else { return [] }
    let ways = operation.security.map { $0.map(\.words).joined(separator: " and ") }
    let wanted = ways.enumerated().filter { ways.firstIndex(of: $0.element) == $0.offset }.map(\.element)
    return [
      ContractFinding(.error, "security", "the request must have \(wanted.joined(separator: ", or "))", status: 401)
    ]
  }
}

extension ResponseMaker {
  /// Returns the body of an error response, with the reason inserted into its message unless the body is a documented
  /// example.
  func explained(_ made: HTTPResponse, _ response: OpenAPIOperation.Response, _ detail: String) -> [UInt8] {
    guard let type = made.headers.mediaType, type.isJSON,
      let entry = response.content.first(where: { MediaType($0.range)?.subtype == type.subtype }),
      let schema = entry.schema, let tree = JSONTree(made.body), case .object(let members) = tree.root.kind,
      let node = nodes.node(at: String(schema.dropLast("/schema".count))), nodes["example", node] == nil,
      nodes["examples", node] == nil
    else { return made.body }
    for name in ["detail", "message", "error_description", "description", "reason"] {
      guard let member = members.first(where: { $0.name == Array(name.utf8) }),
        tree.bytes[member.value.range].first == UInt8(ascii: "\"")
      else { continue }
      let range = member.value.range
      let body = Array(tree.bytes[..<range.lowerBound]) + JSONString.encode(detail) + tree.bytes[range.upperBound...]
      if meets(body, schema) { return body }
    }
    return made.body
  }
}
