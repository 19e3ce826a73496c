internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem

/// An error in an OpenAPI document, with its location.
struct OpenAPIError: Error, Hashable, Sendable {
  /// The description of the error.
  var message: String
  /// The path of the file, relative to the folder of the document; empty for the document itself.
  private(set) var file = ""
  /// The line, counted from 1.
  private(set) var line = 0
  /// The column in characters, counted from 1.
  private(set) var column = 0
  /// The offset in the combined text in bytes, until the line is known.
  var offset: Int

  init(message: String, offset: Int) { (self.message, self.offset) = (message, offset) }

  /// Creates an error with a line and column from an error with an offset; an existing line is kept.
  init(_ error: OpenAPIError, at place: (line: Int, column: Int), file: String) {
    self = error
    if line == 0 { (self.file, line, column) = (file, place.line, place.column) }
  }
}

/// An OpenAPI document of version 3.0 or 3.1, with its operations and all references resolved.
package struct OpenAPIDocument: Sendable {
  /// The reason why a referenced file cannot be read.
  package struct FileProblem: Error, Hashable, Sendable {
    var message: String

    init(_ message: String) { self.message = message }
  }

  /// A closure that reads files, by their paths relative to the folder of the document.
  package typealias Files = (String) -> Result<[UInt8], FileProblem>

  /// The member of a combined document that contains the referenced files.
  static let filesMember = SpecificationBundle.member

  /// The operations, in the order of the document.
  let operations: [OpenAPIOperation]
  /// The schemas of the document, compiled on first use.
  let schemas: ContractSchemas
  /// The keywords of other OpenAPI and JSON Schema versions that were converted, in the order of the document.
  private(set) var outdated: [OpenAPIError]

  /// Parses a document that consists of a single file.
  init(_ bytes: [UInt8]) throws(OpenAPIError) {
    let source = try SpecificationText.Source("", bytes)
    try self.init(
      SpecificationText(
        sources: [source], parts: [SpecificationText.Part(start: 0, source: 0, offset: 0)], bytes: source.json))
  }

  /// Parses a document that may refer to other files.
  init(_ bytes: [UInt8], name: String, files: @escaping Files) throws(OpenAPIError) {
    try self.init(SpecificationBundle.text(bytes, name: name, files: files))
  }

  /// Returns true if a file is an OpenAPI document, which has a top-level member `openapi` or `swagger`.
  static func isMeant(by bytes: [UInt8]) -> Bool {
    let bytes = bytes.withoutByteOrderMark
    guard bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else {
      return bytes.split(separator: 0x0a).contains { line in
        ["openapi:", "\"openapi\":", "'openapi':", "swagger:"].contains { line.starts(with: Array($0.utf8)) }
      }
    }
    guard ["openapi", "swagger"].contains(where: { bytes.firstIndex(of: Array("\"\($0)\"".utf8)) != nil }) else {
      return false
    }
    guard let tree = JSONTree(bytes), case .object(let members) = tree.root.kind else { return false }
    return members.contains { $0.name == Array("openapi".utf8) || $0.name == Array("swagger".utf8) }
  }

  /// Parses a document; throws the first error.
  init(_ text: SpecificationText) throws(OpenAPIError) {
    var problems: [OpenAPIError] = []
    try self.init(text, problems: &problems)
    if let first = problems.first { throw first }
  }

  /// Parses a document without its invalid parts, and adds their errors to `problems`, one for each location.
  ///
  /// Throws if the text is not an OpenAPI document.
  init(_ text: SpecificationText, problems: inout [OpenAPIError]) throws(OpenAPIError) {
    func placed(_ error: OpenAPIError) -> OpenAPIError {
      let place = text.place(of: error.offset)
      return OpenAPIError(error, at: (place.line, place.column), file: place.file)
    }
    var found: [OpenAPIError] = []
    do throws(OpenAPIError) {
      try self.init(json: text.bytes, problems: &found)
    } catch {
      throw placed(error)
    }
    outdated = outdated.map(placed)
    var places: Set<String> = []
    for problem in text.problems + found.map(placed)
    where places.insert("\(problem.line):\(problem.column):\(problem.file)").inserted {
      problems.append(problem)
    }
  }

  private init(json text: [UInt8], problems: inout [OpenAPIError]) throws(OpenAPIError) {
    guard let tree = JSONTree(text) else { throw OpenAPIError(message: "this is not JSON", offset: 0) }
    let nodes = OpenAPINodes(tree)
    guard let version = nodes["openapi", tree.root].flatMap(nodes.text) else {
      let isOld = nodes["swagger", tree.root] != nil
      throw OpenAPIError(
        message: isOld
          ? "Swagger 2.0 is not supported: convert the document to OpenAPI 3"
          : "\"openapi\" is missing: this is not an OpenAPI document",
        offset: tree.root.range.lowerBound)
    }
    guard version.hasPrefix("3.0") || version.hasPrefix("3.1") || version.hasPrefix("3.2") else {
      throw OpenAPIError(
        message: "OpenAPI \(version) is not supported; use 3.0 or 3.1",
        offset: nodes["openapi", tree.root]?.range.lowerBound ?? 0)
    }
    var reader = OpenAPIReader(nodes)
    operations = reader.operations()
    problems = reader.problems
    var upgrade = OpenAPIUpgrade(nodes, isOld: version.hasPrefix("3.0"))
    schemas = ContractSchemas(upgrade.upgraded())
    outdated = upgrade.notes
  }
}

/// The values of a document, with its references.
struct OpenAPINodes: Sendable {
  let tree: JSONTree

  init(_ tree: JSONTree) { self.tree = tree }

  /// The member of an object; nil if it is missing.
  subscript(name: String, node: JSONTree.Node) -> JSONTree.Node? {
    guard case .object(let members) = node.kind else { return nil }
    let wanted = Array(name.utf8)
    return members.last { $0.name == wanted }?.value
  }

  func members(_ node: JSONTree.Node?) -> [(name: String, value: JSONTree.Node)] {
    guard let node, case .object(let members) = node.kind else { return [] }
    return members.map { (String(decoding: $0.name, as: UTF8.self), $0.value) }
  }

  func elements(_ node: JSONTree.Node?) -> [JSONTree.Node] {
    guard let node, case .array(let elements) = node.kind else { return [] }
    return elements
  }

  /// Returns the decoded string, or nil for other values.
  func text(_ node: JSONTree.Node) -> String? {
    let token = tree.bytes[node.range]
    guard token.first == UInt8(ascii: "\"") else { return nil }
    return String(decoding: JSONTree.text(ofString: token), as: UTF8.self)
  }

  /// Returns the JSON source of a value.
  func written(_ node: JSONTree.Node) -> String { String(decoding: tree.bytes[node.range], as: UTF8.self) }

  /// Returns the decoded string, or the JSON source of another value.
  func scalar(_ node: JSONTree.Node) -> String { text(node) ?? written(node) }

  /// Returns the types in the value of `type`, which is a string or a list.
  func types(_ node: JSONTree.Node) -> Set<String> {
    Set(text(node).map { [$0] } ?? elements(node).compactMap(text))
  }

  func isTrue(_ node: JSONTree.Node?) -> Bool {
    node.map { tree.bytes[$0.range].first == UInt8(ascii: "t") } ?? false
  }

  /// Follows references to a value, at most 32, so that circular references end.
  func followed(_ node: JSONTree.Node, _ pointer: String) throws(OpenAPIError) -> (
    node: JSONTree.Node, pointer: String
  ) {
    var (node, pointer) = (node, pointer)
    for _ in 0..<32 {
      guard let reference = self["$ref", node].flatMap(text) else { return (node, pointer) }
      let offset = (self["$ref", node] ?? node).range.lowerBound
      guard reference.hasPrefix("#") else {
        throw OpenAPIError(message: "a reference to another document is not followed: \(reference)", offset: offset)
      }
      let place = Self.pointer(ofFragment: reference)
      guard let found = self.node(at: place) else {
        throw OpenAPIError(message: "the target of the reference does not exist: \(reference)", offset: offset)
      }
      (node, pointer) = (found, place)
    }
    throw OpenAPIError(message: "references form a cycle", offset: node.range.lowerBound)
  }

  /// Returns a schema, the schemas that its references lead to, and the subschemas of all these, each once.
  func whole(_ schema: JSONTree.Node) -> [JSONTree.Node] {
    var seen: Set<Int> = []
    var found: [JSONTree.Node] = []
    // A loop, not a recursion: chains of references in a document may be deeper than the stack allows.
    var pending = [schema]
    while let next = pending.popLast() {
      guard seen.insert(next.range.lowerBound).inserted else { continue }
      found.append(next)
      // In 3.1, the keywords next to a `$ref` apply as well.
      pending += parts(of: next).reversed()
      if self["$ref", next] != nil, let target = try? followed(next, "").node { pending.append(target) }
    }
    return found
  }

  /// Returns the subschemas in `allOf`, `oneOf` and `anyOf`.
  func parts(of schema: JSONTree.Node) -> [JSONTree.Node] {
    ["allOf", "oneOf", "anyOf"].flatMap { elements(self[$0, schema]) }
  }

  /// Returns the value at a JSON Pointer (RFC 6901), or nil if there is none.
  func node(at pointer: String) -> JSONTree.Node? {
    var node = tree.root
    for step in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      let name = Self.unescaped(String(step))
      switch node.kind {
      case .object:
        guard let next = self[name, node] else { return nil }
        node = next
      case .array(let elements):
        guard let index = Int(name), elements.indices.contains(index) else { return nil }
        node = elements[index]
      case .scalar: return nil
      }
    }
    return node
  }

  private static func unescaped(_ step: String) -> String {
    step.contains("~") ? step.replacing("~1", with: "/").replacing("~0", with: "~") : step
  }

  /// Returns the JSON Pointer in a reference such as `#/components/schemas/Pet`.
  static func pointer(ofFragment reference: String) -> String {
    let pointer = reference.dropFirst()
    return pointer.contains("%") ? PercentEncoding.decodeText(pointer.utf8) : String(pointer)
  }

  /// Returns the name of the schema that a reference leads to: the last step of its pointer, or the file name without
  /// extension.
  static func schemaName(ofReference reference: String) -> String {
    let last = reference.split(separator: "/").last.map(String.init) ?? reference
    let prefix = "#/\(SpecificationBundle.member)/"
    guard reference.hasPrefix(prefix), !reference.dropFirst(prefix.count).contains("/") else { return last }
    let file = unescaped(pointer(ofFragment: "#" + last))
    return String((file.split(separator: "/").last ?? "").prefix { $0 != "." })
  }

  /// Returns a fragment for messages.
  ///
  /// For a schema in another file, it begins with the path of the file: `schemas/pet.yaml#/Pet`.
  static func shown(_ place: String) -> String {
    let prefix = "#/\(SpecificationBundle.member)/"
    guard place.hasPrefix(prefix) else { return place }
    let rest = place.dropFirst(prefix.count)
    return "\(unescaped(String(rest.prefix { $0 != "/" })))#\(rest.drop { $0 != "/" })"
  }

  /// Returns a pointer as a percent-encoded fragment (RFC 3986 §3.5).
  static func fragment(_ pointer: String) -> String {
    PercentEncoding.encode(pointer, keeping: PercentEncoding.unreserved.adding("/:"))
  }
}
