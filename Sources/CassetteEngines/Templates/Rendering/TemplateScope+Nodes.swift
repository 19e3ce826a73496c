/// Renders the nodes of a template.
extension TemplateScope {
  mutating func render(_ nodes: [TemplateNode], into writer: inout TemplateWriter) throws(TemplateError) {
    for node in nodes {
      switch node {
      case .literal(let bytes): writer.append(literal: bytes)
      case .value(let expression, let isRaw):
        let value = try value(of: expression)
        writer.append(value, isRaw: isRaw, isAddress: Self.isAddress(expression))
      case .block(let block):
        try eachTurn(of: block.head) { (scope, isMet) throws(TemplateError) in
          try scope.render(isMet ? block.body : block.otherwise, into: &writer)
        }
      }
      guard writer.bytes.count <= TemplateBudget.longest else { throw .tooLong }
    }
    try budget.spend(writer.bytes.count >> 4)
  }

  private static func isAddress(_ expression: TemplateExpression) -> Bool {
    switch expression {
    case .path(let path): path.root == .base || path.root == .url
    case .defaulted(let first, _): isAddress(first)
    case .literal, .range, .call: false
    }
  }

  /// Calls `use` for each time that the body of a block is rendered, or once with `isMet` false to render the `else`
  /// part.
  mutating func eachTurn(
    of head: TemplateBlockHead, _ use: (inout TemplateScope, _ isMet: Bool) throws(TemplateError) -> Void
  ) throws(TemplateError) {
    let subject = try value(of: head.subject)
    switch head.kind {
    case .if: try use(&self, subject.isTrue)
    case .unless: try use(&self, !subject.isTrue)
    case .with:
      guard !subject.isAbsent else { return try use(&self, false) }
      items.append(Item(value: subject, index: 0, count: 1, key: nil, name: head.name, indexName: head.indexName))
      defer { items.removeLast() }
      try use(&self, true)
    case .each:
      let values = subject.items
      guard !values.isEmpty else { return try use(&self, false) }
      for (index, item) in values.enumerated() {
        try budget.spend(item.value.size)
        items.append(
          Item(
            value: item.value, index: index, count: values.count, key: item.key, name: head.name,
            indexName: head.indexName))
        defer { items.removeLast() }
        try use(&self, true)
      }
    }
  }
}
