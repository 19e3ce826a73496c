/// Makes a hostile specification from a seed.
struct HostileSpecifications {
  /// SplitMix64.
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
      return mixed ^ (mixed >> 31)
    }
  }

  private var numbers: Numbers

  /// Returns the specification of a seed as JSON or YAML, often malformed.
  static func text(_ seed: UInt64) -> [UInt8] {
    var maker = HostileSpecifications(numbers: Numbers(state: seed))
    switch maker.below(10) {
    case 0..<6: return Array(maker.document().utf8)
    case 6..<9: return maker.mutated(Array((maker.below(2) == 0 ? maker.document() : Self.plain).utf8))
    default: return Array(maker.bomb().utf8)
    }
  }

  private mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &numbers) }

  private mutating func one(_ of: [String]) -> String { of[below(of.count)] }

  // MARK: Schemas

  private static let leaves = [
    #"{"type":"string","pattern":"(a+)+$"}"#, #"{"type":"string","pattern":"["}"#, "{}", "true", "false",
    #"{"not":{}}"#, #"{"type":"integer","multipleOf":1e-300}"#, #"{"type":"number","multipleOf":0}"#,
    #"{"type":["object","null"]}"#, #"{"type":"string","minLength":999999999999}"#,
    #"{"type":"string","minLength":5,"maxLength":2}"#, #"{"type":"array","minItems":1e9,"items":{}}"#,
    #"{"type":"array","uniqueItems":true,"minItems":9,"items":{"type":"boolean"}}"#,
    #"{"type":"object","minProperties":1000000}"#, #"{"type":"string","pattern":"^(\\d{1,900}){1,900}$"}"#,
    #"{"type":"string","pattern":"^(?=.*[a-z])(?!.*x).{40,}$","maxLength":41}"#, #"{"enum":[]}"#,
    #"{"type":"number","exclusiveMinimum":1e308,"maximum":-1e308}"#, #"{"type":"integer","minimum":0.1,"maximum":0.9}"#,
    #"{"type":"integer","minimum":1e30}"#, #"{"type":"string","format":"date-time","maxLength":3}"#,
    #"{"type":"array","contains":{"type":"null"},"minContains":5000,"items":{"type":"string"}}"#,
    #"{"type":"string","enum":["a",1,null],"example":{"a":1}}"#, #"{"const":{"a":[1,{"b":null}]}}"#,
    #"{"type":"nothing"}"#, #"{"type":7}"#, #"{"properties":[]}"#, #"{"required":"a"}"#,
    #"{"type":"object","properties":{"a":{"type":"string","writeOnly":true}},"required":["a"],"example":{"a":"b"}}"#,
    #"{"type":"object","patternProperties":{"(x+x+)+y":{"type":"string"}},"minProperties":3,"additionalProperties":false}"#,
    #"{"type":"object","propertyNames":{"pattern":"^(a|a)*$"},"minProperties":40}"#, ##"{"$ref":"#/nowhere"}"##,
    #"{"$ref":"https://b.example/x.json"}"#, ##"{"$ref":"#/paths/~1a/get"}"##, ##"{"$ref":"#"}"##, "null", "[]", "7",
  ]

  private mutating func schema(_ depth: Int = 0) -> String {
    let kind = below(100)
    if kind < 30 { return ##"{"$ref":"#/components/schemas/S\##(below(5))"}"## }
    if depth > 5 || kind < 45 { return one(Self.leaves) }
    if kind < 62 {
      let keyword = one(["allOf", "anyOf", "oneOf"])
      let parts = (0..<(1 + below(4))).map { _ in schema(depth + 1) }
      let mapped = ##","discriminator":{"propertyName":"a","mapping":{"x":"#/components/schemas/S1"}}"##
      return #"{"\#(keyword)":[\#(parts.joined(separator: ","))]\#(below(4) == 0 ? mapped : "")}"#
    }
    if kind < 67 { return #"{"not":\#(schema(depth + 1))}"# }
    if kind < 72 { return #"{"if":\#(schema(depth + 1)),"then":\#(schema(depth + 1)),"else":\#(schema(depth + 1))}"# }
    if kind < 74 {
      let levels = 1 + below(400)
      return String(repeating: #"{"type":"array","minItems":1,"items":"#, count: levels) + "{}"
        + String(repeating: "}", count: levels)
    }
    if kind < 76 { return #"{"enum":[\#((0..<2_000).map(String.init).joined(separator: ","))]}"# }
    if kind < 86 {
      let least = one(["0", "1", "3", "20000", "-1", "\"x\""])
      return #"{"type":"array","uniqueItems":true,"minItems":\#(least),"items":\#(schema(depth + 1))}"#
    }
    let members = ["a", "b", "c"].map { #""\#($0)":\#(schema(depth + 1))"# }
    let more = one(["false", "true", schema(depth + 1)])
    let needed = one([#"["a"]"#, #"["a","b","c","d"]"#, "[]", #"["$ref"]"#])
    return #"{"type":"object","required":\#(needed),"properties":{\#(members.joined(separator: ","))},"#
      + #""additionalProperties":\#(more),"dependentRequired":{"a":["b"],"b":["a","z"]}}"#
  }

  private mutating func document() -> String {
    let version = one(["3.0.3", "3.1.0"])
    let schemas = (0..<5).map { #""S\#($0)":\#(schema())"# }.joined(separator: ",")
    let types = ["application/json", "application/xml", "text/csv", "application/x-www-form-urlencoded", "*/*"]
    let content = types.map { #""\#($0)":{"schema":\#(schema())}"# }.joined(separator: ",")
    let parameter = #"{"name":"q","in":"\#(one(["query", "header", "cookie"]))","schema":\#(schema())}"#
    let field = #""X-A":{"required":true,"schema":\#(schema())}"#
    return #"{"openapi":"\#(version)","info":{"title":"x","version":"1"},"paths":{"/a":{"parameters":[\#(parameter)],"#
      + #""post":{"requestBody":{"content":{\#(content)}},"responses":{"200":{"description":"x","headers":{\#(field)},"#
      + #""content":{\#(content)}},"4XX":{"description":"x"}}}}},"components":{"schemas":{\#(schemas)}}}"#
  }

  // MARK: Texts

  private static let plain = """
    openapi: 3.1.0
    servers: [{url: "https://{host}/v1", variables: {host: {default: a.example}}}]
    paths:
      /a:
        post: &post
          operationId: add
          parameters:
            - {name: q, in: query, style: form, explode: false, schema: {type: array, items: {type: integer}}}
          requestBody:
            required: true
            content: {application/json: {schema: {$ref: "#/components/schemas/A"}}}
          responses: {"200": {description: |
                some
                text
              , content: {application/json: {schema: {$ref: "#/components/schemas/A"}, examples: {x: {value: {a: 1}}}}}}}
        put:
          <<: *post
          operationId: set
    components:
      schemas:
        A: {type: object, required: [a], properties: {a: {type: integer, minimum: 1}, b: {$ref: "#/components/schemas/A"}}}
    """

  private static let marks = [
    "&a ", "*a", "*post", "<<: ", "!!binary ", "!x ", "|\n", ">-\n", "\n", "  ", "\t", "- ", "? ", ": ", ", ", "{", "}",
    "[", "]", "\"", "'", "#", "%YAML 1.1\n---\n", "---\n", "...\n", "\u{0}", "\u{7f}", "\u{feff}", "é", "$ref", "~",
    "null",
    "1e999", "-", "0x7fffffffffffffff", "99999999999999999999", "{{{{{{{{{{{{{{{{", "- - - - - - - - - -",
  ]

  private mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<(1 + below(6)) where !bytes.isEmpty {
      let at = below(bytes.count)
      let end = min(bytes.count, at + 1 + below(40))
      switch below(6) {
      case 0: bytes.removeSubrange(at..<end)
      case 1: bytes.insert(contentsOf: bytes[at..<end], at: below(bytes.count))
      case 2: bytes[at] = UInt8(truncatingIfNeeded: below(256))
      case 3: bytes.insert(contentsOf: Array(one(Self.marks).utf8), at: at)
      case 4: bytes.replaceSubrange(at..<end, with: Array(one(Self.marks).utf8))
      default: bytes.removeSubrange(end...)
      }
    }
    return bytes
  }

  private mutating func bomb() -> String {
    let head = "openapi: 3.1.0\npaths: {}\n"
    switch below(6) {
    case 0:
      return head + "a0: &a0 [x, x]\n"
        + (1..<12).map { depth in
          "a\(depth): &a\(depth) [\(Array(repeating: "*a\(depth - 1)", count: 10).joined(separator: ", "))]\n"
        }.joined()
    case 1:
      return head + "m0: &m0 {k: v}\n"
        + (1..<200).map { "m\($0): &m\($0) {<<: [*m\($0 - 1), *m0], k\($0): *m\($0 - 1)}\n" }.joined()
    case 2: return head + "x: " + String(repeating: one(["[", "{a: ", "- ", "? "]), count: 20_000)
    case 3: return head + "x: &x [*x, *x]\n"
    case 4:
      return "openapi: 3.1.0\npaths: {" + (0..<3_000).map { "/a\($0)/{x}: {get: {}}" }.joined(separator: ", ") + "}\n"
    default: return #"{"openapi":"3.1.0","paths":"# + String(repeating: #"{"/a":"#, count: 30_000)
    }
  }
}
