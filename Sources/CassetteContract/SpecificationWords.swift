package import CassetteJSON

/// The members of an OpenAPI document whose own members are names or data, and no words of OpenAPI.
package enum SpecificationWords {
  private static let named: Set = [
    "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies", "schemas",
    "parameters", "responses",
    "headers", "requestBodies", "examples", "paths", "pathItems", "webhooks", "content", "callbacks", "links",
    "securitySchemes", "variables", "mapping", "encoding", SpecificationBundle.member,
  ]
  private static let data: Set = ["example", "default", "enum", "const", "value"]

  /// The kind of a value: part of an example, a list of names, or words of OpenAPI.
  package struct Context: Sendable {
    package var isExample = false
    package var hasNames = false
    /// True if the names are names of properties.
    package private(set) var isProperties = false

    package init(isExample: Bool = false, hasNames: Bool = false) {
      (self.isExample, self.hasNames) = (isExample, hasNames)
    }

    /// True if no member is a word of OpenAPI.
    package var isPlain: Bool { isExample || hasNames }

    /// The context of an element of a list.
    package var element: Context { Context(isExample: isExample) }

    /// The context of a member's value.
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
