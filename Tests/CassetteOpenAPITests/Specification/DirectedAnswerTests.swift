import CassetteHTTP
import Testing

@testable import CassetteOpenAPI

/// Tests readOnly and writeOnly members, and responses that the document does not have.
@Suite struct DirectedAnswerTests {
  private static let document = """
    openapi: 3.0.3
    paths:
      /users:
        post:
          requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/User"}}}}
          responses:
            "201": {content: {application/json: {schema: {$ref: "#/components/schemas/User"}}}}
            "202":
              content:
                application/json:
                  schema: {type: array, items: {$ref: "#/components/schemas/User"}}
                  example: [{id: 2, password: x, name: Grace}]
            "403": {content: {application/json: {schema: {type: object, properties: {detail: {type: string}}}}}}
          security: [{key: []}]
      /nothing: {get: {operationId: nothing}}
    components:
      securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
      schemas:
        User:
          type: object
          required: [id, password, name]
          properties:
            id: {type: integer, readOnly: true}
            password: {type: string, writeOnly: true}
            name: {type: string}
          example: {id: 1, password: secret, name: Ada}
    """

  private func ask(_ body: String, _ headers: HTTPHeaders, _ line: String = "POST /users") throws -> SpecificationAnswer
  {
    let specification = Specification(try OpenAPIDocument(Array(Self.document.utf8)))
    let parts = line.split(separator: " ").map(String.init)
    var fields = headers
    if !body.isEmpty { fields.append("Content-Type", "application/json") }
    let request = HTTPRequest(
      method: HTTPMethod(parts[0]), target: try #require(HTTPTarget(parts[1])), headers: fields,
      body: Array(body.utf8))
    return try #require(specification.answer(request, Specification.Settings()))
  }

  @Test(arguments: [
    ("", #"{"id":1,"name":"Ada"}"#), ("code=202", #"[{"id":2,"name":"Grace"}]"#), ("dynamic=true", nil),
  ])
  func `a response has no writeOnly member, and a request needs no readOnly member`(
    _ preference: String, _ expected: String?
  ) throws {
    let answer = try ask(#"{"password":"x","name":"Ada"}"#, ["X-Key": "1", "Prefer": preference])
    let text = String(decoding: answer.response.body, as: UTF8.self)
    #expect(!answer.isRefusal && !text.contains("password") && text.contains("name"))
    if let expected { #expect(text == expected) }
  }

  @Test func `a request without a required writeOnly member is refused with 422`() throws {
    let answer = try ask(#"{"name":"Ada"}"#, ["X-Key": "1"])
    #expect(answer.isRefusal && answer.response.status == 422)
  }

  @Test func `a refusal has the status that the document defines`() throws {
    let answer = try ask(#"{"password":"x","name":"Ada"}"#, [:])
    #expect(answer.isRefusal && answer.response.status == 403)
    #expect(String(decoding: answer.response.body, as: UTF8.self).contains("X-Key"))
  }

  @Test func `an operation without a documented response gets an empty 200 response with a finding`() throws {
    let answer = try ask("", [:], "GET /nothing")
    #expect(answer.response.status == 200 && answer.response.body.isEmpty && !answer.isRefusal)
    #expect(answer.findings.map(\.words) == ["the specification does not document a response"])
    #expect(answer.response.headers["Mockserver-Source"] == "spec nothing")
  }
}
