import CassetteHTTP
import CassetteJSON
import Testing

@testable import CassetteOpenAPI

private let orders = """
  openapi: 3.0.3
  info: {title: Orders, version: "1"}
  servers: [{url: "https://api.example.com/v1"}]
  security: [{key: []}, {basic: []}]
  paths:
    /orders/{id}:
      get:
        operationId: getOrder
        security: []
        parameters:
          - {name: id, in: path, required: true, schema: {type: integer}}
          - {name: page, in: query, schema: {type: integer, minimum: 1}}
        responses:
          "200":
            headers: {X-Left: {schema: {type: integer, example: 9}}, Content-Length: {schema: {type: integer}}}
            content:
              application/json:
                schema: {$ref: "#/components/schemas/Order"}
                examples:
                  bad: {value: {id: "no"}}
                  good: {value: {id: 4, note: good}}
              application/xml: {schema: {$ref: "#/components/schemas/Order"}}
              text/csv: {example: "id,note"}
          "404": {content: {application/json: {schema: {type: object, required: [message], properties: {message: {type: string}}}}}}
    /orders:
      get: {operationId: listOrders, responses: {"200": {content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Order"}}}}}}}
      post:
        operationId: addOrder
        security: []
        requestBody:
          required: true
          content:
            application/json: {schema: {$ref: "#/components/schemas/Order"}}
            application/x-www-form-urlencoded: {schema: {type: object, required: [id], properties: {id: {type: integer}, tags: {type: array, items: {type: string}}}}}
        responses:
          "201": {description: made}
          "400": {content: {application/json: {schema: {type: object, required: [code], properties: {code: {type: integer}, message: {type: string}}}}}}
    /gone:
      delete: {operationId: leave, security: [], responses: {"204": {description: none}}}
  components:
    securitySchemes: {key: {type: apiKey, in: header, name: X-Key}, basic: {type: http, scheme: basic}}
    schemas:
      Order:
        type: object
        required: [id]
        properties: {id: {type: integer}, note: {type: string, xml: {attribute: true}}}
  """

/// Responses of a specification.
@Suite struct SpecificationAnswerTests {
  private let specification: Specification

  init() throws { specification = Specification(try OpenAPIDocument(Array(orders.utf8))) }

  private func ask(
    _ line: String, _ headers: HTTPHeaders = [:], _ body: String = "", refuses: Bool = true
  ) throws -> SpecificationAnswer? {
    let parts = line.split(separator: " ").map(String.init)
    let request = HTTPRequest(
      method: HTTPMethod(parts[0]), target: try #require(HTTPTarget(parts[1])), headers: headers, body: Array(body.utf8)
    )
    return specification.answer(request, Specification.Settings(refuses: refuses, seed: 1))
  }

  private func text(_ answer: SpecificationAnswer?) -> String {
    answer.map { "\($0.response.status.code) \(String(decoding: $0.response.body, as: UTF8.self))" } ?? "nothing"
  }

  @Test func `a response has the first valid example and the documented header fields`() throws {
    let answer = try #require(try ask("GET /v1/orders/7"))
    #expect(text(answer) == #"200 {"id":4,"note":"good"}"#)
    #expect(answer.response.headers["X-Left"] == "9" && !answer.response.headers.contains("Content-Length"))
    #expect(answer.response.headers["Mockserver-Source"] == "spec getOrder" && answer.operation == "getOrder")
  }

  @Test(arguments: [
    ("code=404", #"404 {"message":"string"}"#), ("example=good", #"200 {"id":4,"note":"good"}"#),
    ("code=200, example=good", #"200 {"id":4,"note":"good"}"#), ("example=bad", #"200 {"id":0,"note":"string"}"#),
  ])
  func `a Prefer field selects a status or an example`(preference: String, expected: String) throws {
    let answer = try ask("GET /v1/orders/7", ["Prefer": preference])
    #expect(text(answer) == expected && answer?.response.headers["Preference-Applied"] == preference)
  }

  @Test(arguments: ["code=500", "example=none", "code=100", "code=404, example=good"])
  func `a preferred status or example missing from the document is answered with 404`(preference: String) throws {
    let answer = try ask("GET /v1/orders/7", ["Prefer": preference])
    #expect(answer?.response.status == 404 && answer?.response.headers["Content-Type"] == "application/problem+json")
  }

  @Test func `random values differ by target and meet the schema`() throws {
    let one = text(try ask("GET /v1/orders/7", ["Prefer": "dynamic=true"]))
    #expect(try text(ask("GET /v1/orders/7", ["Prefer": "dynamic=true"])) == one)
    #expect(try text(ask("GET /v1/orders/8", ["Prefer": "dynamic=true"])) != one)
    #expect(one.hasPrefix(#"200 {"id":"#))
  }

  @Test(
    arguments: [
      (
        "application/xml", "application/xml",
        #"200 <?xml version="1.0" encoding="UTF-8"?>"# + "\n" + #"<Order note="string"><id>0</id></Order>"#
      ),
      ("text/*;q=0.5, application/*;q=0.1", "text/csv", "200 id,note"),
      ("*/*", "application/json", #"200 {"id":4,"note":"good"}"#),
      ("application/json;q=0, */*", "application/xml", nil),
    ] as [(String, String, String?)])
  func `the media type with the highest weight in Accept is returned`(accept: String, type: String, expected: String?)
    throws
  {
    let answer = try ask("GET /v1/orders/7", ["Accept": accept])
    #expect(answer?.response.headers["Content-Type"] == type)
    if let expected { #expect(text(answer) == expected) }
  }

  @Test(
    arguments: [
      ("application/x-ndjson", "{a: 1, b: {c: x}}", #"{"a":1,"b":{"c":"x"}}"# + "\n"),
      ("application/jsonl", "[{a: 1}, 2]", "{\"a\":1}\n2\n"),
      ("application/json-seq", "{a: 1}", "\u{1e}{\"a\":1}\n"), ("text/plain", "{a: 1}", #"{"a":1}"#),
      ("text/csv", "{a: 1, b: x}", "a,b\r\n1,x\r\n"),
      ("text/csv", "[{a: 1}, {b: 'x, \"y\"', a: 2}]", "a,b\r\n1,\r\n2,\"x, \"\"y\"\"\"\r\n"),
      ("text/csv", "[[1, 2], [3, 4]]", "1,2\r\n3,4\r\n"), ("text/csv", "'a,b'", "a,b"),
    ])
  func `an example is written in the format of its media type`(type: String, example: String, expected: String) throws {
    let content = "{\(type): {example: \(example)}}"
    let document = "openapi: 3.1.0\npaths: {/a: {get: {responses: {\"200\": {content: \(content)}}}}}\n"
    let specification = Specification(try OpenAPIDocument(Array(document.utf8)))
    let request = HTTPRequest(method: .get, target: try #require(HTTPTarget("/a")))
    #expect(text(specification.answer(request, Specification.Settings(refuses: true, seed: 1))) == "200 \(expected)")
  }

  @Test func `an unsupported Accept field is answered with 406`() throws {
    let answer = try ask("GET /v1/orders/7", ["Accept": "image/png"])
    #expect(answer?.response.status == 406 && answer?.response.headers["Content-Type"] == "application/problem+json")
  }

  @Test(
    arguments: [
      ("GET /v1/orders/x", [:], "", #""in":"path","name":"id","detail":"must be integer, is string""#),
      ("GET /v1/orders/1?page=0", [:], "", #""in":"query","name":"page","detail":"is less than 1""#),
      ("GET /orders", [:], "", #""in":"security""#),
    ] as [(String, HTTPHeaders, String, String)])
  func `a refused request gets a problem document with the place and the reason`(
    line: String, headers: HTTPHeaders, body: String, part: String
  ) throws {
    let answer = try #require(try ask(line, headers, body))
    #expect(answer.isRefusal && answer.response.headers["Content-Type"] == "application/problem+json")
    #expect(text(answer).contains(part))
    #expect(try ask(line, headers, body, refuses: false)?.isRefusal == false)
  }

  @Test func `a request whose body takes too long to check is answered with a Mockserver-Contract field`() throws {
    let schemas = (0..<40).map { level in
      let next = "{\"$ref\": \"#/components/schemas/S\(level + 1)\"}"
      return "\"S\(level)\": {\"anyOf\": [\(next), \(next)]}"
    }
    let text = """
      {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"post": {
        "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/S0"}}}},
        "responses": {"204": {"description": "d"}}}}},
       "components": {"schemas": {\(schemas.joined(separator: ", ")), "S40": {"type": "integer"}}}}
      """
    let specification = Specification(try OpenAPIDocument(Array(text.utf8)))
    let request = HTTPRequest(
      method: .post, target: try #require(HTTPTarget("/a")), headers: ["Content-Type": "application/json"],
      body: Array("true".utf8))
    let answer = specification.answer(request, Specification.Settings(refuses: true, seed: 1))
    #expect(answer?.response.status == 204)
    #expect(answer?.response.headers["Mockserver-Contract"] == "request body: takes too long to check")
  }

  @Test func `a refusal is written in the form of the documented error response`() throws {
    let answer = try ask("POST /v1/orders", ["Content-Type": "application/json"], #"{"note":1}"#)
    #expect(
      text(answer).hasPrefix(#"400 {"code":0,"message":"the request violates the contract of addOrder: request body"#))
    #expect(answer?.response.headers["Mockserver-Contract"]?.contains("\"id\" is missing") == true)
  }

  @Test(
    arguments: [
      (["Content-Type": "application/x-www-form-urlencoded"], "id=1&tags=a&tags=b", 201),
      (["Content-Type": "application/x-www-form-urlencoded"], "id=one", 400),
      (["Content-Type": "text/plain"], "id", 400), ([:], "", 400), (["Content-Type": "application/json"], "{", 400),
    ] as [(HTTPHeaders, String, Int)])
  func `a request body is checked according to its media type`(headers: HTTPHeaders, body: String, status: Int) throws {
    #expect(try ask("POST /v1/orders", headers, body)?.response.status.code == status)
  }

  @Test func `a request without valid credentials is refused with 401 and WWW-Authenticate`() throws {
    let refused = try ask("GET /v1/orders")
    #expect(refused?.response.status == 401 && refused?.response.headers["WWW-Authenticate"] == "Basic realm=\"*\"")
    #expect(try ask("GET /v1/orders", ["X-Key": "1"])?.response.status == 200)
    #expect(try ask("GET /v1/orders", ["Authorization": "Basic YTpi"])?.response.status == 200)
    #expect(try ask("GET /v1/orders", ["Authorization": "Bearer abc"])?.response.status == 401)
  }

  @Test func `an undocumented method is refused with 405, and OPTIONS returns the documented methods`() throws {
    let refused = try ask("PUT /v1/orders")
    #expect(refused?.response.status == 405 && refused?.response.headers["Allow"] == "GET, HEAD, OPTIONS, POST")
    let options = try ask("OPTIONS /v1/gone")
    #expect(options?.response.status == 204 && options?.response.headers["Allow"] == "DELETE, OPTIONS")
    #expect(try ask("GET /v1/nowhere") == nil)
  }

  @Test func `a response without content has no Content-Type`() throws {
    let answer = try ask("DELETE /gone", ["Accept": "application/json"])
    #expect(answer?.response.status == 204 && answer?.response.headers.contains("Content-Type") == false)
  }
}
