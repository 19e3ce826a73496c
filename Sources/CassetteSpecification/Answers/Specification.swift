package import CassetteContract
package import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem
internal import CassetteTemplates
internal import Cassettes

/// Answers requests from an OpenAPI document: examples where it has them, values made from its schemas where it has none.
///
/// An answer that does not meet the document is never given: a problem document says so instead.
package final class Specification: Sendable {
  /// The way requests are answered.
  package struct Settings: Sendable {
    /// True to refuse a request that breaks the contract.
    package var refuses: Bool
    /// The seed of content at random.
    package var seed: UInt64

    package init(refuses: Bool = true, seed: UInt64 = 0) { (self.refuses, self.seed) = (refuses, seed) }
  }

  package let check: ContractCheck
  private let maker: ResponseMaker
  /// True if an answer may take long to generate, because its schemas refer to many others.
  package let isHeavy: Bool
  /// The operations without the paths of their servers; nil where those have none.
  private let baseless: OperationRoutes?

  /// Prepares a document.
  package init(_ document: OpenAPIDocument) {
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

  /// Answers a request whose body is decoded; nil when the document has no such path.
  package func answer(_ request: HTTPRequest, _ settings: Settings) -> SpecificationAnswer? {
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

  /// In what a request breaks the contract of its operation, or is not in it.
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

  /// The operation of a request; a `HEAD` is asked of what a `GET` would be (RFC 9110 §9.3.2).
  package func operation(_ method: String, _ path: String) -> OperationRoutes.Found? {
    let methods = method == "HEAD" ? ["HEAD", "GET"] : [method]
    for routes in [check.routes, baseless].compactMap(\.self) {
      for method in methods { if let found = routes.operation(method, path) { return found } }
    }
    return nil
  }

  // MARK: Answers

  private static let undocumented = ContractFinding(.warning, "response", "the specification documents no answer")

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
        // Nothing is known of an answer but that there is one.
        return SpecificationAnswer(HTTPResponse(status: 200), operation.name, findings + [Self.undocumented])
      }
      return problem(404, "\(operation.name) documents no answer of status \(code)")
    }
    do throws(ResponseMaker.Failure) {
      var made = try maker.response(response, status: status, accepted, example: preference.example, random: random)
      if let applied = preference.applied { made.headers.append("Preference-Applied", applied) }
      return SpecificationAnswer(made, operation.name, findings)
    } catch {
      switch error {
      case .noExample(let name):
        return problem(404, "the answer \(status.code) of \(operation.name) has no example \"\(name)\"")
      case .notAcceptable(let types):
        let detail = "the answer \(status.code) of \(operation.name) is \(types.joined(separator: " or "))"
        return refused(406, detail, [], operation, AcceptedTypes([]), ResponsePreference([]), random)
      case .impossible(let words):
        return problem(500, "the answer \(status.code) of \(operation.name) cannot be made: \(words)")
      }
    }
  }

  /// The response to give, and its status: the one that is asked for, or the one of success.
  private static func choice(_ operation: OpenAPIOperation, _ code: Int?) -> (OpenAPIOperation.Response, HTTPStatus)? {
    if let code {
      guard (200..<600).contains(code) else { return nil }
      return operation.response(for: code).map { ($0, HTTPStatus(code)) }
    }
    // An interim response is none that a request ends with.
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
    // Who asks comes first, then whether the content can be read at all (as servers look at them).
    let statuses = errors.map { $0.status ?? 422 }
    let code = [401, 415, 400].first(where: statuses.contains) ?? 422
    let detail = "the request breaks the contract of \(operation.name): \(SpecificationProblem.detail(errors))"
    return refused(code, detail, errors, operation, accepted, preference, random)
  }

  /// A refusal in the shape that the document has for it, or as a problem document.
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
    // Where the document does not name the status, the nearest that it names is what its clients know.
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
          let words = "the answer \(status.code) of \(operation.name) has no example \"\(name)\""
          let problem = SpecificationProblem.response(404, words, operation: operation.name, errors)
          return SpecificationAnswer(problem, operation.name, errors, isRefusal: true)
        } catch {
          // A problem document says the same.
        }
      }
    }
    let problem = SpecificationProblem.response(status, detail, operation: operation.name, errors, headers: headers)
    return SpecificationAnswer(problem, operation.name, errors, isRefusal: true)
  }

  /// The answer to a method that a path does not have; nil for an unknown path.
  private func refusal(ofMethod method: String, _ path: String) -> SpecificationAnswer? {
    var methods = check.routes.methods(of: path)
    if methods.isEmpty, let baseless { methods = baseless.methods(of: path) }
    guard !methods.isEmpty else { return nil }
    if methods.contains("GET"), !methods.contains("HEAD") { methods.append("HEAD") }
    if !methods.contains("OPTIONS") { methods.append("OPTIONS") }
    let allow: HTTPHeaders = [("Allow", methods.sorted().joined(separator: ", "))]
    let name = "\(method) \(path)"
    if method == "OPTIONS" { return SpecificationAnswer(HTTPResponse(status: 204, headers: allow), name) }
    let detail = "the path has \(methods.sorted().joined(separator: ", ")), and not \(method)"
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
      ContractFinding(.error, "security", "the request has to have \(wanted.joined(separator: ", or "))", status: 401)
    ]
  }
}

extension ResponseMaker {
  /// The content of a refusal with the reason in it, where the document has a text for one and no example.
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
