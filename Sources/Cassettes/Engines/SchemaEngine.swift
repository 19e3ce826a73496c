package import CassetteJSON
package import CassettePatterns

/// Compiles JSON Schemas.
package protocol SchemaEngine: Sendable {
  /// Compiles a schema from its text; throws the first error in it.
  func schema(_ text: [UInt8]) throws(EngineError) -> any CompiledSchema
}

/// A JSON Schema that values are checked against.
package protocol CompiledSchema: Sendable {
  /// The schema as it was given.
  var text: [UInt8] { get }

  /// Returns the violations of a value; nil if the budget was spent before that was decided.
  func violations(by value: JSONTree, limit: Int, _ budget: inout MatchingBudget) -> [SchemaViolation]?
}

/// A place in which a value violates a schema.
package struct SchemaViolation: Hashable, Sendable {
  /// The path of the place in the value.
  package var place: String
  /// The pointer to the keyword in the schema: `#/properties/id/type`.
  package var keyword: String
  /// A description without the value, which may be a secret: `must be integer, is string`.
  package var words: String

  package init(place: String, keyword: String, words: String) {
    self.place = place
    self.keyword = keyword
    self.words = words
  }
}

/// The schema of a body rule; two are equal if their texts are.
package struct BodySchema: Hashable, Sendable {
  /// The schema, ready to be used.
  package let compiled: any CompiledSchema

  package init(_ compiled: any CompiledSchema) { self.compiled = compiled }

  /// The schema as it was given.
  package var text: [UInt8] { compiled.text }

  package static func == (one: BodySchema, other: BodySchema) -> Bool { one.text == other.text }
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
