import CassetteHTTP
import Testing

@testable import CassetteOpenAPI

/// Specifications of several files.
@Suite struct SpecificationBundleTests {
  private static let main = """
    openapi: 3.1.0
    paths:
      /pets: {$ref: "paths/pets.yaml"}
      /owners:
        get:
          responses:
            "200":
              content:
                application/json:
                  schema: {$ref: "schemas/Owner.json"}
                  examples:
                    one: {value: {$ref: examples/owner.json}}
    components:
      schemas: {$ref: schemas/index.yaml}
      parameters: {page: {name: page, in: query, schema: {type: integer}}}
    """

  private static let files = [
    "paths/pets.yaml": """
    parameters: [{$ref: "../api.yaml#/components/parameters/page"}]
    get:
      operationId: listPets
      responses:
        "200":
          content: {application/json: {schema: {type: array, items: {$ref: "../schemas/index.yaml#/Pet"}}}}
    """,
    "schemas/index.yaml": """
    Pet:
      type: object
      required: [id]
      properties:
        id: {type: integer}
        owner: {$ref: ./Owner.json}
        best: {$ref: "#/Pet"}
    """,
    "schemas/Owner.json": """
    {"$schema": "http://json-schema.org/draft-07/schema#", "$id": "https://x.example/Owner.json", "type": "object",
     "required": ["name"], "properties": {"name": {"$ref": "#/definitions/name"},
     "pets": {"type": "array", "items": {"$ref": "index.yaml#/Pet"}}}, "definitions": {"name": {"type": "string"}}}
    """,
    "examples/owner.json": #"{"name": "Ada"}"#,
  ]

  private func document(_ main: String, _ files: [String: String] = files) throws(OpenAPIError) -> OpenAPIDocument {
    try OpenAPIDocument(Array(main.utf8), name: "api.yaml") { path in
      files[path].map { .success(Array($0.utf8)) } ?? .failure(OpenAPIDocument.FileProblem("the file does not exist"))
    }
  }

  @Test(arguments: [
    ("/pets", #"[{"id":1,"owner":{"name":"Ada","pets":[{"id":2}]},"best":{"id":3}}]"#, nil),
    ("/pets", #"[{"id":1,"owner":{"name":7}}]"#, "$[0].owner.name"),
    ("/pets", #"[{"id":1,"owner":{"name":"Ada","pets":[{"best":{"id":"x"}}]}}]"#, "$[0].owner.pets[0]"),
    ("/pets?page=x", "[]", "query page"), ("/owners", #"{"name":"Ada"}"#, nil), ("/owners", "{}", "response body"),
  ])
  func `exchanges are checked with schemas in other files`(_ target: String, _ body: String, _ place: String?) throws {
    let check = ContractCheck(try document(Self.main))
    let found = check.check(
      ContractExchange(
        method: "GET", target: target, status: 200, headers: ["Content-Type": "application/json"],
        body: Array(body.utf8))
    ).findings.filter { $0.severity == .error }
    #expect(found.isEmpty == (place == nil), "\(found)")
    if let place { #expect(found.contains { $0.place.contains(place) }, "\(found)") }
  }

  @Test func `the rule of a finding names the file of the schema`() throws {
    let found = ContractCheck(try document(Self.main)).check(
      ContractExchange(
        method: "GET", target: "/owners", status: 200, headers: ["Content-Type": "application/json"],
        body: Array(#"{"name":7}"#.utf8)))
    #expect(found.findings.first?.rule == "schemas/Owner.json#/definitions/name/type")
  }

  @Test func `a reference to a file as an example's value is resolved`() throws {
    let nodes = try document(Self.main).schemas.nodes
    let place = "/paths/~1owners/get/responses/200/content/application~1json/examples/one/value/name"
    let value = try #require(nodes.node(at: place))
    #expect(nodes.text(value) == "Ada")
  }

  @Test(arguments: [
    ("{$ref: ../secret.yaml}", "outside of the specification's folder", "", 3, 14),
    ("{$ref: a/../../secret.yaml}", "outside of the specification's folder", "", 3, 14),
    ("{$ref: gone.yaml}", "the file does not exist: gone.yaml", "", 3, 14),
    ("{$ref: \"paths/pets.yaml#/no\"}", "does not exist", "", 3, 14), ("{$ref: bad.yaml}", "YAML", "bad.yaml", 2, 3),
    ("{$ref: \"https://b.example/x.yaml\"}", "another document", "", 3, 14),
    ("{$ref: /etc/passwd}", "another document", "", 3, 14),
    ("{$ref: \"file:///x.yaml\"}", "another document", "", 3, 14),
    ("{$ref: more.yaml}", "the file does not exist", "more.yaml", 2, 37),
    ("{$ref: circle.yaml}", "cycle", "circle.yaml", 1, 1),
    ("{get: {$ref: gone.yaml}}", "the file does not exist: gone.yaml", "", 3, 20),
    ("{get: {$ref: ../secret.yaml}}", "outside of the specification's folder", "", 3, 20),
    ("{get: {$ref: \"https://b.example/x.yaml\"}}", "another document", "", 3, 20),
  ])
  func `an invalid reference is an error with its file, line and column`(
    _ item: String, _ words: String, _ file: String, _ line: Int, _ column: Int
  ) {
    var files = Self.files
    files["bad.yaml"] = "get:\n  ]\n"
    files["more.yaml"] = "get:\n  responses: {\"200\": {\"$ref\":       none.yaml}}\n"
    files["circle.yaml"] = "$ref: circle.yaml\n"
    let error = #expect(throws: OpenAPIError.self) {
      try document("openapi: 3.1.0\npaths:\n  /a: \(item)\n", files)
    }
    #expect(error?.message.contains(words) == true, "\(error as Any)")
    #expect(error?.file == file && error?.line == line && error?.column == column, "\(error as Any)")
  }

  @Test(arguments: ["{$ref: op.yaml}", "{$ref: \"#/x-operations/list\"}"])
  func `a referenced operation has its parameters and responses`(_ operation: String) throws {
    let found = "{operationId: list, parameters: [{name: q, in: query, required: true}], responses: {\"200\": {}}}"
    let document = try document(
      "openapi: 3.1.0\npaths:\n  /a: {get: \(operation)}\nx-operations: {list: \(found)}\n", ["op.yaml": found])
    let read = try #require(document.operations.first)
    #expect(read.name == "list" && read.parameters.map(\.name) == ["q"] && read.responses.map(\.status) == ["200"])
  }

  @Test func `an endless chain of files is refused at the size limit`() {
    let error = #expect(throws: OpenAPIError.self) {
      try OpenAPIDocument(Array("openapi: 3.1.0\npaths: {/a: {$ref: 1.yaml}}\n".utf8), name: "api.yaml") { path in
        let number = Int(path.prefix { $0.isNumber }) ?? 0
        return .success(Array("get: {$ref: \(number + 1).yaml}\n".utf8))
      }
    }
    #expect(error?.message.contains("larger than 256 MB") == true, "\(error as Any)")
  }
}
