package import CassetteJSON

/// Distinguishes keywords of OpenAPI from members whose names are data.
package enum SpecificationWords {
  private static let named: Set = [
    "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies", "schemas",
    "parameters", "responses",
    "headers", "requestBodies", "examples", "paths", "pathItems", "webhooks", "content", "callbacks", "links",
    "securitySchemes", "variables", "mapping", "encoding", SpecificationBundle.member,
  ]
  private static let data: Set = ["example", "default", "enum", "const", "value"]

  /// The context of a value: part of an example, a list of names, or an object with keywords.
  package struct Context: Sendable {
    package var isExample = false
    package var hasNames = false
    /// True if the names are names of properties.
    package private(set) var isProperties = false

    package init(isExample: Bool = false, hasNames: Bool = false) {
      (self.isExample, self.hasNames) = (isExample, hasNames)
    }

    /// True if the member names are not keywords.
    package var isPlain: Bool { isExample || hasNames }

    /// The context of an element of an array.
    package var element: Context { Context(isExample: isExample) }

    /// Returns the context of a member's value.
    package func member(_ name: String, _ value: JSONTree.Node) -> Context {
      if isExample || hasNames { return Context(isExample: isExample) }
      if data.contains(name) { return Context(isExample: true) }
      if name == "examples", case .array = value.kind { return Context(isExample: true) }
      var context = Context(hasNames: named.contains(name))
      context.isProperties = name == "properties"
      return context
    }
  }
}
