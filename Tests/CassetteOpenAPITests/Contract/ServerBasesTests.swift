import Testing

@testable import CassetteOpenAPI

@Suite struct ServerBasesTests {
  @Test(arguments: [
    ("[{url: 'https://api.example.com/v1'}]", ["/v1"]), ("[{url: 'https://api.example.com'}]", [""]),
    ("[{url: 'https://api.example.com/v1/'}]", ["/v1"]), ("[{url: /v2}]", ["/v2"]), ("[{url: v2}]", ["/v2"]),
    ("[{url: ./v2/}]", ["/v2"]), ("[{url: ../v2}]", ["/v2"]), ("[{url: /}]", [""]), ("[]", [""]),
    ("[{url: //api.example.com/v3}]", ["/v3"]), ("[{url: 'https://api.example.com/v1?x=1#y'}]", ["/v1"]),
    ("[{url: 'https://a.example/v1'}, {url: 'https://b.example/v2'}, {url: 'https://c.example/v1'}]", ["/v1", "/v2"]),
    (
      "[{url: 'https://{region}.example.com/{base}', variables: {region: {default: eu}, base: {default: v1}}}]", ["/v1"]
    ),
    ("[{url: '/{version}', variables: {version: {default: 2, enum: [1, 2, 3]}}}]", ["/2", "/1", "/3"]),
    ("[{url: '{scheme}://a.example{base}', variables: {scheme: {default: https}, base: {default: /x/y}}}]", ["/x/y"]),
  ])
  func `operations are found below the paths of all servers`(_ servers: String, _ bases: [String]) throws {
    let text = "openapi: 3.1.0\nservers: \(servers)\npaths: {/a: {get: {operationId: get}}}\n"
    let document = try OpenAPIDocument(Array(text.utf8))
    #expect(document.operations.first?.bases == bases)
    let check = ContractCheck(document)
    for base in bases {
      let found = check.check(ContractExchange(method: "GET", target: base + "/a", status: nil))
      #expect(found.operation?.name == "get", "\(base)")
    }
  }

  @Test func `the servers of a path or an operation replace those of the document`() throws {
    let text = """
      openapi: 3.0.3
      servers: [{url: /all}]
      paths:
        /a: {get: {}, servers: [{url: /path}]}
        /b: {get: {servers: [{url: "https://files.example.com/upload"}]}, put: {}, servers: [{url: /path}]}
        /c: {get: {}}
      """
    let operations = try OpenAPIDocument(Array(text.utf8)).operations
    #expect(operations.map(\.bases) == [["/path"], ["/upload"], ["/path"], ["/all"]])
  }

  @Test func `server variables with many values expand to at most 64 paths`() throws {
    let values = (0..<2_000).map(String.init).joined(separator: ",")
    let text = """
      openapi: 3.1.0
      servers: [{url: "/{a}/{b}/{c}", variables: {a: {enum: [\(values)]}, b: {enum: [\(values)]}, c: {enum: [\(values)]}}}]
      paths: {/a: {get: {}}}
      """
    #expect(try OpenAPIDocument(Array(text.utf8)).operations.first?.bases.count == 64)
  }
}
