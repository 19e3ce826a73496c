import CassetteJSON
import CassettePatterns
import Testing

@testable import CassetteEngines

@Suite struct JSONSchemaTests {
  private func violations(_ schema: String, _ value: String, limit: Int = 8) throws -> [JSONSchemaViolation]? {
    var budget = MatchingBudget()
    let tree = try #require(JSONTree(Array(value.utf8)))
    return try JSONSchema(Array(schema.utf8)).violations(of: tree, limit: limit, &budget)
  }

  @Test(arguments: [
    (##"{"type": ["integer", "null"]}"##, ##""a""##, "$", "#/type", "must be null or integer, is string"),
    (##"{"required": ["a", "b"]}"##, "{}", "$", "#/required", ##""a", "b" are missing"##),
    (
      ##"{"properties": {"a/b": {"minimum": 1.50}}}"##, ##"{"a/b": 1}"##, ##"$["a/b"]"##, "#/properties/a~1b/minimum",
      "is less than 1.5"
    ),
    (##"{"items": {"multipleOf": 0.01}}"##, "[0.07, 0.075]", "$[1]", "#/items/multipleOf", "is not a multiple of 0.01"),
    (
      ##"{"items": {"maxLength": 1}}"##, ##"["🐟", "ab"]"##, "$[1]", "#/items/maxLength", "has 2 characters, more than 1"
    ),
    (##"{"pattern": "^[a-z]+$"}"##, ##""A""##, "$", "#/pattern", ##"does not match "^[a-z]+$""##),
    (##"{"format": "date-time"}"##, ##""2026-02-30T00:00:00Z""##, "$", "#/format", "is not a valid date-time"),
    (##"{"additionalProperties": false}"##, ##"{"x": 1}"##, "$.x", "#/additionalProperties", "is not allowed"),
    (
      ##"{"uniqueItems": true}"##, ##"[1, {"a": 1, "b": 2}, {"b": 2, "a": 1.0}]"##, "$", "#/uniqueItems",
      "has equal elements: 1 and 2"
    ),
    (##"{"enum": [1, "a"]}"##, "2", "$", "#/enum", "is not one of the 2 allowed values"),
    (##"{"const": 1}"##, "2", "$", "#/const", "differs from the required value"),
    (
      ##"{"contains": {"const": 1}}"##, "[2]", "$", "#/contains", "has 0 elements that match \"contains\", fewer than 1"
    ),
    (##"{"not": {"type": "string"}}"##, ##""a""##, "$", "#/not", "matches the schema in \"not\""),
    (
      ##"{"oneOf": [true, {"type": "string"}]}"##, ##""a""##, "$", "#/oneOf", "matches more than one schema: 0 and 1"
    ),
    (
      ##"{"dependentRequired": {"a": ["b"]}}"##, ##"{"a": 1}"##, "$", "#/dependentRequired",
      ##""b" is required with "a""##
    ),
    (
      ##"{"propertyNames": {"maxLength": 1}}"##, ##"{"ab": 1}"##, "$.ab", "#/propertyNames/maxLength",
      "has 2 characters, more than 1"
    ),
    (
      ##"{"$ref": "#/$defs/a", "$defs": {"a": {"unevaluatedProperties": false, "properties": {"b": true}}}}"##,
      ##"{"c": 1}"##,
      "$.c", "#/$defs/a/unevaluatedProperties", "is not allowed"
    ),
  ])
  func `a violation has the path, the keyword and a message`(
    _ schema: String, _ value: String, _ place: String, _ keyword: String, _ words: String
  ) throws {
    let found = try #require(try violations(schema, value)?.first)
    #expect(found.instance.description == place)
    #expect(found.schema == keyword)
    #expect(found.words == words)
    #expect(keyword.hasSuffix(found.keyword))
  }

  @Test func `a value that matches no schema of anyOf reports the violations of the closest one`() throws {
    let schema = #"""
      {"anyOf": [{"type": "string"}, {"type": "object", "properties": {"user": {"properties": {"id": {"type": "integer"}}}}}]}
      """#
    let found = try #require(try violations(schema, ##"{"user": {"id": "7"}}"##))
    #expect(found.map(\.description) == ["$: matches none of the 2 schemas", "$.user.id: must be integer, is string"])
    #expect(try violations(schema, ##"{"user": {"id": 7}}"##) == [])
  }

  @Test func `all violations are returned up to a limit`() throws {
    let schema = ##"{"items": {"type": "integer"}}"##
    #expect(try violations(schema, ##"["a", 1, "b", "c"]"##)?.map(\.instance.description) == ["$[0]", "$[2]", "$[3]"])
    #expect(try violations(schema, ##"["a", 1, "b", "c"]"##, limit: 2)?.count == 2)
  }

  @Test(arguments: [
    ("3", "#", "a schema must be an object, true or false"),
    (##"{"type": "strin"}"##, "#/type", ##"unknown type "strin": use null, boolean, "##),
    (
      ##"{"properties": {"a": {"minLength": -1}}}"##, "#/properties/a/minLength",
      "this must be an integer of at least 0"
    ),
    (##"{"pattern": "(a"}"##, "#/pattern", "error in the pattern at character 1"),
    (
      ##"{"$ref": "http://other.example/a.json"}"##, "#/$ref",
      ##""http://other.example/a.json" is in another document, which is not fetched"##
    ),
    (
      ##"{"$ref": "#/$defs/none"}"##, "#/$ref",
      ##"there is no value at "#/$defs/none", because there is no "#/$defs""##
    ),
    (##"{"$ref": "#none"}"##, "#/$ref", "no schema has the anchor"),
    (##"{"$schema": "http://json-schema.org/draft-04/schema#"}"##, "#/$schema", "unsupported draft"),
    (##"{"items": [true]}"##, "#/items", ##"write "prefixItems" for a list"##),
    (##"{"allOf": {}}"##, "#/allOf", "this must be a list of schemas"),
    (
      ##"{"$defs": {"a": {"anyOf": [{"$ref": "#/$defs/b"}]}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}"##,
      "#/$defs", "refers to itself"
    ),
    (##"{"multipleOf": 0}"##, "#/multipleOf", "this must be a number above zero"),
    (##"{"required": "a"}"##, "#/required", "this must be a list of names"),
    (##"{"$defs": {"a": {"$id": "x"}, "b": {"$id": "x"}}}"##, "#/$defs/b/$id", "another schema already has the"),
    ("{", "#", "this is not JSON"),
  ])
  func `an invalid schema is an error with its JSON pointer`(_ schema: String, _ place: String, _ words: String) throws
  {
    let problem = try #require(#expect(throws: JSONSchema.Problem.self) { try JSONSchema(Array(schema.utf8)) })
    #expect(problem.pointer.hasPrefix(place))
    #expect(problem.message.contains(words), "\(problem.message)")
  }

  @Test func `a schema error has the offset of the invalid value`() throws {
    let text = ##"{"properties": {"a": {"type": "strin"}}}"##
    let problem = try #require(#expect(throws: JSONSchema.Problem.self) { try JSONSchema(Array(text.utf8)) })
    #expect(text.utf8.dropFirst(problem.offset).starts(with: #""strin""#.utf8))
  }

  @Test func `a schema inside a document resolves references to other parts of the document`() throws {
    let document =
      ##"{"openapi": "3.1.0", "components": {"schemas": {"A": {"items": {"$ref": "#/components/schemas/B"}}, "B": {"type": "string"}}}}"##
    let schema = try JSONSchema(Array(document.utf8), at: "/components/schemas/A")
    var budget = MatchingBudget()
    let found = schema.violations(of: try #require(JSONTree(Array(#"["a", 1]"#.utf8))), &budget)
    #expect(found?.map(\.schema) == ["#/components/schemas/B/type"])
  }

  @Test func `a schema that declares draft-07 ignores keywords next to $ref`() throws {
    let schema =
      ##"{"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"$ref": "#/definitions/a", "minLength": 9}], "definitions": {"a": {"type": "string"}}}"##
    #expect(try violations(schema, ##"["a", 1]"##) == [])
    #expect(try violations(schema, "[1]")?.map(\.schema) == ["#/definitions/a/type"])
  }

  @Test func `a schema with exponential work is undecided`() throws {
    let steps = (0..<40).map {
      ##""s\##($0)": {"allOf": [{"$ref": "#/$defs/s\##($0 + 1)"}, {"$ref": "#/$defs/s\##($0 + 1)"}]}"##
    }
    let schema = ##"{"$ref": "#/$defs/s0", "$defs": {\##(steps.joined(separator: ", ")), "s40": {"type": "integer"}}}"##
    #expect(try violations(schema, "1") == nil)
  }

  @Test func `a value nested deeper than the schema's limit is undecided`() throws {
    let schema = ##"{"items": {"$ref": "#"}}"##
    func nested(_ depth: Int) -> String { String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
    #expect(try violations(schema, nested(150)) == [])
    #expect(try violations(schema, nested(500)) == nil)
  }

  @Test(arguments: [
    ("0.01", "123456789012345678901234567890.07", true), ("0.01", "0.075", false), ("3", "1e400", false),
    ("1e-300", "1e300", true),
    ("7", "7e1000000", true), ("10", "5e-1", false), ("0.1", "0", true), ("123456789", "12193263111263526900", true),
  ])
  func `multipleOf is exact for numbers of any size`(_ divisor: String, _ number: String, _ isMultiple: Bool) throws {
    #expect(try violations(##"{"multipleOf": \##(divisor)}"##, number)?.isEmpty == isMultiple)
  }

  @Test(arguments: [
    (
      "date-time", ["2026-11-22T10:00:00Z", "1998-12-31T23:59:60Z", "1990-12-31T15:59:60.5-08:00"],
      ["2026-11-22", "1998-12-31T22:59:60Z"]
    ),
    ("date", ["2024-02-29"], ["2023-02-29", "2026-1-1"]), ("time", ["10:00:00+01:00"], ["24:00:00Z", "10:00:00"]),
    ("duration", ["P1Y2M3DT4H5M6S", "P4W", "PT0S"], ["P", "PT", "1Y", "P1D2Y"]),
    ("email", ["a.b@example.com"], ["a@", ".a@b.c", "a b@c"]),
    ("hostname", ["a-b.example"], ["-a", "a..b", "a_b"]), ("ipv4", ["127.0.0.1"], ["1.2.3", "256.1.1.1", "01.1.1.1"]),
    ("ipv6", ["::1", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4"], ["1::2::3", "12345::", "1:2:3", ":1"]),
    ("uri", ["https://a.b/c?d#e", "urn:isbn:1", "mailto:a@b"], ["//a", "a b", "/x", "http://a b"]),
    ("uri-reference", ["/a?b", "#c", "a/b", ""], ["a b", "\\\\a"]),
    ("uuid", ["2EB8AA08-AA98-11EA-B4AA-73B441D16380"], ["2eb8aa08aa9811eab4aa73b441d16380"]),
    ("json-pointer", ["", "/a~0b/~1"], ["a", "/~2"]), ("relative-json-pointer", ["0#", "1/a"], ["/a", "01"]),
    ("regex", ["^a+$"], ["(a"]),
    ("color", ["whatever"], []),
  ])
  func `each known format accepts valid and refuses invalid strings`(
    _ format: String, _ valid: [String], _ invalid: [String]
  ) throws {
    for (texts, isValid) in [(valid, true), (invalid, false)] {
      for text in texts {
        let value = String(decoding: JSONString.encode(text), as: UTF8.self)
        #expect(try violations(##"{"format": "\##(format)"}"##, value)?.isEmpty == isValid, "\(format) \(text)")
      }
    }
  }
}
