import CassetteHTTP
import CassetteOpenAPI
import Foundation
import ServerTestSupport
import TestSupport
import Testing

@testable import MockServerKit

private let pets = """
  openapi: 3.1.0
  info: {title: Pets, version: "1"}
  paths:
    /pets/{id}:
      get:
        operationId: getPet
        parameters:
          - {name: id, in: path, required: true, schema: {type: integer}}
          - {name: X-Kind, in: header, schema: {type: string, enum: [cat, dog]}}
        responses:
          "200":
            headers: {X-Count: {schema: {type: integer, example: 7}}}
            content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}
    /pets:
      post:
        operationId: addPet
        requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}
        responses: {"201": {description: made}}
  components:
    schemas:
      Pet: {type: object, required: [id], properties: {id: {type: integer}, name: {type: string, example: Fluffy}}}
  """

/// OpenAPI documents served over a socket, together with recordings.
@Suite struct SpecificationTests {
  private func served(
    _ kind: LoopKind = .platform, _ recordings: [String] = [], _ contract: MockServerContractMode? = nil,
    watches: Bool = false
  ) throws -> Served {
    let folder = try ScratchFolder()
    try folder.write(pets, to: "pets.yaml")
    let served = try Served(kind, recordings) {
      $0.specifications = [folder.path("pets.yaml")]
      $0.contract = contract
      $0.log = .requests
      $0.watches = watches
    }
    served.companions.append(folder)
    return served
  }

  private func journal(_ served: Served) throws -> [[String: Any]] {
    try #require(try served.admin("journal")["entries"] as? [[String: Any]])
  }

  @Test(arguments: LoopKind.allCases)
  func `recordings are played first, and other requests are answered from the OpenAPI document and marked`(
    kind: LoopKind
  ) throws {
    let served = try served(kind, [Served.recording("GET /pets/1", "recorded")])
    #expect(try served.ask("GET /pets/1").text == "recorded")
    let answer = try served.ask("GET /pets/2")
    #expect(answer.text == #"{"id":0,"name":"Fluffy"}"#)
    #expect(answer.headers["Mockserver-Source"] == "spec getPet" && answer.headers["X-Count"] == "7")
    #expect(try served.ask("GET /other").status == 404)
    let last = try journal(served)
    #expect(last.map { $0["outcome"] as? String } == ["played", "spec", "miss"])
    #expect(last[1]["source"] as? String == "spec getPet")
    #expect(served.log.waits(for: "GET /pets/2 200 spec getPet"))
  }

  @Test(arguments: [
    ("GET /pet/1", ["GET /pets/{id}", "POST /pets"]), ("POST /Pet", ["POST /pets", "GET /pets/{id}"]),
    ("GET /v2/pets/1", ["GET /pets/{id}", "POST /pets"]), ("DELETE /a/b/c/d", ["POST /pets", "GET /pets/{id}"]),
  ])
  func `a path outside the OpenAPI document is answered with the nearest operations`(
    line: String, operations: [String]
  ) throws {
    let served = try served()
    let answer = try served.ask(line)
    #expect(answer.status == 404 && answer.headers["Mockserver-Miss"] == "1")
    let problem = try #require(JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
    let found = try #require(problem["operations"] as? [String])
    #expect(Set(found) == Set(operations))
    if !line.contains("/a/") { #expect(found == operations) }
    #expect(served.log.waits(for: "near: \(found[0])"))
  }

  @Test func `HEAD has no body, and a method that the path does not define is answered with 405`() throws {
    let served = try served()
    let head = try served.ask("HEAD /pets/2")
    #expect(head.status == 200 && head.body.isEmpty && head.headers["Content-Length"] == "24")
    let refused = try served.ask("DELETE /pets/2")
    #expect(refused.status == 405 && refused.headers["Allow"] == "GET, HEAD, OPTIONS")
  }

  @Test func `a request that violates the contract is refused with the part and its pointer`() throws {
    let served = try served()
    let answer = try served.ask("POST /pets", ["Content-Type": "application/json"], body: #"{"id":"x"}"#)
    #expect(answer.status == 422 && answer.headers["Content-Type"] == "application/problem+json")
    #expect(answer.text.contains(#""in":"body","pointer":"/id""#))
    #expect(try served.ask("POST /pets", ["Content-Type": "text/csv"], body: "a").status == 415)
    #expect(try served.ask("POST /pets", ["Content-Type": "application/json"], body: #"{"id":1}"#).status == 201)
  }

  @Test(arguments: LoopKind.allCases)
  func `recordings are not checked without a contract, and with fail their requests are`(kind: LoopKind) throws {
    let recording = Served.recording("GET /pets/x", "recorded")
    #expect(try served(kind, [recording]).ask("GET /pets/x").headers.contains("Mockserver-Contract") == false)
    let served = try served(kind, [recording], .fail)
    let answer = try served.ask("GET /pets/x")
    #expect(answer.status == 422 && answer.text.contains("path"))
    #expect(try journal(served)[0]["outcome"] as? String == "spec")
  }

  @Test(arguments: [MockServerContractMode.note, .fail])
  func `a recorded response that violates the contract is reported in every answer`(
    mode: MockServerContractMode
  ) throws {
    let recording =
      #"{"request":{"method":"GET","url":"/pets/1"},"response":{"status":200,"headers":[["Content-Type","application/json"]],"body":{"json":{"id":"one"}}}}"#
    let served = try served(.platform, [recording], mode)
    let client = try served.client()
    for _ in 0..<3 {
      let answer = try client.ask("GET /pets/1")
      #expect(answer.text == #"{"id":"one"}"#)
      #expect(answer.headers["Mockserver-Contract"] == "response body $.id: must be integer, is string")
    }
    #expect(try journal(served).allSatisfy { ($0["contract"] as? [String])?.count == 1 })
    #expect(served.count(of: "contract") == 1)
  }

  @Test func `with note, a request that violates the contract is answered and marked`() throws {
    let served = try served(
      .platform,
      [
        #"{"request":{"method":"GET","url":"/pets/1"},"response":{"status":200,"headers":[["Content-Type","application/json"]],"body":{"json":{"id":1}}}}"#
      ],
      .note)
    let client = try served.client()
    let field = "header X-Kind: is not one of the 2 allowed values"
    #expect(try client.ask("GET /pets/1").headers["Mockserver-Contract"] == nil)
    #expect(try client.ask("GET /pets/1", ["x-kind": "cow"]).headers["Mockserver-Contract"] == field)
    #expect(try client.ask("GET /pets/1", ["X-Kind": "cat"]).headers["Mockserver-Contract"] == nil)
    #expect(try client.ask("GET /pets/2", ["X-Kind": "cow"]).headers["Mockserver-Contract"] == field)
    #expect(try client.ask("GET /pets/2", ["X-Kind": "cow"]).status == 200)
  }

  @Test func `an edited OpenAPI document is served, and an invalid edit leaves the previous one`() throws {
    let served = try served(watches: true)
    let folder = served.companions[0]
    #expect(try served.ask("GET /pets/1").text.contains("Fluffy"))
    try folder.write(pets.replacing("Fluffy", with: "Rex"), to: "pets.yaml")
    #expect(served.tells(of: "reload", "specifications changed"))
    #expect(try served.ask("GET /pets/1").text.contains("Rex"))
    try folder.write("openapi: [", to: "pets.yaml")
    #expect(served.tells(of: "file-broken"))
    #expect(try served.ask("GET /pets/1").text.contains("Rex"))
  }

  @Test func `an invalid OpenAPI document is reported once for repeated changes of the folder`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pets-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (file, other) = (folder.appending(path: "pets.yaml"), folder.appending(path: "schemas.yaml"))
    try Data(pets.utf8).write(to: file)
    let served = try Served(.platform, [:]) {
      $0.specifications = [file.path]
      $0.watches = true
    }
    try Data("openapi: [".utf8).write(to: file)
    #expect(served.tells(of: "file-broken"))
    try Data("openapi: [".utf8).write(to: other)
    try Data("openapi: [".utf8).write(to: file)
    try Data(pets.replacing("Fluffy", with: "Rex").utf8).write(to: file)
    #expect(served.tells(of: "reload", "specifications changed"))
    #expect(served.count(of: "file-broken", "") == 1)
  }
}
