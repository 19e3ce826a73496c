import CassetteEngines
import CassetteJSON
import CassettePatterns
import Testing

@testable import CassetteOpenAPI

/// Values made from schemas.
@Suite struct ValueMakerTests {
  private func document(_ schema: String, _ version: String = "3.1.0", _ more: String = "{}") throws -> OpenAPIDocument
  {
    let schema = schema.replacing("SELF", with: "#/components/schemas/Value")
    let text =
      "{\"openapi\":\"\(version)\",\"paths\":{},\"components\":{\"schemas\":{\"Value\":\(schema),\"More\":\(more)}}}"
    return try OpenAPIDocument(Array(text.utf8))
  }

  private func made(
    _ schema: String, _ version: String = "3.1.0", more: String = "{}", random: UInt64? = nil
  ) throws -> String {
    var maker = ValueMaker(try document(schema, version, more).schemas, random: random)
    switch maker.value(at: "/components/schemas/Value") {
    case .made(let bytes): return String(decoding: bytes, as: UTF8.self)
    case .failed(let words): return "failed: \(words)"
    }
  }

  @Test(arguments: [
    #"{"type":"object","minProperties":2,"propertyNames":{"pattern":"^x_"}}"#,
    #"{"type":"object","minProperties":3,"propertyNames":{"enum":["a","b","c"]}}"#,
    #"{"type":"object","minProperties":2,"propertyNames":{"maxLength":2},"additionalProperties":{"type":"integer"}}"#,
    #"{"type":"object","minProperties":3,"patternProperties":{"^S_":{"type":"string"}},"additionalProperties":false}"#,
    #"{"type":"object","minProperties":2,"propertyNames":{"pattern":"^[a-c]"},"patternProperties":{"z$":{"type":"null"}},"additionalProperties":false}"#,
    #"{"type":"object","minProperties":2,"propertyNames":{"format":"uuid"}}"#,
    #"{"type":"object","minProperties":2,"propertyNames":{"not":{"pattern":"^k"}}}"#,
    #"{"type":"object","properties":{"bad":{},"x_a":{}},"propertyNames":{"pattern":"^x_"}}"#,
    #"{"type":"object","required":["a"],"dependentRequired":{"a":["b"],"b":["c"]},"propertyNames":{"maxLength":1}}"#,
    #"{"type":"array","uniqueItems":true,"minItems":3,"items":{"type":"string","pattern":"^[ab]"}}"#,
    #"{"type":"array","uniqueItems":true,"minItems":3,"items":{"type":"string","pattern":"^[ab]$|^c"}}"#,
    #"{"type":"array","uniqueItems":true,"minItems":5,"items":{"type":"string","pattern":"x$","maxLength":3}}"#,
    #"{"type":"array","uniqueItems":true,"minItems":3,"items":{"type":"array","items":{"type":"integer"}}}"#,
    #"{"type":"array","uniqueItems":true,"minItems":3,"items":{"type":"object"}}"#,
    #"{"type":"array","uniqueItems":true,"minItems":3,"items":{"type":["boolean","null"]}}"#,
    #"{"type":"array","minItems":3,"items":{"type":"integer"},"contains":{"minimum":5},"maxContains":1}"#,
    #"{"type":"array","minItems":3,"uniqueItems":true,"contains":{"const":"a"},"items":{"type":"string"}}"#,
    #"{"type":"integer","not":{"maximum":1000}}"#, #"{"type":"string","not":{"maxLength":50}}"#,
    #"{"type":"integer","not":{"anyOf":[{"maximum":9},{"multipleOf":5}]}}"#,
    #"{"type":"string","not":{"enum":["string","string2"]}}"#, #"{"type":"array","not":{"maxItems":2}}"#,
    #"{"type":"string","pattern":"^(?=.*[A-Z])(?=.*[a-z])(?=.*[0-9]).{8,}$"}"#,
    #"{"type":"string","allOf":[{"pattern":"^a"},{"pattern":"z$"}]}"#,
  ])
  func `a value that meets a satisfiable schema is generated`(_ schema: String) throws {
    for seed in [nil, 1, 7] as [UInt64?] {
      let value = try made(schema, random: seed)
      #expect(!value.hasPrefix("failed"), "\(value)")
    }
  }

  @Test(arguments: [
    (#"{"type":"string"}"#, #""string""#), (#"{"type":"integer"}"#, "0"), (#"{"type":"number"}"#, "0"),
    (#"{"type":"boolean"}"#, "true"), (#"{"type":"null"}"#, "null"), (#"{"type":["null","integer"]}"#, "0"),
    (#"{"enum":["b","a"]}"#, #""b""#), (#"{"const":{"a":1}}"#, #"{"a":1}"#),
    (#"{"type":"string","minLength":8}"#, #""stringst""#),
    (#"{"type":"string","maxLength":3}"#, #""str""#),
    (#"{"type":"string","pattern":"^[A-Z]{3}-\\d{2}$"}"#, #""AAA-11""#),
    (#"{"type":"integer","minimum":3}"#, "3"), (#"{"type":"integer","exclusiveMaximum":0}"#, "-1"),
    (#"{"type":"integer","exclusiveMinimum":20,"exclusiveMaximum":22}"#, "21"),
    (#"{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1}"#, "0.5"),
    (#"{"type":"integer","minimum":11,"multipleOf":10}"#, "20"),
    (#"{"type":"number","minimum":0.25,"multipleOf":0.1}"#, "0.3"),
    (#"{"type":"array","items":{"type":"integer"},"minItems":3,"uniqueItems":true}"#, "[0,1,2]"),
    (#"{"type":"array","items":{"enum":["a","b"]},"minItems":2,"uniqueItems":true}"#, #"["a","b"]"#),
    (#"{"type":"array","contains":{"type":"integer","exclusiveMinimum":20}}"#, "[21]"),
    (#"{"prefixItems":[{"type":"string"},{"type":"integer"}],"items":false}"#, #"["string",0]"#),
    (#"{"properties":{"a":{"example":1},"b":{"default":"x"},"c":{"examples":[true]}}}"#, #"{"a":1,"b":"x","c":true}"#),
    (#"{"type":"object","required":["z"],"additionalProperties":{"type":"integer"}}"#, #"{"z":0}"#),
    (#"{"type":"object","minProperties":2,"additionalProperties":{"type":"integer"}}"#, #"{"key":0,"key2":1}"#),
    (
      #"{"allOf":[{"required":["a"]},{"properties":{"a":{"type":"integer"}}},{"properties":{"a":{"minimum":5}}}]}"#,
      #"{"a":5}"#
    ),
    (#"{"anyOf":[{"type":"null"},{"type":"boolean"}]}"#, "true"),
    (
      #"{"if":{"properties":{"a":{"const":1}}},"then":{"required":["b"]},"properties":{"a":{"type":"integer"},"b":{"type":"integer"}}}"#,
      #"{"a":1,"b":0}"#
    ),
    (#"{"properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"not":{"required":["b"]}}"#, #"{"a":0}"#),
    (#"{"dependentRequired":{"a":["b"]},"properties":{"a":{"type":"integer"}}}"#, #"{"a":0,"b":"string"}"#),
  ])
  func `the plain value of a schema is the simplest valid value`(schema: String, value: String) throws {
    #expect(try made(schema) == value)
  }

  @Test(arguments: [
    (#"{"type":"integer","minimum":1,"exclusiveMinimum":true}"#, "2"),
    (#"{"type":"string","nullable":true,"enum":["a"]}"#, #""a""#),
    (
      #"{"type":"object","properties":{"id":{"type":"integer","readOnly":true},"key":{"type":"string","writeOnly":true}}}"#,
      #"{"id":0}"#
    ),
  ])
  func `keywords of OpenAPI 3.0 are understood`(schema: String, value: String) throws {
    #expect(try made(schema, "3.0.3") == value)
  }

  @Test(arguments: [
    "date-time", "date", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uri-reference", "uuid",
    "json-pointer", "relative-json-pointer", "regex",
  ])
  func `generated strings have their format, also with a seed and in unique elements`(format: String) throws {
    let schema = #"{"type":"array","minItems":3,"uniqueItems":true,"items":{"type":"string","format":"\#(format)"}}"#
    #expect(try !made(schema).hasPrefix("failed"))
    for seed in UInt64(1)...5 { #expect(try !made(schema, random: seed).hasPrefix("failed")) }
  }

  @Test func `an example that breaks its own schema is not used`() throws {
    let schema =
      #"{"type":"object","properties":{"id":{"type":"integer","example":"seven"},"a":{"type":"string","example":"x"}}}"#
    #expect(try made(schema) == #"{"id":0,"a":"x"}"#)
  }

  @Test func `a generated value meets exactly one schema of oneOf`() throws {
    let open = #"{"type":"object","required":["t"],"properties":{"t":{"type":"string"},"NAME":{"type":"string"}}}"#
    let schema = "{\"oneOf\":[\(open.replacing("NAME", with: "a")),\(open.replacing("NAME", with: "b"))]}"
    #expect(try !made(schema).hasPrefix("failed"))
    #expect(try made(#"{"oneOf":[{"type":"integer"},{"type":"integer","minimum":-5}]}"#).hasPrefix("failed"))
  }

  @Test func `the discriminator property has the name of the chosen alternative`() throws {
    let schema = """
      {"oneOf":[{"$ref":"#/components/schemas/More"}],"discriminator":{"propertyName":"kind","mapping":{"more":"#/components/schemas/More"}}}
      """
    let more = #"{"type":"object","required":["kind"],"properties":{"kind":{"type":"string"}}}"#
    #expect(try made(schema, more: more) == #"{"kind":"more"}"#)
  }

  @Test(arguments: [
    (#"{"type":"object","properties":{"next":{"$ref":"SELF"}}}"#, "{}"),
    (#"{"type":"object","properties":{"all":{"type":"array","items":{"$ref":"SELF"}}}}"#, #"{"all":[]}"#),
    (#"{"type":"array","items":{"$ref":"SELF"}}"#, "[]"),
  ])
  func `a recursive schema gives the shortest value`(schema: String, value: String) throws {
    #expect(try made(schema) == value)
  }

  @Test(arguments: [
    #"{"type":"object","required":["next"],"properties":{"next":{"$ref":"SELF"}}}"#,
    #"{"$ref":"SELF"}"#, #"{"type":"string","minLength":1000000000000}"#,
    #"{"type":"array","minItems":1000000000,"items":{}}"#, #"{"type":"integer","minimum":2,"maximum":1}"#, "false",
    #"{"allOf":[{"type":"string"},{"type":"integer"}]}"#, #"{"type":"string","pattern":"(a"}"#,
    #"{"$ref":"https://example.com/schema.json"}"#,
  ])
  func `an unsatisfiable schema fails with a reason`(schema: String) throws {
    #expect(try made(schema).hasPrefix("failed: "))
  }

  @Test func `equal seeds give equal values, and different seeds different values`() throws {
    let schema = #"{"type":"array","minItems":5,"items":{"type":"integer"}}"#
    #expect(try made(schema, random: 7) == made(schema, random: 7))
    #expect(try made(schema, random: 7) != made(schema, random: 8))
  }

  @Test(arguments: [
    "^[a-z]{5,9}$", "^\\+?[1-9]\\d{1,14}$", "^(GET|POST) /[\\w/-]*$", "^#([0-9a-f]{3}|[0-9a-f]{6})$", "x",
  ])
  func `generated strings match their pattern for every seed`(pattern: String) throws {
    let schema = "{\"type\":\"string\",\"pattern\":\(String(decoding: JSONString.encode(pattern), as: UTF8.self))}"
    for seed in UInt64(0)...9 { #expect(try !made(schema, random: seed).hasPrefix("failed")) }
  }
}
