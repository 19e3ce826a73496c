package import CassetteJSON
package import CassettePatterns

/// A JSON Schema of draft 2020-12 or draft-07, compiled once, which says in what a value is not as it should be.
///
/// It knows only what its document has: a reference to another document is refused when it is compiled, never fetched.
package struct JSONSchema: Hashable, Sendable {
  /// The rules that a schema without `$schema` follows.
  package enum Draft: String, Sendable, CaseIterable {
    case draft2020 = "https://json-schema.org/draft/2020-12/schema"
    case draft7 = "http://json-schema.org/draft-07/schema"
  }

  /// An error in a schema, with its place.
  package struct Problem: Error, Hashable, Sendable {
    /// A description of the error, in words.
    package let message: String
    /// The place in the schema, as a pointer: `#/properties/id/type`.
    package let pointer: String
    /// The byte of the text at which it begins.
    package let offset: Int
  }

  /// The document, as it was given.
  package let text: [UInt8]
  private let draft: Draft
  private let pointer: String
  let nodes: [SchemaNode]
  /// The anchors of each resource that references find at run time.
  let dynamicAnchors: [[String: Int]]
  let root: Int
  /// True if a keyword depends on the parts that other keywords have evaluated.
  let tracksEvaluated: Bool

  /// Compiles the schema at a pointer (RFC 6901); references lead anywhere in the document, and its `$schema` beats
  /// `draft`.
  package init(_ text: [UInt8], draft: Draft = .draft2020, at pointer: String = "") throws(Problem) {
    guard let tree = JSONTree(text) else { throw Problem(message: "this is no JSON", pointer: "#", offset: 0) }
    try self.init(tree, draft: draft, at: pointer)
  }

  /// Compiles a schema of a document that was read before, for documents with many schemas.
  package init(_ tree: JSONTree, draft: Draft = .draft2020, at pointer: String) throws(Problem) {
    var compiler = SchemaCompiler(tree, draft)
    root = try compiler.compile(at: pointer)
    nodes = compiler.nodes
    dynamicAnchors = compiler.resources.map(\.dynamicAnchors)
    tracksEvaluated = nodes.contains { $0.assertions.contains { $0.rule.asksEvaluated } }
    (self.text, self.draft, self.pointer) = (tree.bytes, draft, pointer)
  }

  /// Returns all errors of the schemas at the given pointers, and of the schemas they refer to, each once.
  package static func problems(of tree: JSONTree, at pointers: [String]) -> [Problem] {
    var compiler = SchemaCompiler(tree, .draft2020, isAudit: true)
    compiler.audit(at: pointers)
    var seen: Set<Problem> = []
    return compiler.problems.filter { seen.insert($0).inserted }
  }

  /// Finds places in which a value is not as it should be; nil when the budget was spent, or all lay too deep, before
  /// that.
  package func violations(of tree: JSONTree, limit: Int = 8, _ budget: inout MatchingBudget) -> [JSONSchemaViolation]? {
    var evaluation = SchemaEvaluation(self, tree, budget, limit: limit)
    let isValid = evaluation.run()
    budget = evaluation.budget
    guard !evaluation.isUndecided else {
      budget.leaveUndecided()
      return nil
    }
    return isValid ? [] : evaluation.violations
  }

  package static func == (one: JSONSchema, other: JSONSchema) -> Bool {
    one.text == other.text && one.draft == other.draft && one.pointer == other.pointer
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// A place in which a value is not as its schema says.
package struct JSONSchemaViolation: Hashable, Sendable, CustomStringConvertible {
  /// The place in the value.
  package let instance: JSONPath
  /// The keyword that is not met, as a pointer into the schema: `#/properties/id/type`.
  package let schema: String
  /// The keyword: `type`.
  package let keyword: String
  /// A description of the violation, without the value itself, which may be a secret: `must be integer, is string`.
  package let words: String

  package var description: String { "\(instance): \(words)" }
}
