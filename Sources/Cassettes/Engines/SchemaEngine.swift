package import CassetteJSON
package import CassettePatterns

/// Compiles JSON Schemas.
package protocol SchemaEngine: Sendable {
  /// Compiles a schema from its text; throws the first error in it.
  func schema(_ text: [UInt8]) throws(EngineError) -> any CompiledSchema
}

/// A compiled JSON Schema, against which values are checked.
package protocol CompiledSchema: Sendable {
  /// The source text of the schema.
  var text: [UInt8] { get }

  /// Returns the violations of a value; nil if the matching budget is exhausted before the check ends.
  func violations(by value: JSONTree, limit: Int, _ budget: inout MatchingBudget) -> [SchemaViolation]?
}

/// A violation of a schema by one value.
package struct SchemaViolation: Hashable, Sendable {
  /// The path of the invalid value.
  package var place: String
  /// The pointer to the violated keyword in the schema: `#/properties/id/type`.
  package var keyword: String
  /// A description without the value itself, which may be secret: `must be integer, is string`.
  package var words: String

  package init(place: String, keyword: String, words: String) {
    self.place = place
    self.keyword = keyword
    self.words = words
  }
}

/// The schema of a body rule; two schemas are equal if their source texts are equal.
package struct BodySchema: Hashable, Sendable {
  /// The compiled schema.
  package let compiled: any CompiledSchema

  package init(_ compiled: any CompiledSchema) { self.compiled = compiled }

  /// The source text of the schema.
  package var text: [UInt8] { compiled.text }

  package static func == (one: BodySchema, other: BodySchema) -> Bool { one.text == other.text }
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
