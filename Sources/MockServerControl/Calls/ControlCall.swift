package import CassetteHTTP
package import CassetteJSON
internal import CassetteSystem
internal import Cassettes

/// A call of the control API with validated parameters and members.
struct ControlCall: Sendable {
  let request: HTTPRequest
  /// The values of the parameters in the path.
  let parameters: [String: String]
  let body: ControlBody
  private let query: [String: String]

  init(
    _ request: HTTPRequest, _ parameters: [String: String], query fields: [ControlField], _ content: ControlContent
  ) throws(ControlRefusal) {
    self.request = request
    self.parameters = parameters
    var query: [String: String] = [:]
    for item in QueryItem.parse(request.target.query ?? "") {
      guard fields.contains(where: { $0.name == item.name }) else {
        throw ControlRefusal(
          400, "unknown parameter \"\(item.name)\"\(Self.hint(item.name, fields.map(\.name)))")
      }
      guard query.updateValue(item.value ?? "", forKey: item.name) == nil else {
        throw ControlRefusal(400, "the parameter \"\(item.name)\" occurs twice")
      }
    }
    self.query = query
    switch content {
    case .none:
      body = try ControlBody(Array("{}".utf8), [])
      // An empty object is accepted like an empty body.
      if !request.body.isEmpty { _ = try ControlBody(request.body, []) }
    case .members(let fields): body = try ControlBody(request.body.isEmpty ? Array("{}".utf8) : request.body, fields)
    case .interactions: body = ControlBody(unread: request.body)
    }
  }

  static func hint(_ name: String, _ names: [String]) -> String {
    if let meant = nearest(to: name, among: names) { return "; did you mean \"\(meant)\"?" }
    return names.isEmpty ? ": none exists" : ": use one of \(names.map { "\"\($0)\"" }.joined(separator: ", "))"
  }

  /// A query parameter; nil if it is missing.
  subscript(name: String) -> String? { query[name] }

  /// Returns a query parameter that must be an integer of at least 0; nil if it is missing.
  func number(_ name: String) throws(ControlRefusal) -> Int? {
    guard let text = query[name] else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw ControlRefusal(400, "\"\(name)\" must be an integer, not \"\(text)\"")
    }
    return number
  }

  /// Returns true if a query parameter is `true`, or present without a value.
  func flag(_ name: String) throws(ControlRefusal) -> Bool {
    switch query[name] {
    case nil, "false": return false
    case "", "true": return true
    case let text?: throw ControlRefusal(400, "\"\(name)\" must be true or false, not \"\(text)\"")
    }
  }

  /// The session from the body, the query or the `X-Mock-Session` field, in this order; nil without a session.
  var session: String? {
    get throws(ControlRefusal) { try body.string("session") ?? query["session"] ?? request.headers["X-Mock-Session"] }
  }
}

/// The members of a JSON body.
struct ControlBody: Sendable {
  let bytes: [UInt8]
  private var members: [String: JSONTree.Node] = [:]

  /// Stores a body without parsing it, for calls that parse it themselves.
  init(unread bytes: [UInt8]) { self.bytes = bytes }

  /// Parses an object that may contain only the given members.
  init(_ bytes: [UInt8], _ fields: [ControlField]) throws(ControlRefusal) {
    let tree = try Self.tree(bytes)
    try self.init(tree, tree.root, fields.map(\.name))
  }

  static func tree(_ bytes: [UInt8]) throws(ControlRefusal) -> JSONTree {
    guard let tree = JSONTree(bytes) else { throw ControlRefusal(400, problem(bytes)) }
    return tree
  }

  /// Creates the members of an object in a parsed tree, which may contain only the given names.
  init(_ tree: JSONTree, _ node: JSONTree.Node, _ names: [String]) throws(ControlRefusal) {
    bytes = tree.bytes
    guard case .object(let members) = node.kind else {
      let quoted = names.map { "\"\($0)\"" }.joined(separator: ", ")
      throw ControlRefusal(
        400,
        names.isEmpty ? "this call has no parameters: send an empty body or {}" : "send a JSON object with \(quoted)")
    }
    for member in members {
      let name = String(decoding: member.name, as: UTF8.self)
      guard names.contains(name) else {
        throw ControlRefusal(400, "unknown member \"\(name)\"\(ControlCall.hint(name, names))")
      }
      guard self.members.updateValue(member.value, forKey: name) == nil else {
        throw ControlRefusal(400, "the member \"\(name)\" occurs twice")
      }
    }
  }

  private static func problem(_ bytes: [UInt8]) -> String {
    do throws(JSONTextError) {
      try JSONScanner.validate(bytes.span)
      return "the body is not JSON"
    } catch {
      let place = JSONPosition.of(error.offset, in: bytes.span)
      return "the body is not JSON: \(error.message) in line \(place.line), column \(place.column)"
    }
  }

  /// Returns true if a member is present, also if its value is `null`.
  func isThere(_ name: String) -> Bool { members[name] != nil }

  /// Returns the value of a member; nil if it is missing or `null`.
  func node(_ name: String) -> JSONTree.Node? {
    guard let node = members[name], text(node) != "null" else { return nil }
    return node
  }

  /// Returns the JSON text of a value.
  func text(_ node: JSONTree.Node) -> String { String(decoding: bytes[node.range], as: UTF8.self) }

  /// Parses a member; nil if it is missing.
  ///
  /// Throws a refusal if the value is invalid.
  ///
  /// - `value`: A function that parses the value, and returns nil if it is invalid.
  func read<Value>(
    _ name: String, _ wanted: String, _ value: (JSONTree.Node) -> Value?
  ) throws(ControlRefusal) -> Value? {
    guard let node = node(name) else { return nil }
    guard let value = value(node) else { throw wrong(name, wanted, node) }
    return value
  }

  func string(_ name: String) throws(ControlRefusal) -> String? { try read(name, "a string", string) }

  /// Returns the text of a string; nil for other values.
  func string(_ node: JSONTree.Node) -> String? {
    guard bytes[node.range.lowerBound] == UInt8(ascii: "\"") else { return nil }
    return String(decoding: JSONTree.text(ofString: bytes[node.range]), as: UTF8.self)
  }

  /// Throws a refusal if a read-only member of the body differs from the value in the path.
  func require(_ name: String, _ shown: String) throws(ControlRefusal) {
    guard let text = try string(name), text != shown else { return }
    throw ControlRefusal(400, "\"\(name)\" is \"\(shown)\" in the path, but \"\(text.prefix(60))\" in the body")
  }

  func number(_ name: String) throws(ControlRefusal) -> Int? {
    try read(name, "an integer of at least 0") { Int(text($0)).flatMap { $0 >= 0 ? $0 : nil } }
  }

  func decimal(_ name: String) throws(ControlRefusal) -> Double? {
    try read(name, "a number") { Double(text($0)).flatMap { $0.isFinite ? $0 : nil } }
  }

  func flag(_ name: String) throws(ControlRefusal) -> Bool? { try read(name, "true or false") { Bool(text($0)) } }

  func strings(_ name: String) throws(ControlRefusal) -> [String]? {
    try read(name, "an array of strings") { node in
      guard case .array(let elements) = node.kind else { return nil }
      let texts = elements.compactMap(string)
      return texts.count == elements.count ? texts : nil
    }
  }

  /// Returns the members of a nested object, which may contain only the given names.
  func object(_ name: String, _ names: [String]) throws(ControlRefusal) -> ControlBody? {
    guard let node = node(name) else { return nil }
    guard case .object = node.kind else { throw wrong(name, "an object", node) }
    return try ControlBody(JSONTree(bytes, root: node), node, names)
  }

  func wrong(_ name: String, _ wanted: String, _ node: JSONTree.Node) -> ControlRefusal {
    let text = text(node)
    return ControlRefusal(400, "\"\(name)\" must be \(wanted), not \(text.prefix(60))\(text.count > 60 ? "…" : "")")
  }
}

/// A query parameter or a member of a body.
struct ControlField: Sendable {
  enum Kind: String, Sendable {
    case string, integer, boolean, object, array
  }

  let name: String
  /// The type of the value; nil if several types are allowed.
  let kind: Kind?
  /// The type of the elements of an array.
  let element: Kind
  let summary: String

  init(_ name: String, _ kind: Kind?, of element: Kind = .string, _ summary: String) {
    (self.name, self.kind, self.element, self.summary) = (name, kind, element, summary)
  }
}

/// The body that a call accepts.
enum ControlContent: Sendable {
  case none
  /// An object with these members, all of which are optional.
  case members([ControlField])
  /// An interaction or an array of interactions, which the parser of cassettes validates.
  case interactions
}

/// An answer of the control API, which is available immediately or later.
package enum ControlAnswer {
  case response(HTTPResponse)
  case pending(ControlPending)

  /// Returns an answer with a JSON object that `body` writes.
  static func json(_ body: (inout JSONWriter) -> Void) -> ControlAnswer { .response(ControlResponse.json(body)) }
}

/// An answer that is not complete yet, or that never ends.
///
/// It may be used only on the loop of its client.
package final class ControlPending {
  /// A step of a pending answer.
  package enum Step {
    /// No data is available yet.
    case waits
    /// The next part of the content.
    case part([UInt8])
    /// The complete response.
    case response(HTTPResponse)
    /// The end of the content.
    case ends
  }

  /// The time between two calls of ``next(at:)`` in seconds.
  package let interval: Double

  /// The head of a response whose content follows in parts; nil if the response is sent as a whole.
  package let head: HTTPResponse?
  private let proceed: (_ now: UInt64) -> Step

  init(head: HTTPResponse? = nil, every interval: Double, _ proceed: @escaping (_ now: UInt64) -> Step) {
    self.head = head
    self.interval = interval
    self.proceed = proceed
  }

  /// Returns the next step.
  ///
  /// - `now`: The time of the monotonic clock in nanoseconds; `.max` when the server stops.
  package func next(at now: UInt64) -> Step { proceed(now) }
}

/// An error response of the control API.
struct ControlRefusal: Error {
  let status: HTTPStatus
  let detail: String
  var headers: [(String, String)] = []

  init(_ status: HTTPStatus, _ detail: String, _ headers: [(String, String)] = []) {
    (self.status, self.detail, self.headers) = (status, detail, headers)
  }

  var response: HTTPResponse { ControlResponse.problem(status, detail, headers) }
}

/// Functions that create JSON responses.
package enum ControlResponse {
  /// Returns a response with a JSON object that `body` writes.
  package static func json(status: HTTPStatus = 200, _ body: (inout JSONWriter) -> Void) -> HTTPResponse {
    bytes(JSONWriter.object(body) + [10], type: "application/json", status: status)
  }

  /// Returns an error response (RFC 9457) with additional members that `more` writes.
  package static func problem(
    _ status: HTTPStatus, _ detail: String, _ headers: [(String, String)] = [],
    more: (inout JSONWriter) -> Void = { _ in }
  ) -> HTTPResponse {
    var response = json(status: status) { json in
      json.member("title", status.standardPhrase ?? "")
      json.member("status", status.code)
      json.member("detail", detail)
      more(&json)
    }
    response.headers.set("Content-Type", "application/problem+json")
    for (name, value) in headers { response.headers.append(name, value) }
    return response
  }

  static func bytes(_ body: [UInt8], type: String, status: HTTPStatus = 200) -> HTTPResponse {
    let headers: HTTPHeaders = [
      ("Content-Type", type), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
    ]
    return HTTPResponse(status: status, headers: headers, body: body)
  }
}
