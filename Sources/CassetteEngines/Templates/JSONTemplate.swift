internal import CassetteJSON
internal import CassetteSystem

/// A JSON document with templates in its strings.
///
/// The rendered document is always valid JSON, for any values.
///
/// A string that consists of a single expression becomes the value of that expression. An object whose only member name
/// is a block is replaced by the rendered block: `{"{{#each body.$.items}}": {"id": "{{this.id}}"}}` renders a list.
struct JSONTemplate: Sendable {
  indirect enum Node: Sendable {
    /// JSON text that is copied unchanged.
    case literal([UInt8])
    /// A string that consists of a single expression and is replaced by its value.
    case value(TemplateExpression)
    /// The contents of a string, without the quotes.
    case text([TemplateNode])
    /// An array with blocks among its elements.
    case list([Node])
    case sequence([Node])
    case block(TemplateBlockHead, Node, otherwise: Node?)
  }

  let root: Node

  /// Compiles a JSON document.
  ///
  /// Returns nil if `bytes` are not valid JSON.
  init?(_ bytes: [UInt8]) throws(TemplateError) {
    guard let tree = JSONTree(bytes) else { return nil }
    var compiler = Compiler(tree: tree)
    let node = try compiler.node(tree.root)
    let (start, end) = (tree.root.range.lowerBound, tree.root.range.upperBound)
    root = .sequence([.literal(Array(bytes[..<start])), node, .literal(Array(bytes[end...]))])
  }

  func render(in scope: inout TemplateScope, capacity: Int) throws(TemplateError) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(capacity)
    try Self.render(root, in: &scope, &output)
    return output
  }

  private static func render(
    _ node: Node, in scope: inout TemplateScope, _ output: inout [UInt8]
  ) throws(TemplateError) {
    switch node {
    case .literal(let bytes): output += bytes
    case .value(let expression): output += try scope.value(of: expression).json
    case .text(let nodes):
      var writer = TemplateWriter(.jsonString)
      try scope.render(nodes, into: &writer)
      output += writer.bytes
    case .sequence(let nodes): for node in nodes { try render(node, in: &scope, &output) }
    case .list(let elements):
      output.append(UInt8(ascii: "["))
      var isFirst = true
      for element in elements { try append(element, in: &scope, &output, &isFirst) }
      output.append(UInt8(ascii: "]"))
    case .block(let head, let body, let otherwise):
      // A loop that is not an array element would render several values, so an array encloses them.
      if head.kind == .each { return try render(.list([node]), in: &scope, &output) }
      try scope.eachTurn(of: head) { (scope, isMet) throws(TemplateError) in
        try render(isMet ? body : otherwise ?? .literal(Array("null".utf8)), in: &scope, &output)
      }
    }
    guard output.count <= TemplateBudget.longest else { throw .tooLong }
  }

  /// Appends an array element, or all elements that a block renders.
  private static func append(
    _ node: Node, in scope: inout TemplateScope, _ output: inout [UInt8], _ isFirst: inout Bool
  ) throws(TemplateError) {
    guard case .block(let head, let body, let otherwise) = node else {
      if !isFirst { output.append(UInt8(ascii: ",")) }
      isFirst = false
      return try render(node, in: &scope, &output)
    }
    try scope.eachTurn(of: head) { (scope, isMet) throws(TemplateError) in
      if isMet {
        try append(body, in: &scope, &output, &isFirst)
      } else if let otherwise {
        try append(otherwise, in: &scope, &output, &isFirst)
      }
    }
  }
}

/// Compiles a JSON tree into nodes of a template.
private struct Compiler {
  let tree: JSONTree
  /// The heads of the enclosing blocks, whose item names are in scope.
  var names: [TemplateBlockHead] = []

  mutating func node(_ node: JSONTree.Node) throws(TemplateError) -> JSONTemplate.Node {
    let text = tree.bytes[node.range]
    guard TemplateParser.isTemplate(text) else { return .literal(Array(text)) }
    switch node.kind {
    case .scalar: return try string(node.range)
    case .array(let elements):
      var nodes: [JSONTemplate.Node] = []
      for element in elements { nodes.append(try self.node(element)) }
      let hasBlocks = nodes.contains { if case .block = $0 { true } else { false } }
      if hasBlocks { return .list(nodes) }
      return between(node.range, elements.map(\.range), nodes)
    case .object(let members): return try object(members, node.range)
    }
  }

  /// Joins the nodes of values with the unchanged bytes between them.
  private func between(_ whole: Range<Int>, _ ranges: [Range<Int>], _ nodes: [JSONTemplate.Node]) -> JSONTemplate.Node {
    var parts: [JSONTemplate.Node] = []
    var literal: [UInt8] = []
    var at = whole.lowerBound
    func flatten(_ node: JSONTemplate.Node) {
      switch node {
      case .literal(let bytes): literal += bytes
      case .sequence(let nodes): nodes.forEach(flatten)
      case .value, .text, .list, .block:
        if !literal.isEmpty { parts.append(.literal(literal)) }
        literal = []
        parts.append(node)
      }
    }
    for (range, node) in zip(ranges, nodes) {
      literal += tree.bytes[at..<range.lowerBound]
      flatten(node)
      at = range.upperBound
    }
    literal += tree.bytes[at..<whole.upperBound]
    parts.append(.literal(literal))
    return .sequence(parts)
  }

  private mutating func string(_ range: Range<Int>, isName: Bool = false) throws(TemplateError) -> JSONTemplate.Node {
    let nodes = try parse(range) { (parser) throws(TemplateError) in try parser.parts() }
    if nodes.count == 1, !isName, case .value(let expression, _) = nodes[0] { return .value(expression) }
    let quote = JSONTemplate.Node.literal([UInt8(ascii: "\"")])
    return .sequence([quote, .text(nodes.map(Self.encoded)), quote])
  }

  /// Returns a node whose literals are escaped for a JSON string.
  private static func encoded(_ node: TemplateNode) -> TemplateNode {
    switch node {
    case .literal(let text): .literal(TemplateEscaping.json(String(decoding: text, as: UTF8.self)))
    case .value: node
    case .block(let block):
      .block(TemplateBlock(head: block.head, body: block.body.map(encoded), otherwise: block.otherwise.map(encoded)))
    }
  }

  /// Parses the contents of a JSON string, and converts error offsets to offsets in the document.
  private func parse<R>(
    _ range: Range<Int>, _ use: (inout TemplateParser) throws(TemplateError) -> R
  ) throws(TemplateError) -> R {
    let token = tree.bytes[range]
    var parser = TemplateParser(JSONTree.text(ofString: token))
    for head in names { parser.enter(head) }
    do {
      return try use(&parser)
    } catch {
      var error = error
      error.offset = range.lowerBound + 1 + TemplatePlace.written(error.offset, in: token.dropFirst().dropLast())
      throw error
    }
  }

  // MARK: Objects

  private mutating func object(_ members: [JSONTree.Member], _ range: Range<Int>) throws(TemplateError)
    -> JSONTemplate.Node
  {
    // A name that also closes its block is a string that contains a block, and does not open a block of members.
    let opens = members.first.map { $0.name.starts(with: "{{#".utf8) && $0.name.firstIndex(of: Self.close) == nil }
    if opens == true { return try block(members, range) }
    // The tree has no ranges of names. A name is between the previous value and the value of its own member.
    var (ranges, nodes): ([Range<Int>], [JSONTemplate.Node]) = ([], [])
    var end = range.lowerBound + 1
    for member in members {
      if TemplateParser.isTemplate(member.name) {
        let name = nameRange(from: end, before: member.value.range.lowerBound)
        ranges.append(name)
        nodes.append(try string(name, isName: true))
      }
      ranges.append(member.value.range)
      nodes.append(try node(member.value))
      end = member.value.range.upperBound
    }
    return between(range, ranges, nodes)
  }

  private static let close = Array("{{/".utf8)

  private func nameRange(from start: Int, before end: Int) -> Range<Int> {
    let quote = UInt8(ascii: "\"")
    let first = tree.bytes[start..<end].firstIndex(of: quote) ?? start
    let last = tree.bytes[start..<end].lastIndex(of: quote) ?? first
    return first..<last + 1
  }

  /// Compiles an object that represents a block: `{"{{#if query.all}}": …, "{{else}}": …}`.
  private mutating func block(_ members: [JSONTree.Member], _ range: Range<Int>) throws(TemplateError)
    -> JSONTemplate.Node
  {
    let name = nameRange(from: range.lowerBound, before: members[0].value.range.lowerBound)
    let head = try parse(name) { (parser) throws(TemplateError) in try parser.wholeHead() }
    let isElse = members.count == 2 && members[1].name == Array("{{else}}".utf8)
    guard members.count == 1 || isElse else {
      throw TemplateError(
        "an object with a block may have no other member than \"{{else}}\"", at: name.lowerBound,
        "put the block into a separate object")
    }
    names.append(head)
    let body = try node(members[0].value)
    names.removeLast()
    return .block(head, body, otherwise: isElse ? try node(members[1].value) : nil)
  }
}

extension TemplateParser {
  /// Parses a string that consists of the opening tag of a block.
  fileprivate mutating func wholeHead() throws(TemplateError) -> TemplateBlockHead {
    at = 3
    let head = try self.head()
    try close(0)
    guard at == text.count else { throw TemplateError("unexpected text after the block in the member's name", at: at) }
    return head
  }
}

/// Converts offsets in decoded strings to offsets in JSON source.
package enum TemplatePlace {
  package static func written(_ offset: Int, in content: ArraySlice<UInt8>) -> Int {
    var at = content.startIndex
    var decoded = 0
    while at < content.endIndex, decoded < offset {
      guard content[at] == UInt8(ascii: "\\") else {
        at += 1
        decoded += 1
        continue
      }
      var end = min(content.endIndex, at + (at + 1 < content.endIndex && content[at + 1] == UInt8(ascii: "u") ? 6 : 2))
      // A surrogate pair decodes to one character.
      if end + 6 <= content.endIndex, end - at == 6, content[at + 2] | 0x20 == UInt8(ascii: "d"),
        content[end] == UInt8(ascii: "\\"), content[at + 3] | 0x20 >= UInt8(ascii: "8")
      {
        end += 6
      }
      decoded += JSONString.decodeLoosely(Array(content[at..<end]).span).count
      at = end
    }
    return at - content.startIndex
  }
}
