import CassetteHTTP
import Testing

@testable import CassetteOpenAPI

@Suite struct ContractDirectionTests {
  private static let document = """
    openapi: 3.0.3
    paths:
      /users:
        post:
          requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/User"}}}}
          responses: {"200": {content: {application/json: {schema: {$ref: "#/components/schemas/User"}}}}}
    components:
      schemas:
        Secret: {type: string, writeOnly: true}
        Base:
          type: object
          properties:
            id: {type: integer, readOnly: true}
            password: {$ref: "#/components/schemas/Secret"}
            name: {type: string}
        User:
          allOf: [{$ref: "#/components/schemas/Base"}, {required: [id, password, name]}]
    """

  @Test(arguments: [
    (#"{"name":"a","password":"b"}"#, #"{"id":1,"name":"a"}"#, []),
    (#"{"name":"a"}"#, #"{"id":1,"name":"a"}"#, ["request body: \"password\" is missing"]),
    (#"{"name":"a","password":"b"}"#, #"{"name":"a"}"#, ["response body: \"id\" is missing"]),
    (
      #"{"name":"a","password":"b"}"#, #"{"id":1,"name":"a","password":"b"}"#,
      ["response body $.password: is writeOnly but occurs in a response"]
    ),
  ])
  func `writeOnly members are required in requests only, and readOnly members in responses only`(
    _ sent: String, _ got: String, _ errors: [String]
  ) throws {
    let found = ContractCheck(try OpenAPIDocument(Array(Self.document.utf8))).check(
      ContractExchange(
        method: "POST", target: "/users", requestHeaders: ["Content-Type": "application/json"],
        requestBody: Array(sent.utf8), status: 200, headers: ["Content-Type": "application/json"],
        body: Array(got.utf8)))
    #expect(found.findings.filter { $0.severity == .error }.map { "\($0.place): \($0.words)" } == errors)
  }

  @Test func `a readOnly member in a request is a warning`() throws {
    let found = ContractCheck(try OpenAPIDocument(Array(Self.document.utf8))).check(
      ContractExchange(
        method: "POST", target: "/users", requestHeaders: ["Content-Type": "application/json"],
        requestBody: Array(#"{"id":1,"name":"a","password":"b"}"#.utf8), status: nil))
    #expect(found.findings.map(\.severity) == [.warning])
    #expect(found.findings.first?.words == "is readOnly but occurs in a request")
  }
}
