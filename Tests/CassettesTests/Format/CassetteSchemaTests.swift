import CassetteEngines
import CassetteJSON
import CassetteMaintenance
import CassettePatterns
import Foundation
import TestSupport
import Testing

@testable import Cassettes

@Suite struct CassetteSchemaTests {
  private let schema: [String: Any]

  init() throws {
    schema = try #require(
      JSONSerialization.jsonObject(with: Data(CassetteSchema.text.utf8)) as? [String: Any],
      "the schema is not a JSON object")
  }

  /// A change of the file shows a reviewer how the schema changes.
  @Test func `the schema in the repository is up to date`() throws {
    let file = URL(filePath: #filePath).appending(path: "../../../Schemas/cassette.schema.json").standardized
    #expect(try String(contentsOf: file, encoding: .utf8) == CassetteSchema.text, "mockserver schema > \(file.path)")
  }

  @Test(arguments: 0..<20)
  func `random match rules are valid by the schema`(_ seed: Int) throws {
    let schema = try JSONSchema(Array(CassetteSchema.text.utf8))
    var random = Seeded(UInt64(seed))
    for _ in 0..<10 {
      let rules = String(decoding: RuleNotation.text(of: RandomRules.match(&random)), as: UTF8.self)
      let text = cassette(more: "\"match\": \(rules)")
      var budget = MatchingBudget()
      let tree = try #require(JSONTree(Array(text.utf8)))
      #expect(schema.violations(of: tree, &budget) == [], "\(rules)")
    }
  }

  @Test func `every reference in the schema has a definition, and every definition a reference`() throws {
    let definitions = try #require(schema["definitions"] as? [String: Any])
    let parts = CassetteSchema.text.components(separatedBy: "\"$ref\": \"#/definitions/").dropFirst()
    let names = Set(parts.map { String($0.prefix { $0 != "\"" }) })
    #expect(names.subtracting(definitions.keys).isEmpty)
    #expect(Set(definitions.keys).subtracting(names).isEmpty)
  }
}
