package import CassetteJSON
package import CassettePatterns
package import Cassettes

/// A compiled JSON Schema of draft 2020-12 or draft-07, which finds violations in values.
///
/// References must lead to schemas in the same document. A reference to another document is an error at compile time;
/// documents are never fetched.
package struct JSONSchema: Hashable, Sendable {
  /// The dialects of JSON Schema, identified by `$schema`.
  package enum Draft: String, Sendable, CaseIterable {
    case draft2020 = "https://json-schema.org/draft/2020-12/schema"
    case draft7 = "http://json-schema.org/draft-07/schema"
  }

  /// An error in a schema, with its location.
  package struct Problem: Error, Hashable, Sendable {
    /// A description of the error.
    package let message: String
    /// The location in the schema, as a JSON Pointer: `#/properties/id/type`.
    package let pointer: String
    /// The offset of the erroneous value in the document, in bytes.
    let offset: Int
  }

  /// The source of the document that contains the schema.
  package let text: [UInt8]
  private let draft: Draft
  private let pointer: String
  let nodes: [SchemaNode]
  /// The dynamic anchors of each schema resource, which `$dynamicRef` resolves during evaluation.
  let dynamicAnchors: [[String: Int]]
  let root: Int
  /// True if the schema contains `unevaluatedItems` or `unevaluatedProperties`.
  let tracksEvaluated: Bool

  /// Compiles a schema of a JSON document.
  ///
  /// - `text`: The document. References may lead to any schema in it.
  /// - `draft`: The dialect, unless the document has a `$schema`. Default: draft 2020-12.
  /// - `pointer`: The location of the schema in the document, as a JSON Pointer (RFC 6901). Default: the whole
  ///   document.
  package init(_ text: [UInt8], draft: Draft = .draft2020, at pointer: String = "") throws(Problem) {
    guard let tree = JSONTree(text) else { throw Problem(message: "this is not JSON", pointer: "#", offset: 0) }
    try self.init(tree, draft: draft, at: pointer)
  }

  /// Compiles a schema of a parsed document, which saves time for documents with many schemas.
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

  /// Returns the violations in a value.
  ///
  /// - `limit`: The maximum number of violations to return. Default: 8.
  ///
  /// Returns the violations, or nil if the budget or the nesting limit was exceeded before the result was known.
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

/// A value that violates a schema.
package struct JSONSchemaViolation: Hashable, Sendable, CustomStringConvertible {
  /// The location of the value in the document.
  package let instance: JSONPath
  /// The location of the violated keyword in the schema, as a JSON Pointer: `#/properties/id/type`.
  package let schema: String
  /// The name of the violated keyword: `type`.
  package let keyword: String
  /// A description of the violation: `must be integer, is string`.
  ///
  /// It does not contain the value, which may be a secret.
  package let words: String

  package var description: String { "\(instance): \(words)" }
}

extension JSONSchema: CompiledSchema {
  package func violations(by value: JSONTree, limit: Int, _ budget: inout MatchingBudget) -> [SchemaViolation]? {
    let found: [JSONSchemaViolation]? = violations(of: value, limit: limit, &budget)
    return found?.map { SchemaViolation(place: "\($0.instance)", keyword: $0.schema, words: $0.words) }
  }
}
