import CassetteFileSchema
import CassetteJSON
import CassettePatterns
import CassetteSchemas
import Foundation
import TestSupport
import Testing

@testable import Cassettes

@Suite struct CassetteSchemaTests {
  private let schema: [String: Any]

  init() throws {
    schema = try #require(
      JSONSerialization.jsonObject(with: Data(CassetteSchema.text.utf8)) as? [String: Any], "it is no JSON object")
  }

  private func definition(_ name: String) throws -> [String: Any] {
    if name == "cassette" { return schema }
    let definitions = try #require(schema["definitions"] as? [String: Any])
    return try #require(definitions[name] as? [String: Any], "\(name)")
  }

  private func property(_ name: String, of definition: String) throws -> [String: Any] {
    let properties = try #require(self.definition(definition)["properties"] as? [String: Any])
    return try #require(properties[name] as? [String: Any])
  }

  @Test(
    arguments: [
      ("cassette", CassetteFileObject.cassette.names), ("interaction", CassetteFileObject.interaction.names),
      ("request", CassetteFileObject.request.names), ("response", CassetteFileObject.response.names),
      ("interim", CassetteFileObject.interim.names), ("body", CassetteFileObject.body.names),
      ("chunk", CassetteFileObject.chunk.names), ("failure", CassetteFileObject.failure.names),
      ("recorded", CassetteFileObject.recorded.names), ("match", CassetteFileObject.match.names),
      ("condition", CassetteFileObject.condition.names), ("matchBody", CassetteFileObject.matchBody.names),
      ("replay", CassetteFileObject.replay.names), ("fault", CassetteFileObject.fault.names),
      ("authorization", CassetteFileObject.authorization.names), ("basic", CassetteFileObject.basic.names),
      ("part", CassetteFileObject.part.names), ("graphql", CassetteFileObject.graphQL.names),
      ("jsonrpc", CassetteFileObject.jsonRPC.names),
    ] as [(String, [String])])
  func `every object has the keys that are read, and no other`(name: String, keys: [String]) throws {
    let object = try definition(name)
    let properties = try #require(object["properties"] as? [String: Any])
    #expect(properties.keys.sorted() == keys.sorted())
    #expect(object["additionalProperties"] as? Bool == false)
  }

  @Test func `every choice has the words that are read`() throws {
    #expect(try property("style", of: "body")["enum"] as? [String] == JSONStyle.allCases.map(\.rawValue))
    #expect(try property("end", of: "body")["enum"] as? [String] == BodyEnd.allCases.map(\.rawValue))
    #expect(try property("repeat", of: "replay")["enum"] as? [String] == RepeatPolicy.allCases.map(\.rawValue))
    #expect(try definition("faultKind")["enum"] as? [String] == ReplayRules.Fault.allCases.map(\.rawValue))
  }

  @Test(arguments: 0..<20)
  func `rules of every kind are valid by it`(_ seed: Int) throws {
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

  @Test func `every reference leads somewhere`() throws {
    let definitions = try #require(schema["definitions"] as? [String: Any])
    let parts = CassetteSchema.text.components(separatedBy: "\"$ref\": \"#/definitions/").dropFirst()
    let names = Set(parts.map { String($0.prefix { $0 != "\"" }) })
    #expect(names.subtracting(definitions.keys).isEmpty)
    #expect(Set(definitions.keys).subtracting(names).isEmpty)
  }
}
