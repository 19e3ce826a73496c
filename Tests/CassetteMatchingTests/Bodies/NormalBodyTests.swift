import Testing

@testable import CassetteMatching

/// The fingerprints and the differences of pairs of bodies, which must agree.
struct NormalBodyTests {
  private func check(
    _ sent: NormalBody, _ recorded: NormalBody, _ wanted: Relation, at location: SourceLocation = #_sourceLocation
  ) {
    #expect(Relation(sent, recorded) == wanted, sourceLocation: location)
    #expect(Relation(of: recorded.differences(from: sent)) == wanted, sourceLocation: location)
    #expect(Relation(of: sent.differences(from: recorded)) == wanted, sourceLocation: location)
  }

  @Test(arguments: [
    (#"{"a":1,"b":2}"#, #"{ "b": 2.0, "a": 1e0 }"#), (#"{"a":"\u00e9\/"}"#, #"{"a":"é/"}"#), ("[1,2]", " [1, 2]\n"),
    (#"{"a":1,"a":2,"b":0}"#, #"{"b":0,"a":1,"a":2}"#), ("-0", "0.0"), (#""x""#, #""x" "#), ("{}", "{ }"),
    ("12345678901234567890123", "12345678901234567890123.0"), (#"{"":{"":[]}}"#, #"{"" : {"":[ ]}}"#),
  ])
  func `JSON with equal values in another style is equal`(sent: String, recorded: String) {
    check(body(sent), body(recorded, "application/json"), .equal)
    let isContainer = sent.hasPrefix("{") || sent.contains("[")
    check(body(sent, "text/plain"), body(recorded, form), isContainer ? .equal : .different)
  }

  @Test(arguments: [
    (#"{"a":1}"#, #"{"a":2}"#), (#"{"a":1}"#, #"{"a":"1"}"#), (#"{"a":1}"#, #"{"a":1,"b":null}"#), ("[1,2]", "[2,1]"),
    ("[1]", "[1,1]"), ("[[1],2]", "[[1,2]]"), (#"{"a":{},"b":1}"#, #"{"a":{"b":1}}"#), ("true", "false"),
    ("9007199254740993", "9007199254740992"), (#"{"a":1,"a":2}"#, #"{"a":2,"a":1}"#), ("null", "0"), ("{}", "[]"),
    (#"{"a":"1","b":"2"}"#, #"{"a":"2","b":"1"}"#), (#"{"a":1,"a":1}"#, #"{"a":1}"#), (#""""#, "null"), ("[0]", "[[]]"),
    (#"{"a":[1],"b":[]}"#, #"{"a":[],"b":[1]}"#), ("1e400", "1e401"), (#""a""#, #""A""#), ("[1,23]", "[12,3]"),
  ])
  func `JSON with another value, type, member or order of elements is different`(sent: String, recorded: String) {
    check(body(sent), body(recorded), .different)
  }

  @Test(arguments: [
    ("a=1&b=2", "b=2&a=1", Relation.equal), ("a=1&a=2", "a=2&a=1", .different), ("a", "a=", .equal),
    ("a=x+y&b=%41", "b=A&a=x%20y", .equal), ("a=1", "a=2", .different), ("a=%FF", "a=%FE", .different),
    ("a=1&b=2", "a=2&b=1", .different), ("a=1&&b=2", "a=1&b=2", .equal), ("a=1", "a=1&b=1", .different),
    ("at=1700000000&a=1", "at=1700000099&a=1", .alike), ("n=1&a=1", "n=1&a=1&a=1", .different),
  ])
  func `forms are compared by their fields`(sent: String, recorded: String, wanted: Relation) {
    check(body(sent, form), body(recorded, form), wanted)
    if sent.contains("="), recorded.contains("=") { check(body(sent), body(recorded, form), wanted) }
  }

  @Test func `a form without an equals sign is recognized by its media type`() {
    #expect(body("a", form).kind == .form)
    #expect(body("a").kind == .text)
    #expect(body("a=1", "text/plain").kind == .text)
    #expect(body("a = 1").kind == .text)
  }

  @Test func `binary bytes with the media type of a form are compared as bytes`() {
    #expect(NormalBody([0x50, 0x4b, 3, 4, 0x3d, 0xff], contentType: form).kind == .bytes)
    #expect(NormalBody([0x61, 0x3d, 0xe9], contentType: form).kind == .form)
    #expect(body("a=1\r\n", form).kind == .form)
  }

  @Test(arguments: [
    ("{ user(id: 5) { id name } }", "query {\n  user(id: 5) {\n    name, id # both\n  }\n}", Relation.equal),
    ("query A($b: Int, $a: [ID!]!) { x }", "query A($a: [ID!]!, $b: Int) { x }", .equal),
    ("{ a(x: 1, y: {p: 1, q: 2}) }", "{ a(y: {q: 2, p: 1}, x: 1) }", .equal),
    ("{ a }", "{ b: a }", .different), ("{ a }", "query B { a }", .different), ("{ a }", "mutation { a }", .different),
    ("{ a(x: [1, 2]) }", "{ a(x: [2, 1]) }", .different), ("{ a { b } c }", "{ a { b c } }", .different),
    ("{ ...F } fragment F on T { b a }", "fragment F on T { a b } { ...F }", .equal),
    ("{ ... on T { b a } x }", "{ x ... on T { a b } }", .equal), ("mutation { a b }", "mutation { b a }", .different),
    ("mutation { a { x y } }", "mutation { a { y x } }", .equal), (#"{ a(s: "x y") }"#, #"{ a(s: "xy") }"#, .different),
    (#"{ a(s: "é") }"#, #"{ a(s: "\u00e9") }"#, .equal), (#"{ a(s: """  x""") }"#, #"{ a(s: "  x") }"#, .equal),
    ("{ a @include(if: $x) b }", "{ b a @include(if: $x) }", .equal), ("{ a @skip(if: $x) }", "{ a }", .different),
    (
      #"{ a(id: "550e8400-e29b-41d4-a716-446655440000") }"#, #"{ a(id: "6ba7b810-9dad-11d1-80b4-00c04fd430c8") }"#,
      .alike
    ),
  ])
  func `GraphQL documents are compared in normal form`(sent: String, recorded: String, wanted: Relation) throws {
    checkGraphQL(sent, recorded, wanted)
  }

  @Test(arguments: [
    ("mutation { ... on Mutation { a b } }", "mutation { ... on Mutation { b a } }", Relation.different),
    (
      "mutation { ...F } fragment F on M { pay refund }", "mutation { ...F } fragment F on M { refund pay }", .different
    ),
    ("mutation { ... @include(if: true) { a b } }", "mutation { ... @include(if: true) { b a } }", .different),
    (
      "mutation { ...F } fragment F on M { ...G } fragment G on M { ... { a b } }",
      "mutation { ...F } fragment G on M { ... { b a } } fragment F on M { ...G }", .different
    ),
    ("mutation { ...F a } fragment F on M { b }", "mutation { a ...F } fragment F on M { b }", .different),
    ("mutation { a { ...F } } fragment F on T { x y }", "fragment F on T { y x } mutation { a { ...F } }", .equal),
    ("mutation { a { ... on T { x y } } }", "mutation { a { ... on T { y x } } }", .equal),
    ("mutation { ...F } fragment F on M { a { x y } }", "mutation { ...F } fragment F on M { a { y x } }", .equal),
    ("{ mutation ...F } fragment F on T { b a }", "{ ...F mutation } fragment F on T { a b }", .equal),
  ])
  func `the order of a mutation's root fields counts, also in fragments`(
    sent: String, recorded: String, wanted: Relation
  ) { checkGraphQL(sent, recorded, wanted) }

  @Test(arguments: [
    (#"\u{1F600}"#, #"\u{1F601}"#, Relation.different), (#"\u{1F600}"#, #"\ud83d\uDE00"#, .equal),
    (#"\u{1F600}"#, "😀", .equal), (#"\u{00000041}\/\t"#, #"A/\u0009"#, .equal), (#"\q"#, "q", .different),
    (#"\q"#, #"\\q"#, .different), (#"\ud83d"#, #"\ud83e"#, .different), (#"\u{D83D}"#, #"\ud83d"#, .different),
    (#"\u{110000}"#, #"\u{110001}"#, .different), (#"\u{}"#, #"\u{ }"#, .different), (#"\u+041"#, "A", .different),
    (#"\q\u0041"#, #"\qA"#, .different),
  ])
  func `a valid escape in a GraphQL string equals its character, and an invalid one only itself`(
    sent: String, recorded: String, wanted: Relation
  ) { checkGraphQL("{ a(x: \"\(sent)\") }", "{ a(x: \"\(recorded)\") }", wanted) }

  private func checkGraphQL(_ sent: String, _ recorded: String, _ wanted: Relation) {
    func wrapped(_ query: String, _ more: String = "") -> NormalBody {
      let token = query.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
      return body("{\"query\":\"\(token)\"\(more)}", "application/json")
    }
    check(wrapped(sent), wrapped(recorded), wanted)
    check(wrapped(sent), wrapped(recorded, #","variables":{},"operationName":null"#), wanted)
    check(body(sent, graphQL), wrapped(recorded, #","variables":null"#), wanted)
  }

  @Test(arguments: [
    (#"{"query":"swift"}"#, #"{"query":" swift"}"#), (#"{"query":"{ a"}"#, #"{"query":"{  a"}"#),
    (#"{"query":"query"}"#, #"{"query":"query "}"#), (#"{"query":"{}"}"#, #"{"query":"{ }"}"#),
    (#"{"query":"{ a }","variables":{"id":1}}"#, #"{"query":"{ a }","variables":{"id":2}}"#),
    (#"{"query":"{ a }","variables":{"id":1}}"#, #"{"query":"{ a }"}"#),
    (#"{"query":"{ a }","extensions":{"x":1}}"#, #"{"query":"{ a }"}"#),
    (
      #"{"query":"query A{a} query B{b}","operationName":"A"}"#,
      #"{"query":"query A{a} query B{b}","operationName":"B"}"#
    ),
    (#"[{"query":"{ a }"},{"query":"{ b }"}]"#, #"[{"query":"{ b }"},{"query":"{ a }"}]"#),
    (#"{"query":"{ ...F } fragment F on T {a} fragment F on T {b}"}"#, #"{"query":"{ ...F } fragment F on T {a}"}"#),
    (#"{"query":"{a}","query":"mutation{pay}"}"#, #"{"query":"{a}","query":"{b}"}"#),
    (#"{"query":"{a}","operationName":null,"operationName":"A"}"#, #"{"query":"{a}","operationName":null}"#),
    (#"{"query":"{a}","variables":{},"variables":{}}"#, #"{"query":"{a}"}"#),
  ])
  func `other variables, extensions or operations are different, and a search term is not GraphQL`(
    sent: String, recorded: String
  ) {
    check(body(sent), body(recorded), .different)
  }

  @Test(arguments: [
    (
      #"{"query":"query A{a} query B{b}","operationName":"A"}"#,
      #"{"query":"query B{b c} query A{a}","operationName":"A"}"#
    ),
    (#"{"query":"query A{a}","operationName":"A"}"#, #"{"query":"query A { a }"}"#),
    (#"[{"query":"{ a }"},{"query":"{ b }"}]"#, #"[{"query":"{a}","variables":null},{"query":"{b}"}]"#),
    (#"{"variables":{"b":1,"a":[]},"query":"{ a }"}"#, #"{"query":"{a}","variables":{"a":[],"b":1.0}}"#),
  ])
  func `GraphQL requests are compared by the operation that they run`(sent: String, recorded: String) {
    check(body(sent), body(recorded), .equal)
  }

  @Test(arguments: [
    (#"{"jsonrpc":"2.0","id":1,"method":"a"}"#, #"{"jsonrpc":"2.0","method":"a","id":"x"}"#, Relation.equal),
    (#"{"jsonrpc":"2.0","id":1,"method":"a"}"#, #"{"jsonrpc":"2.0","id":1,"method":"b"}"#, .different),
    (#"{"jsonrpc":"2.0","method":"a"}"#, #"{"jsonrpc":"2.0","id":1,"method":"a"}"#, .different),
    (#"{"jsonrpc":"2.0","id":null,"method":"a"}"#, #"{"jsonrpc":"2.0","id":1,"method":"a"}"#, .different),
    (#"{"jsonrpc":"2.0","id":1,"params":{"id":1}}"#, #"{"jsonrpc":"2.0","id":2,"params":{"id":2}}"#, .different),
    (#"{"jsonrpc":"1.0","id":1}"#, #"{"jsonrpc":"1.0","id":2}"#, .different), (#"{"id":1}"#, #"{"id":2}"#, .different),
    (
      #"[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","id":2,"method":"b"}]"#,
      #"[{"jsonrpc":"2.0","id":7,"method":"a"},{"jsonrpc":"2.0","id":8,"method":"b"}]"#, .equal
    ),
  ])
  func `the value of a JSON-RPC id does not count, and its absence does`(
    sent: String, recorded: String, wanted: Relation
  ) {
    check(body(sent), body(recorded), wanted)
  }

  private static func parts(_ boundary: String, _ parts: [(head: String, content: String)]) -> NormalBody {
    let text = parts.map { "--\(boundary)\r\n\($0.head)\r\n\r\n\($0.content)\r\n" }.joined() + "--\(boundary)--\r\n"
    return body(text, multipart(boundary))
  }

  @Test func `multipart bodies are compared without their boundary`() {
    let (a, b) = (#"Content-Disposition: form-data; name="a""#, #"Content-Disposition: form-data; name="b""#)
    let file = #"Content-Disposition: form-data; name="b"; filename="x.txt""#
    let recorded = Self.parts("one", [(a, "1"), (b + "\r\nContent-Type: application/json", #"{"x":1,"y":2}"#)])
    check(
      Self.parts("two", [(a, "1"), ("content-type: application/json\r\n" + b, #"{"y":2,"x":1}"#)]), recorded, .equal)
    check(
      Self.parts("two", [(b + "\r\nContent-Type: application/json", #"{"x":1,"y":2}"#), (a, "1")]), recorded, .equal)
    check(
      Self.parts("two", [(a, "2"), (b + "\r\nContent-Type: application/json", #"{"x":1,"y":2}"#)]), recorded, .different
    )
    check(
      Self.parts("two", [(a, "1"), (file + "\r\nContent-Type: application/json", #"{"x":1,"y":2}"#)]), recorded,
      .different)
    check(Self.parts("two", [(a, "1")]), recorded, .different)
    #expect(recorded.differences(from: Self.parts("x", [(a, "2")])).map(\.place) == ["part a", "part b"])
    #expect(body(String(decoding: recorded.bytes, as: UTF8.self)).digest == recorded.digest)
  }

  @Test(arguments: 0..<30)
  func `an uploaded file of the same size is different and does not count as generated`(seed: UInt8) {
    func upload(_ file: [UInt8]) -> NormalBody {
      let head = "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.png\"\r\n\r\n"
      return NormalBody(Array(head.utf8) + file + Array("\r\n--b--\r\n".utf8), contentType: multipart("b"))
    }
    let one: [UInt8] = [0xff, 0xd8, 0xff, seed, 1]
    let other: [UInt8] = [0xff, 0xd8, 0xff, seed, 2]
    check(upload(one), upload(other), .different)
    check(upload(one), upload(one), .equal)
    let places = NormalBody.changing(among: [upload(one), upload(other)])
    #expect(places.isEmpty)
    #expect(upload(one).differences(from: upload(other)).map(\.place) == ["part f"])
    #expect(upload(one).differences(from: upload(other)).first?.sent?.hasPrefix("<5 bytes #") == true)
    #expect(upload(Array("{{secret:1}}".utf8)).differences(from: upload(one)).isEmpty)
  }

  @Test(arguments: ["", "\n", "--one--", "--one\r\nno colon\r\n\r\n1\r\n--one--", "--one\r\nA: b"])
  func `an invalid multipart body is not compared as multipart`(text: String) {
    #expect(body(text, multipart("one")).kind != .multipart)
  }

  @Test func `binary and empty bodies are compared byte by byte`() {
    let (one, other) = ([0xff, 0, 1] as [UInt8], [0xff, 0, 2] as [UInt8])
    check(NormalBody(one, contentType: nil), NormalBody(other, contentType: "image/png"), .different)
    check(NormalBody(one, contentType: nil), NormalBody(one, contentType: "image/png"), .equal)
    check(body(""), body("", "application/json"), .equal)
    check(body(""), body("{}"), .different)
    check(body("a"), body("a "), .different)
  }

  @Test func `bodies of two kinds differ as a whole unless their bytes are equal`() {
    #expect(body("a=1").differences(from: body("{}")).map(\.place) == [""])
    #expect(
      body("x y").differences(from: body("")) == [
        BodyDifference(place: "", sent: nil, recorded: "x y", isGenerated: false)
      ])
    #expect(body("a=1").differences(from: body("a=1", "text/plain")).isEmpty)
    check(body(#"{"a":"1"}"#), body("a=1", form), .different)
    check(body("5.0", "text/plain"), body("5", "text/plain"), .different)
    check(
      Self.parts("x", [(#"Content-Disposition: form-data; name="a""#, "5.0")]),
      Self.parts("x", [(#"Content-Disposition: form-data; name="a""#, "5")]), .different)
  }
}
