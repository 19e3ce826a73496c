internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem
internal import Cassettes

/// A call of the control API, in which nothing is unknown.
struct ControlCall: Sendable {
  let request: HTTPRequest
  /// The values of the names in the path.
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
          400, "the parameter \"\(item.name)\" is unknown here\(Self.hint(item.name, fields.map(\.name)))")
      }
      guard query.updateValue(item.value ?? "", forKey: item.name) == nil else {
        throw ControlRefusal(400, "the parameter \"\(item.name)\" is there twice")
      }
    }
    self.query = query
    switch content {
    case .none:
      body = try ControlBody(Array("{}".utf8), [])
      // An empty object says as little as nothing.
      if !request.body.isEmpty { _ = try ControlBody(request.body, []) }
    case .members(let fields): body = try ControlBody(request.body.isEmpty ? Array("{}".utf8) : request.body, fields)
    case .interactions: body = ControlBody(unread: request.body)
    }
  }

  static func hint(_ name: String, _ names: [String]) -> String {
    if let meant = nearest(to: name, among: names) { return "; did you mean \"\(meant)\"?" }
    return names.isEmpty ? ": there are none" : ": there are \(names.map { "\"\($0)\"" }.joined(separator: ", "))"
  }

  /// A query parameter; nil when it is not there.
  subscript(name: String) -> String? { query[name] }

  /// A query parameter that is a whole number, zero or more.
  func number(_ name: String) throws(ControlRefusal) -> Int? {
    guard let text = query[name] else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw ControlRefusal(400, "\"\(name)\" is to be a whole number, and is \"\(text)\"")
    }
    return number
  }

  /// A query parameter that is `true`, or there without a value.
  func flag(_ name: String) throws(ControlRefusal) -> Bool {
    switch query[name] {
    case nil, "false": return false
    case "", "true": return true
    case let text?: throw ControlRefusal(400, "\"\(name)\" is to be true or false, and is \"\(text)\"")
    }
  }

  /// The session that is meant: in the body, in the query, or in the field that clients have; nil when none is named.
  var session: String? {
    get throws(ControlRefusal) { try body.string("session") ?? query["session"] ?? request.headers["X-Mock-Session"] }
  }
}

/// The members of a body.
struct ControlBody: Sendable {
  let bytes: [UInt8]
  private var members: [String: JSONTree.Node] = [:]

  /// A body that somebody else reads.
  init(unread bytes: [UInt8]) { self.bytes = bytes }

  /// Reads an object whose members are known.
  init(_ bytes: [UInt8], _ fields: [ControlField]) throws(ControlRefusal) {
    let tree = try Self.tree(bytes)
    try self.init(tree, tree.root, fields.map(\.name))
  }

  static func tree(_ bytes: [UInt8]) throws(ControlRefusal) -> JSONTree {
    guard let tree = JSONTree(bytes) else { throw ControlRefusal(400, problem(bytes)) }
    return tree
  }

  /// Reads an object in a tree.
  init(_ tree: JSONTree, _ node: JSONTree.Node, _ names: [String]) throws(ControlRefusal) {
    bytes = tree.bytes
    guard case .object(let members) = node.kind else {
      let quoted = names.map { "\"\($0)\"" }.joined(separator: ", ")
      throw ControlRefusal(400, names.isEmpty ? "send nothing, or {}" : "send an object with \(quoted)")
    }
    for member in members {
      let name = String(decoding: member.name, as: UTF8.self)
      guard names.contains(name) else {
        throw ControlRefusal(400, "\"\(name)\" is unknown here\(ControlCall.hint(name, names))")
      }
      guard self.members.updateValue(member.value, forKey: name) == nil else {
        throw ControlRefusal(400, "\"\(name)\" is there twice")
      }
    }
  }

  private static func problem(_ bytes: [UInt8]) -> String {
    do throws(JSONTextError) {
      try JSONScanner.validate(bytes.span)
      return "the body is no JSON"
    } catch {
      let place = JSONPosition.of(error.offset, in: bytes.span)
      return "the body is no JSON: \(error.message) in line \(place.line), column \(place.column)"
    }
  }

  /// Tells whether a member is there; `null` counts, too.
  func isThere(_ name: String) -> Bool { members[name] != nil }

  /// Returns a member's value; nil when it is not there, or `null`.
  func node(_ name: String) -> JSONTree.Node? {
    guard let node = members[name], text(node) != "null" else { return nil }
    return node
  }

  /// The text of a value, as it is written.
  func text(_ node: JSONTree.Node) -> String { String(decoding: bytes[node.range], as: UTF8.self) }

  /// Reads a member; nil when it is not there, a refusal where it is not what is wanted.
  func read<Value>(
    _ name: String, _ wanted: String, _ value: (JSONTree.Node) -> Value?
  ) throws(ControlRefusal) -> Value? {
    guard let node = node(name) else { return nil }
    guard let value = value(node) else { throw wrong(name, wanted, node) }
    return value
  }

  func string(_ name: String) throws(ControlRefusal) -> String? { try read(name, "a string", string) }

  /// The text of a string; nil for another value.
  func string(_ node: JSONTree.Node) -> String? {
    guard bytes[node.range.lowerBound] == UInt8(ascii: "\"") else { return nil }
    return String(decoding: JSONTree.text(ofString: bytes[node.range]), as: UTF8.self)
  }

  /// Refuses a change to a read-only member: its value must be equal to the value that `GET` shows.
  func require(_ name: String, _ shown: String) throws(ControlRefusal) {
    guard let text = try string(name), text != shown else { return }
    throw ControlRefusal(400, "\"\(name)\" is \"\(shown)\" in the path, and \"\(text.prefix(60))\" in the body")
  }

  func number(_ name: String) throws(ControlRefusal) -> Int? {
    try read(name, "a whole number, zero or more") { Int(text($0)).flatMap { $0 >= 0 ? $0 : nil } }
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

  /// The members of an object that is a member.
  func object(_ name: String, _ names: [String]) throws(ControlRefusal) -> ControlBody? {
    guard let node = node(name) else { return nil }
    guard case .object = node.kind else { throw wrong(name, "an object", node) }
    return try ControlBody(JSONTree(bytes, root: node), node, names)
  }

  func wrong(_ name: String, _ wanted: String, _ node: JSONTree.Node) -> ControlRefusal {
    let text = text(node)
    return ControlRefusal(400, "\"\(name)\" is to be \(wanted), and is \(text.prefix(60))\(text.count > 60 ? "…" : "")")
  }
}
