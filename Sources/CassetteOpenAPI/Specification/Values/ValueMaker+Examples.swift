internal import CassetteEngines
package import CassetteJSON
internal import CassettePatterns
internal import CassetteSystem

/// Selects examples of the document that conform to their schemas.
extension ValueMaker {
  /// The maximum number of passes to remove `writeOnly` members from an example.
  private static let mostRounds = 8

  /// Returns true if a value in the document conforms to a schema.
  package func accepts(_ value: JSONTree.Node, at pointer: String) -> Bool {
    guard let schema = try? schemas.schema(at: pointer) else { return false }
    var budget = MatchingBudget()
    return schema.violations(of: JSONTree(nodes.tree.bytes, root: value), limit: 1, &budget)?.isEmpty ?? false
  }

  /// Returns an example without its `writeOnly` members, or nil if it violates its schema in another way.
  func example(_ value: JSONTree.Node, at pointer: String) -> [UInt8]? {
    var text = compact(value)
    guard let schema = try? schemas.schema(at: pointer) else { return nil }
    for _ in 0..<Self.mostRounds {
      guard let tree = JSONTree(text) else { return nil }
      var budget = MatchingBudget()
      guard let found = schema.violations(of: tree, limit: 32, &budget) else { return nil }
      if found.isEmpty { return text }
      let hidden = Set(found.filter(schemas.isWriteOnly).map(\.instance))
      guard !hidden.isEmpty else { return nil }
      text = []
      Self.write(tree.root, tree, without: hidden, [], &text)
    }
    return nil
  }

  private static func write(
    _ node: JSONTree.Node, _ tree: JSONTree, without hidden: Set<JSONPath>, _ path: [JSONPath.Step],
    _ text: inout [UInt8]
  ) {
    func list<Part>(_ parts: [Part], _ marks: String, _ write: (Part, inout [UInt8]) -> Void) {
      text += Array(marks.utf8.prefix(1))
      for (index, part) in parts.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        write(part, &text)
      }
      text += Array(marks.utf8.suffix(1))
    }
    switch node.kind {
    case .scalar: text += tree.bytes[node.range]
    case .array(let elements):
      list(Array(elements.enumerated()), "[]") { element, text in
        write(element.element, tree, without: hidden, path + [.element(element.offset)], &text)
      }
    case .object(let members):
      let named = members.map { (String(decoding: $0.name, as: UTF8.self), $0.value) }
      list(named.filter { !hidden.contains(JSONPath(path + [.member($0.0)])) }, "{}") { member, text in
        text += JSONString.encode(member.0) + [UInt8(ascii: ":")]
        write(member.1, tree, without: hidden, path + [.member(member.0)], &text)
      }
    }
  }

  /// Returns an example of the schema for the element at an index.
  func example(_ view: SchemaView, _ ordinal: Int) -> [UInt8]? {
    // Elements that must differ cannot all be the same example.
    let examples = ordinal == 0 ? view.examples[...] : view.examples.dropFirst(ordinal).prefix(1)
    return examples.lazy.compactMap { example in
      guard view.types?.contains(type(of: example.value)) ?? true else { return nil }
      return self.example(example.value, at: example.schema)
    }.first
  }

  func compact(_ node: JSONTree.Node) -> [UInt8] {
    var output: [UInt8] = []
    let bytes = Array(nodes.tree.bytes[node.range])
    JSONStyle.compact.render(bytes.span, into: &output)
    return output
  }
}
