internal import CassetteHTTP
package import CassetteJSON
internal import CassetteYAML

/// A mistake in an OpenAPI document, and the byte of its text at which it is.
package struct OpenAPIError: Error, Hashable, Sendable {
  /// The mistake, in words.
  package var message: String
  /// The byte at which it is.
  package var offset: Int
}

/// An OpenAPI document of version 3.0 or 3.1: its operations, with every reference followed.
package struct OpenAPIDocument: Sendable {
  /// The operations, in the order of the document.
  package let operations: [OpenAPIOperation]
  /// The schemas of the document by their place in it, compiled when they are first asked for.
  package let schemas: ContractSchemas

  /// Reads a document.
  ///
  /// - Parameter bytes: JSON, or YAML 1.2.
  /// - Throws: The first mistake, with its place in `bytes` (in YAML, its line).
  package init(_ bytes: [UInt8]) throws(OpenAPIError) {
    let text = try Self.json(bytes)
    guard let tree = JSONTree(text) else { throw OpenAPIError(message: "this is no JSON", offset: 0) }
    let nodes = OpenAPINodes(tree)
    guard let version = nodes["openapi", tree.root].flatMap(nodes.text) else {
      let isOld = nodes["swagger", tree.root] != nil
      throw OpenAPIError(
        message: isOld
          ? "Swagger 2.0 is not read: convert it to OpenAPI 3" : "there is no \"openapi\": this is no OpenAPI document",
        offset: tree.root.range.lowerBound)
    }
    guard version.hasPrefix("3.0") || version.hasPrefix("3.1") || version.hasPrefix("3.2") else {
      throw OpenAPIError(
        message: "OpenAPI \(version) is not known; 3.0 and 3.1 are", offset: tree.root.range.lowerBound)
    }
    var reader = OpenAPIReader(nodes)
    operations = try reader.operations()
    // What 3.0 says in words of its own (nullable, exclusiveMinimum: true) becomes what 3.1 says.
    schemas = ContractSchemas(version.hasPrefix("3.0") ? OpenAPIUpgrade.upgraded(tree) : tree)
  }

  private static func json(_ bytes: [UInt8]) throws(OpenAPIError) -> [UInt8] {
    let first = bytes.first { $0 > 0x20 && $0 != 0xef && $0 != 0xbb && $0 != 0xbf }
    if first == UInt8(ascii: "{") {
      do {
        try JSONScanner.validate(bytes.span)
        return bytes
      } catch { throw OpenAPIError(message: error.message, offset: error.offset) }
    }
    let documents: [[UInt8]]
    do {
      documents = try YAMLReader().documents(in: bytes)
    } catch {
      throw OpenAPIError(message: "YAML: \(error.message)", offset: error.offset)
    }
    guard documents.count == 1, let document = documents.first else {
      throw OpenAPIError(message: "YAML: expected one document, not \(documents.count)", offset: 0)
    }
    return document
  }
}

/// The values of a document, and the references between them.
package struct OpenAPINodes: Sendable {
  package let tree: JSONTree

  package init(_ tree: JSONTree) { self.tree = tree }

  /// A member of an object.
  package subscript(name: String, node: JSONTree.Node) -> JSONTree.Node? {
    guard case .object(let members) = node.kind else { return nil }
    let wanted = Array(name.utf8)
    return members.last { $0.name == wanted }?.value
  }

  package func members(_ node: JSONTree.Node?) -> [(name: String, value: JSONTree.Node)] {
    guard let node, case .object(let members) = node.kind else { return [] }
    return members.map { (String(decoding: $0.name, as: UTF8.self), $0.value) }
  }

  package func elements(_ node: JSONTree.Node?) -> [JSONTree.Node] {
    guard let node, case .array(let elements) = node.kind else { return [] }
    return elements
  }

  /// A string's text.
  package func text(_ node: JSONTree.Node) -> String? {
    let token = tree.bytes[node.range]
    guard token.first == UInt8(ascii: "\"") else { return nil }
    return String(decoding: JSONTree.text(ofString: token), as: UTF8.self)
  }

  package func isTrue(_ node: JSONTree.Node?) -> Bool {
    node.map { tree.bytes[$0.range].first == UInt8(ascii: "t") } ?? false
  }

  /// A value and its place, references followed (at most 32, so that no circle holds).
  package func followed(_ node: JSONTree.Node, _ pointer: String) throws(OpenAPIError) -> (
    node: JSONTree.Node, pointer: String
  ) {
    var (node, pointer) = (node, pointer)
    for _ in 0..<32 {
      guard let reference = self["$ref", node].flatMap(text) else { return (node, pointer) }
      guard reference.hasPrefix("#") else {
        throw OpenAPIError(
          message: "a reference to another document is not followed: \(reference)", offset: node.range.lowerBound)
      }
      guard let found = self.node(at: String(reference.dropFirst())) else {
        throw OpenAPIError(message: "a reference to what is not there: \(reference)", offset: node.range.lowerBound)
      }
      (node, pointer) = (found, String(reference.dropFirst()))
    }
    throw OpenAPIError(message: "references that go in a circle", offset: node.range.lowerBound)
  }

  /// The value at a pointer (RFC 6901).
  package func node(at pointer: String) -> JSONTree.Node? {
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

  package static func escaped(_ name: String) -> String {
    name.replacing("~", with: "~0").replacing("/", with: "~1")
  }

  private static func unescaped(_ step: String) -> String {
    let name = step.contains("%") ? PercentEncoding.decodeText(step.utf8) : step
    return name.replacing("~1", with: "/").replacing("~0", with: "~")
  }
}
