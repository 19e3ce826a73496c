import CassetteHTTP
import Cassettes
import Foundation
import Testing

@testable import CassetteOpenAPI

/// Tests that one run of `check` finds all errors of a document.
@Suite final class SpecificationAuditTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "audit-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(at: folder) }

  private func problems(_ text: String) throws -> [CassetteError] {
    let url = folder.appending(path: "openapi.yaml")
    try Data(text.utf8).write(to: url)
    return try #require(SpecificationAudit(url.path)).problems
  }

  @Test func `every dangling reference and every error of a schema is found with its line`() throws {
    let found = try problems(
      """
      openapi: 3.1.0
      paths:
        /b: {get: {responses: {"200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/Nope"}}}}}}}
        /d: {get: {parameters: [{$ref: "#/components/parameters/Gone"}, {name: q}], responses: {"200": {description: ok}}}}
        /e: {get: {responses: {"404": {$ref: "#/components/responses/Missing"}}}}
        /f: {$ref: "paths.yaml#/f"}
      components:
        schemas:
          A: {type: foo, pattern: "(", properties: {b: 5}}
          B: {properties: {b: {$ref: "#/components/schemas/None"}}}
      """)
    #expect(found.map(\.line) == [3, 4, 4, 5, 6, 9, 9, 9, 10])
    #expect(found.allSatisfy { $0.severity == .error })
  }

  @Test func `an object that the media type of a response cannot represent is a warning`() throws {
    let found = try problems(
      """
      openapi: 3.1.0
      paths:
        /a: {get: {responses: {"200": {description: ok, content: {image/png: {schema: {type: object}}}}}}}
        /b: {get: {responses: {"200": {description: ok, content: {image/png: {schema: {type: string}}}}}}}
        /c: {get: {responses: {"200": {description: ok, content: {image/png: {schema: {type: object}, example: x}}}}}}
      """)
    #expect(found.map(\.line) == [3])
    #expect(found.first?.message.contains("cannot be written as image/png") == true)
  }

  @Test func `the audit stops checking responses after several that take too long`() throws {
    let bomb = HostileSpecificationTests.bomb(HostileSpecificationTests.members, operations: 20)
    let found = try problems(String(decoding: bomb, as: UTF8.self))
    #expect(found.count == 20)
    #expect(found.contains { $0.message.contains("takes too long to find") })
    #expect(found.count { $0.message.contains("was not checked") } >= 10, "\(found.map(\.message))")
  }

  @Test func `a document in 1,200 files has no errors`() throws {
    var text = "openapi: 3.0.3\npaths:\n"
    try FileManager.default.createDirectory(at: folder.appending(path: "p"), withIntermediateDirectories: true)
    for number in 0..<1_200 {
      text += "  /r\(number): {$ref: \"p/r\(number).yaml\"}\n"
      try Data("get: {responses: {\"200\": {description: ok}}}\n".utf8)
        .write(to: folder.appending(path: "p/r\(number).yaml"))
    }
    #expect(try problems(text).isEmpty)
  }

  @Test(arguments: [
    (#"{minimum: 1e-05, maximum: 10, exclusiveMinimum: true, type: number}"#, "0", "5"),
    (#"{type: string, nullable: true}"#, "1", "null"), (#"{type: string, nullable: true}"#, "1", #""a""#),
    (##"{$ref: "#/components/schemas/S", nullable: true}"##, #""a""#, "null"),
    (#"{oneOf: [{type: string}, {type: integer}], nullable: true}"#, "true", "null"),
    (#"{type: file}"#, "1", #""a""#), (#"{type: null}"#, "1", "null"), (#"{type: [string, null]}"#, "1", "null"),
    (#"{type: array, items: [{type: string}], additionalItems: false}"#, "[1]", #"["a"]"#),
    (#"{type: object, dependencies: {a: [b]}}"#, #"{"a": 1}"#, #"{"a": 1, "b": 2}"#),
    (#"{type: object, properties: {a: {type: integer, required: true}}}"#, "{}", #"{"a": 1}"#),
    (#"{type: integer, divisibleBy: 3}"#, "4", "6"),
    (#"{$schema: "http://json-schema.org/draft-04/schema#", type: string}"#, "1", #""a""#),
  ])
  func `keywords of older versions in a 3.1 document are warnings and keep their meaning`(
    _ schema: String, _ wrong: String, _ right: String
  ) throws {
    let text = """
      openapi: 3.1.0
      paths:
        /a:
          post:
            requestBody: {content: {application/json: {schema: \(schema)}}}
            responses: {"204": {description: ok}}
      components: {schemas: {S: {type: object}}}
      """
    let found = try problems(text)
    #expect(!found.isEmpty && found.allSatisfy { $0.severity == .warning && $0.line == 5 })
    let check = ContractCheck(try OpenAPIDocument(Array(text.utf8)))
    for (body, isMet) in [(wrong, false), (right, true)] {
      let exchange = ContractExchange(
        method: "POST", target: "/a", requestHeaders: ["Content-Type": "application/json"],
        requestBody: Array(body.utf8), status: nil)
      #expect((check.check(exchange).findings.count { $0.severity == .error } == 0) == isMet, "\(body)")
    }
  }
}
