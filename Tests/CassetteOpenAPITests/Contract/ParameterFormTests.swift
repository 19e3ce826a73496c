import CassetteHTTP
import Testing

@testable import CassetteOpenAPI

/// Parameters whose schema allows several forms, in every style.
@Suite struct ParameterFormTests {
  private func findings(_ parameter: String, _ target: String, _ headers: HTTPHeaders = [:]) throws -> Int {
    let text = """
      {"openapi": "3.1.0", "info": {"title": "T", "version": "1"},
       "components": {"schemas": {
         "Ids": {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "string", "enum": ["all"]}]}}},
       "paths": {"/a": {"get": {"parameters": [\(parameter)], "responses": {"200": {"description": "ok"}}}},
                 "/p/{v}": {"get": {"parameters": [\(parameter)], "responses": {"200": {"description": "ok"}}}}}}
      """
    let check = ContractCheck(try OpenAPIDocument(Array(text.utf8)))
    let exchange = ContractExchange(method: "GET", target: target, requestHeaders: headers, status: nil)
    return check.check(exchange).findings.count { $0.severity == .error }
  }

  private static let ids = "{\"$ref\": \"#/components/schemas/Ids\"}"
  private static let nullable = "{\"type\": [\"array\", \"null\"], \"items\": {\"type\": \"integer\"}}"
  private static let mixed =
    #"{"type": "object", "properties": {"n": {"type": "integer"}, "s": {"type": "string"}, "#
    + #""l": {"type": "array", "items": {"type": "integer"}}}, "additionalProperties": false}"#

  @Test(arguments: [
    ("id=all", 0), ("id=1", 0), ("id=1&id=2", 0), ("id=none", 2), ("id=1&id=all", 2), ("id=all&id=all", 2),
  ])
  func `a referenced parameter in a query accepts a list or a string`(_ query: String, _ count: Int) throws {
    for schema in [Self.ids, #"{"oneOf": [\#(Self.ids)]}"#, #"{"allOf": [\#(Self.ids), {"minLength": 1}]}"#] {
      let parameter = #"{"name": "id", "in": "query", "schema": \#(schema)}"#
      #expect(try (findings(parameter, "/a?\(query)") == 0) == (count == 0), "\(query) \(schema)")
    }
  }

  @Test(arguments: [
    ("form", "id=1,2", true), ("form", "id=all", true), ("form", "id=1,x", false),
    ("spaceDelimited", "id=1%202", true), ("spaceDelimited", "id=all", true), ("spaceDelimited", "id=1,2", false),
    ("pipeDelimited", "id=1|2", true), ("pipeDelimited", "id=all", true), ("pipeDelimited", "id=1%202", false),
  ])
  func `a delimited parameter in a query accepts a list or a string`(_ style: String, _ query: String, _ isMet: Bool)
    throws
  {
    let parameter = #"{"name": "id", "in": "query", "style": "\#(style)", "explode": false, "schema": \#(Self.ids)}"#
    #expect(try (findings(parameter, "/a?\(query)") == 0) == isMet)
  }

  @Test(arguments: [
    ("simple", false, "1,2", true), ("simple", false, "all", true), ("simple", false, "1,x", false),
    ("label", false, ".1,2", true), ("label", true, ".1.2", true), ("label", true, ".all", true),
    ("matrix", false, ";v=1,2", true), ("matrix", true, ";v=1;v=2", true), ("matrix", true, ";v=all", true),
    ("matrix", true, ";v=x;v=2", false),
  ])
  func `a parameter in a path accepts a list or a string in every style`(
    _ style: String, _ explodes: Bool, _ value: String, _ isMet: Bool
  ) throws {
    let parameter =
      #"{"name": "v", "in": "path", "required": true, "style": "\#(style)", "explode": \#(explodes), "#
      + #""schema": \#(Self.ids)}"#
    #expect(try (findings(parameter, "/p/\(value)") == 0) == isMet)
  }

  @Test(arguments: [("1, 2", true), ("all", true), ("7", true), ("1, x", false)])
  func `a parameter in a header field accepts a list or a string`(_ value: String, _ isMet: Bool) throws {
    let parameter = #"{"name": "X-Id", "in": "header", "schema": \#(Self.ids)}"#
    #expect(try (findings(parameter, "/a", ["X-Id": value]) == 0) == isMet)
  }

  @Test func `a nullable list parameter accepts an empty value`() throws {
    let parameter = #"{"name": "id", "in": "query", "explode": false, "schema": \#(Self.nullable)}"#
    #expect(try findings(parameter, "/a?id=") == 0)
    #expect(try findings(parameter, "/a?id=1,2") == 0)
    #expect(try findings(parameter, "/a?id=x") > 0)
    let open = #"{"name": "id", "in": "query", "allowEmptyValue": true, "schema": {"type": "integer"}}"#
    #expect(try findings(open, "/a?id=") == 0 && findings(open, "/a?id=x") > 0)
  }

  @Test(arguments: [
    ("deepObject", true, "f[n]=1&f[s]=2", true), ("deepObject", true, "f[n]=x", false),
    ("deepObject", true, "f[l]=1&f[l]=2", true), ("deepObject", true, "f[l][]=1", true),
    ("deepObject", true, "f[other]=1", false), ("form", true, "n=1&s=2", true), ("form", true, "n=x", false),
    ("form", false, "f=n,1,s,2", true), ("form", false, "f=n,x", false), ("form", false, "f=n", false),
    ("pipeDelimited", false, "f=n|1|s|2", true), ("spaceDelimited", false, "f=n%201%20s%202", true),
  ])
  func `the members of an object parameter are checked with their own types`(
    _ style: String, _ explodes: Bool, _ query: String, _ isMet: Bool
  ) throws {
    let parameter =
      #"{"name": "f", "in": "query", "style": "\#(style)", "explode": \#(explodes), "schema": \#(Self.mixed)}"#
    #expect(try (findings(parameter, "/a?\(query)") == 0) == isMet)
  }
}
