internal import CassetteJSON
internal import CassetteSystem

/// A JSON body in the form used for comparison: GraphQL in normal form, JSON-RPC without the value of its `id`.
enum JSONBody {
  private static let begins = ByteSet(0x30...0x39, adding: "{[\"tfn-")

  /// Returns the values of a body; nil if it is not JSON.
  static func tree(_ bytes: [UInt8]) -> JSONTree? {
    guard let first = bytes.first(where: { $0 != 0x20 && !(0x09...0x0d).contains($0) }), begins.contains(first),
      let tree = JSONTree(bytes)
    else { return nil }
    var edits = Edits(tree: tree)
    switch tree.root.kind {
    case .scalar: return tree
    case .object(let members):
      guard let root = edits.normal(members, tree.root) else { return tree }
      return JSONTree(edits.builder.bytes, root: root)
    case .array(let elements):
      // An array may be a batch of calls.
      var hasChanged = false
      let normal = elements.map { element in
        guard case .object(let members) = element.kind, let node = edits.normal(members, element) else {
          return element
        }
        hasChanged = true
        return node
      }
      guard hasChanged else { return tree }
      return JSONTree(edits.builder.bytes, root: JSONTree.Node(range: tree.root.range, kind: .array(normal)))
    }
  }

  /// Returns a GraphQL document that is a whole body (`application/graphql`), as an object with a `query`.
  static func tree(ofDocument bytes: [UInt8]) -> JSONTree? {
    guard let document = GraphQLDocument(bytes, operation: nil) else { return nil }
    var builder = JSONTreeBuilder()
    let query = builder.string(document.normal)
    let root = builder.object([JSONTree.Member(name: Array("query".utf8), value: query)])
    return JSONTree(builder.bytes, root: root)
  }

  private struct Edits {
    let tree: JSONTree
    /// The builder of new values, which are appended to the body's text.
    var builder: JSONTreeBuilder

    init(tree: JSONTree) {
      self.tree = tree
      builder = JSONTreeBuilder(after: tree.bytes)
    }

    private static let parts = ["query", "operationName", "variables", "extensions"].map { Array($0.utf8) }

    /// Returns the object in normal form; nil if it needs no changes.
    mutating func normal(_ members: [JSONTree.Member], _ node: JSONTree.Node) -> JSONTree.Node? {
      if let version = node["jsonrpc"], tree.bytes[version.range].elementsEqual("\"2.0\"".utf8) {
        return JSONTree.Node(range: node.range, kind: .object(members.map { withoutValueOfID($0) }))
      }
      guard let text = tree.string(node["query"]), !text.isEmpty else { return nil }
      // If a name occurs twice, it is unknown which member the server uses.
      for name in Self.parts where members.count(where: { $0.name == name }) > 1 { return nil }
      let operation = node["operationName"]
      // Only a string, null or a missing member is a valid operation name.
      let isNull = operation.map { tree.bytes[$0.range].elementsEqual("null".utf8) } ?? true
      let name = tree.string(operation).flatMap { $0.isEmpty ? nil : $0 }
      guard isNull || tree.string(operation) != nil,
        let document = GraphQLDocument(text, operation: name)
      else { return nil }
      let normal = members.compactMap { member -> JSONTree.Member? in
        switch member.text {
        case "query": JSONTree.Member(name: member.name, value: builder.string(document.normal))
        case "operationName": nil
        case "variables" where isNothing(member.value): nil
        default: member
        }
      }
      return JSONTree.Node(range: node.range, kind: .object(normal))
    }

    /// Returns the member without its value, unless it is null: a call without `id` gets no answer (JSON-RPC 2.0 §4.1).
    private mutating func withoutValueOfID(_ member: JSONTree.Member) -> JSONTree.Member {
      guard member.name.elementsEqual("id".utf8), !isNothing(member.value) else { return member }
      return JSONTree.Member(name: member.name, value: builder.string([]))
    }

    private func isNothing(_ node: JSONTree.Node) -> Bool {
      switch node.kind {
      case .object(let members): members.isEmpty
      case .array: false
      case .scalar: tree.bytes[node.range].elementsEqual("null".utf8)
      }
    }
  }
}

extension JSONTree {
  /// True if the value is an object or an array.
  var isContainer: Bool {
    if case .scalar = root.kind { false } else { true }
  }
}
