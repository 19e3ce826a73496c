import CassetteHTTP
import Testing

@testable import CassetteOpenAPI

private let petstore = """
  openapi: 3.0.3
  info: {title: Pets, version: "1"}
  servers: [{url: "https://a.example/{v}", variables: {v: {default: v1}}}]
  paths:
    /pets:
      parameters: [{$ref: "#/components/parameters/limit"}]
      get:
        operationId: listPets
        parameters:
          - {name: tags, in: query, schema: {type: array, items: {type: string, enum: [a, b]}}}
          - {name: filter, in: query, style: deepObject, schema: {type: object, properties: {age: {type: integer}}}}
          - {name: X-Trace, in: header, required: true, schema: {type: string, minLength: 3}}
        responses:
          "200":
            headers: {X-Total: {required: true, schema: {type: integer}}}
            content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Pet"}}}}
          4XX: {content: {application/problem+json: {schema: {type: object, required: [title]}}}}
      post:
        requestBody:
          required: true
          content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}
        responses: {"201": {description: made}}
    /pets/{id}:
      get:
        parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
        responses: {default: {content: {"*/*": {schema: {$ref: "#/components/schemas/Pet"}}}}}
    /pets/mine:
      get: {operationId: mine, responses: {"204": {description: none}}}
    /compare/{base}...{head}:
      get: {operationId: compare, responses: {"200": {description: yes}}}
  components:
    parameters:
      limit: {name: limit, in: query, schema: {type: integer, maximum: 100, exclusiveMaximum: true}}
    schemas:
      Pet:
        type: object
        required: [id]
        properties:
          id: {type: integer}
          name: {type: string, nullable: true}
          nullable: {type: boolean}
          parent: {$ref: "#/components/schemas/Pet"}
  """

@Suite struct ContractCheckTests {
  private let contract: ContractCheck

  init() throws { contract = ContractCheck(try OpenAPIDocument(Array(petstore.utf8))) }

  private func findings(
    _ method: String, _ target: String, request: String? = nil, sent: HTTPHeaders = ["X-Trace": "abc"], _ status: Int,
    _ body: String = "", type: String = "application/json", headers: HTTPHeaders = ["X-Total": "1"]
  ) -> [String] {
    var (fields, answered) = (sent, headers)
    if request != nil { fields.append("Content-Type", "application/json") }
    answered.append("Content-Type", type)
    let exchange = ContractExchange(
      method: method, target: "/v1\(target)", requestHeaders: fields, requestBody: request.map { Array($0.utf8) },
      status: status, headers: answered, body: Array(body.utf8))
    return contract.check(exchange).findings.map { "\($0.severity.rawValue) \($0.place): \($0.words)" }
  }

  @Test(arguments: [
    ("/pets", #"[{"id": 1, "name": null, "nullable": true, "parent": {"id": 2}}]"#),
    ("/pets?limit=99&tags=a&tags=b", "[]"),
    ("/pets?filter[age]=3", "[]"), ("/pets", #"[{"id": 1, "name": "{{secret:1}}"}]"#),
  ])
  func `an exchange that the document allows has no findings`(_ target: String, _ body: String) {
    #expect(findings("GET", target, 200, body) == [])
  }

  @Test(arguments: [
    ("/pets?limit=100", "[]", "error query limit"), ("/pets?limit=x", "[]", "error query limit: must be integer"),
    ("/pets?tags=c", "[]", "error query tags $[0]"), ("/pets?filter[age]=old", "[]", "error query filter $.age"),
    ("/pets?more=1", "[]", "warning query more: is not documented"),
    ("/pets", #"[{"id": "1"}]"#, "error response body $[0].id"),
    ("/pets", #"[{"name": "a"}]"#, "error response body $[0]"),
    ("/pets", #"[{"id": 1, "parent": {}}]"#, "error response body $[0].parent"),
    ("/pets", "[", "error response body: is not valid JSON"),
    ("/pets", #"[{"id": 1, "age": 2}]"#, "warning response body $[0].age: is not documented"),
    ("/none", "", "error request: the document has no path /v1/none"),
    ("/pets/x", #"{"id": 1}"#, "error path id: must be integer"),
  ])
  func `an exchange that breaks the document has a finding with its place`(
    _ target: String, _ body: String, _ expected: String
  ) {
    let found = findings("GET", target, 200, body)
    #expect(found.count == 1 && found.first?.hasPrefix(expected) == true, "\(found)")
  }

  @Test func `the body, header fields and method of a request are checked`() {
    #expect(findings("POST", "/pets", request: #"{"id": 1}"#, 201) == [])
    #expect(
      findings("POST", "/pets", request: #"{"id": 1.5}"#, 201).first?.hasPrefix("error request body $.id") == true)
    #expect(findings("POST", "/pets", request: "", 201) == ["error request body: is required but was not sent"])
    #expect(findings("GET", "/pets", sent: [:], 200, "[]") == ["error header X-Trace: is required but was not sent"])
    #expect(findings("DELETE", "/pets", 204) == ["error request: the path supports only GET, POST"])
  }

  @Test func `the status, header fields and media type of a response are checked`() {
    #expect(findings("GET", "/pets", 500) == ["warning response status: 500 is not documented"])
    #expect(
      findings("GET", "/pets", 200, "[]", headers: [:]) == [
        "error response field X-Total: is required but was not sent"
      ])
    #expect(
      findings("GET", "/pets", 200, "<a>", type: "text/html").first?.hasPrefix("error response body: is text/html")
        == true)
    #expect(
      findings("GET", "/pets", 404, "{}", type: "application/problem+json").first?.hasPrefix("error response body")
        == true)
    #expect(findings("GET", "/pets/7", 418, #"{"id": 7}"#) == [])
  }

  @Test func `a literal path is preferred to a template, and a segment may contain several templates`() {
    func name(_ path: String) -> String? {
      contract.check(ContractExchange(method: "GET", target: path, status: nil)).operation?.name
    }
    #expect(name("/v1/pets/mine") == "mine")
    #expect(name("/v1/pets/7") == "GET /pets/{id}")
    #expect(name("/v1/compare/a.b...c") == "compare")
    #expect(name("/pets/mine") == nil)
  }

  @Test(arguments: [
    ("swagger: '2.0'\n", "Swagger 2.0"), ("{}", "openapi"), ("openapi: 4.0.0\npaths: {}\n", "4.0.0"),
    ("openapi: [", "YAML"),
    ("openapi: 3.1.0\npaths: {/a: {$ref: 'https://b.example/x.yaml'}}\n", "another document"),
    ("openapi: 3.1.0\npaths: {/a: {$ref: '#/paths/~1a'}}\n", "cycle"),
    ("openapi: 3.1.0\npaths: {/a: {get: {parameters: [{in: query}]}}}\n", "\"name\""),
  ])
  func `an unsupported document is an error with its cause`(_ text: String, _ words: String) {
    let error = #expect(throws: OpenAPIError.self) { try OpenAPIDocument(Array(text.utf8)) }
    #expect(error?.message.contains(words) == true, "\(error as Any)")
  }
}
