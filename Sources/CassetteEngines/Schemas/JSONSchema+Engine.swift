package import CassetteJSON
package import CassettePatterns
package import Cassettes

extension JSONSchema: CompiledSchema {
  package func violations(by value: JSONTree, limit: Int, _ budget: inout MatchingBudget) -> [SchemaViolation]? {
    let found: [JSONSchemaViolation]? = violations(of: value, limit: limit, &budget)
    return found?.map { SchemaViolation(place: "\($0.instance)", keyword: $0.schema, words: $0.words) }
  }
}
