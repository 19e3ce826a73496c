import Cassettes
import Foundation
import Testing

@testable import CassetteOpenAPI

/// Specifications in files.
@Suite final class SpecificationFileTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "specification-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(at: folder) }

  private func write(_ name: String, _ text: String) throws -> String {
    let url = folder.appending(path: name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
    return url.path
  }

  private static let main = """
    openapi: 3.1.0
    paths:
      /a: {get: {responses: {"200": {content: {application/json: {schema: {$ref: "schemas/a.yaml"}}}}}}}
    """

  @Test func `files referenced by a specification are read and watched for changes`() throws {
    let path = try write("api/openapi.yaml", Self.main)
    let other = try write("api/schemas/a.yaml", "{type: integer, example: 7}")
    let file = try SpecificationFile(path)
    #expect(file.files.map(\.path) == [path, other] && file.isCurrent)
    _ = try write("api/schemas/a.yaml", "{type: integer, example: 8}")
    #expect(!file.isCurrent)
  }

  @Test func `a byte order mark is not part of a document in JSON`() throws {
    let text = #"{"openapi": "3.1.0", "paths": {"/a": {"get": {"responses": {"200": {"$ref": "b.json"}}}}}}"#
    let path = try write("openapi.json", "\u{feff}" + text)
    _ = try write("b.json", "\u{feff}{\"description\": \"ok\"}")
    let file = try SpecificationFile(path)
    #expect(file.document.operations.map(\.responses.count) == [1] && file.isCurrent)
    #expect(SpecificationAudit(path)?.problems == [])
    let error = #expect(throws: CassetteError.self) {
      try SpecificationFile(try write("bad.json", "\u{feff}{\"openapi\": }"))
    }
    #expect(error?.line == 1 && error?.column == 13)
  }

  @Test func `a set of specifications reloads changed files`() throws {
    let path = try write("openapi.yaml", Self.main)
    let other = try write("schemas/a.yaml", "{type: integer, example: 7}")
    let set = try SpecificationSet([path], mode: nil, seed: nil)
    #expect(set.files == [path, other])
    #expect(try !set.reload())
    _ = try write("schemas/a.yaml", "{type: integer, example: 8}")
    #expect(try set.reload())
    #expect(try !set.reload())
  }

  @Test func `a symbolic link out of the specification's folder is not followed`() throws {
    let path = try write("api/openapi.yaml", Self.main)
    let secret = try write("secret.yaml", "type: string\n")
    try FileManager.default.createDirectory(
      at: folder.appending(path: "api/schemas"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: folder.appending(path: "api/schemas/a.yaml"), withDestinationURL: URL(filePath: secret))
    let error = #expect(throws: CassetteError.self) { try SpecificationFile(path) }
    #expect(error?.message.contains("a symbolic link to a place outside of") == true, "\(error as Any)")
    #expect(error?.file == path && error?.line == 3 && error?.column == 78, "\(error as Any)")
  }

  @Test func `an error in a referenced file has this file and line`() throws {
    let path = try write("openapi.yaml", Self.main)
    let other = try write("schemas/a.yaml", "type: integer\nexample: [\n")
    let error = #expect(throws: CassetteError.self) { try SpecificationFile(path) }
    #expect(error?.file == other && error?.line ?? 0 > 1, "\(error as Any)")
  }

  // MARK: Audit

  @Test func `an audit lists invalid examples, schemas and responses with their places`() throws {
    let path = try write(
      "openapi.yaml",
      """
      openapi: 3.0.3
      paths:
        /a:
          get:
            operationId: getA
            parameters: [{name: q, in: query, schema: {type: integer}, example: x}]
            responses:
              "200":
                content:
                  application/json:
                    schema: {$ref: "schemas/a.yaml"}
                    examples:
                      good: {value: {id: 1}}
                      bad: {value: {id: "no"}}
              "404":
                content: {application/json: {schema: {type: string, pattern: "["}}}
              "409":
                content: {application/json: {schema: {type: integer, minimum: 3, maximum: 2}}}
          put: {operationId: putA}
      """)
    let other = try write(
      "schemas/a.yaml",
      "type: object\nproperties:\n  id: {type: integer, nullable: true, default: five}\n  key: {type: string, writeOnly: true}\n"
        + "example: {id: null, key: x}\n")
    let audit = try #require(SpecificationAudit(path))
    #expect(audit.operations == 2)
    let found = audit.problems.map {
      "\($0.file == other ? "a" : "main"):\($0.line):\($0.column): \($0.message.prefix(60))"
    }
    #expect(
      found == [
        "main:6:75: the example violates its schema and is not served: must be i",
        "main:14:35: the example \"bad\" violates its schema and is not served: $.i",
        "main:16:72: the schema cannot be used: error in the pattern at character",
        "main:18:48: the response 409 of getA cannot be made: no value matches th",
        "main:19:10: putA does not document a response: it is answered with 200 a",
        "a:3:48: the default violates its schema and is not served: must be n",
      ])
    #expect(audit.problems.map(\.severity) == [.warning, .warning, .error, .warning, .warning, .warning])
  }

  @Test func `a file that is not a specification has no audit`() throws {
    #expect(SpecificationAudit(try write("a.json", #"{"interactions":[]}"#)) == nil)
    #expect(SpecificationAudit(try write("b.yaml", "http_interactions: []\n")) == nil)
    #expect(SpecificationAudit("\(folder.path)/none") == nil)
    #expect(
      SpecificationAudit(try write("c.json", ##"{"openapi":"3.1.0","paths":{"/a":{"$ref":"#/no"}}}"##))?.problems.count
        == 1)
  }
}
