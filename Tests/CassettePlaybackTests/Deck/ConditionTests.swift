import CassetteHTTP
import TestSupport
import Testing

@testable import CassetteMatching
@testable import CassettePlayback
@testable import Cassettes

/// Nested conditions, bounds, schemas, parts, RPC calls and credentials, from the file to the answer.
@Suite struct ConditionTests {
  private func answers(_ match: String, _ line: String, _ headers: HTTPHeaders = [:], _ body: String = "") throws
    -> Bool
  {
    let text = cassette(request: #"{"method":"POST","url":"/a"}"#, more: #""match":{\#(match)}"#)
    let deck = Exchange.deck([try #require(try read(text).interactions.first)])
    return try deck.id(for: Exchange.request(line, headers, body: body)) != "miss"
  }

  @Test(arguments: [
    (#"{"oneOf": ["a", "b"]}"#, ["a", "b"], ["c", ""]),
    (#"{"atLeast": 1, "below": 2.5}"#, ["1", "2.49"], ["0.99", "2.5", "x"]),
    (
      #"{"above": -1e2, "atMost": 12345678901234567890}"#, ["12345678901234567890", "0"],
      ["-100", "12345678901234567891"]
    ),
    (
      #"{"after": "2020-01-01", "before": "2020-06-01T00:00:00+02:00"}"#, ["2020-05-31T21:59:59Z"],
      ["2020-05-31T22:00:00Z", "2019-12-31", "now"]
    ),
    (#"{"not": "a"}"#, ["b"], ["a"]), (#"{"not": {"matches": "a.*", "contains": "b"}}"#, ["ac", "b"], ["ab"]),
    (#"{"or": ["a", {"matches": "\\d+"}]}"#, ["a", "12"], ["b"]),
    (#"{"and": [{"contains": "a"}, {"not": {"contains": "b"}}]}"#, ["a"], ["ab", "c"]),
    (#"{"or": [{"absent": true}, {"not": {"or": ["x", "y"]}}]}"#, ["z"], ["x", "y"]),
  ])
  func `a condition on a header field accepts the listed values and rejects the others`(
    _ condition: String, _ met: [String], _ unmet: [String]
  )
    throws
  {
    for (values, isMet) in [(met, true), (unmet, false)] {
      for value in values {
        #expect(
          try answers(#""headers": {"X-A": \#(condition)}"#, "POST /a", ["X-A": value]) == isMet,
          "\(condition) \(value)")
      }
    }
  }

  @Test(arguments: [
    (#"{"includes": ["1", "2"]}"#, ["q=1&q=2", "q=3&q=2&q=1"], ["q=1", "q=1&q=1", ""]),
    (#"{"hasExactly": ["1", {"not": "7"}]}"#, ["q=1&q=2", "q=3&q=1"], ["q=1", "q=1&q=7", "q=2&q=3", "q=1&q=2&q=3"]),
    (#"{"or": [{"absent": true}, "1"]}"#, ["", "q=1"], ["q=2"]), (#"{"not": "1"}"#, ["", "q=2"], ["q=1"]),
    (#"{"doesNotContain": "1"}"#, ["q=2"], ["", "q=1"]),
  ])
  func `a condition on a query parameter considers all its values, or their absence`(
    _ condition: String, _ met: [String], _ unmet: [String]
  ) throws {
    for (queries, isMet) in [(met, true), (unmet, false)] {
      for query in queries {
        let match = #""query": {"q": \#(condition), "*": "ignore"}"#
        #expect(try answers(match, "POST /a?\(query)") == isMet, "\(condition) \(query)")
      }
    }
  }

  @Test(arguments: [
    (
      #"{"schema": {"required": ["id"], "properties": {"id": {"type": "integer"}}}}"#, [#"{"id": 1}"#],
      [#"{"id": "1"}"#, "{}", "x"]
    ),
    (
      #"{"schema": {"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"const": 1}], "additionalItems": false}}"#,
      ["[1]", "[]", "2"], ["[1, 2]", "[2]"]
    ),
    (
      #"{"values": {"$.items[?@.n > 1].id": "b", "$.n": {"atLeast": 2}}}"#,
      [#"{"items": [{"n": 2, "id": "b"}], "n": 2.0}"#], [#"{"items": [{"n": 1, "id": "b"}], "n": 2}"#]
    ),
    (#"{"or": [{"json": {"a": 1}}, {"contains": "b"}]}"#, [#"{"a": 1.0}"#, "abc"], ["a"]),
    (#"{"not": {"json": {"a": 1}}}"#, ["x", #"{"a": 2}"#], [#"{"a": 1}"#]),
    (#"{"and": [{"contains": "a"}, {"not": {"contains": "b"}}]}"#, ["a"], ["ab"]),
    (
      #"{"graphql": {"operation": "User", "type": "query", "variables": {"$.login": "ann"}}}"#,
      [#"{"query": "query User($login: String) { a }", "variables": {"login": "ann"}}"#],
      [
        #"{"query": "query Other { a }", "variables": {"login": "ann"}}"#,
        #"{"query": "mutation User { a }", "variables": {"login": "ann"}}"#,
        #"{"query": "query User { a }", "variables": {"login": "bob"}}"#, #"{"query": "query User { a }"}"#, "{}",
      ]
    ),
    (
      #"{"graphql": {"query": "{ b, a }"}}"#, [#"{"query": "{a b}"}"#, "query { a b }"], [#"{"query": "{a}"}"#]
    ),
    (
      #"{"jsonrpc": {"method": "sum", "params": {"$[0]": {"above": 1}}}}"#,
      [#"{"jsonrpc": "2.0", "method": "sum", "params": [2, 1], "id": 1}"#],
      [
        #"{"jsonrpc": "2.0", "method": "sum", "params": [1], "id": 1}"#,
        #"{"jsonrpc": "2.0", "method": "min", "params": [2]}"#,
        #"{"method": "sum", "params": [2]}"#, #"{"jsonrpc": "2.0", "method": "sum"}"#,
      ]
    ),
  ])
  func `a body rule accepts the listed bodies and rejects the others`(
    _ rule: String, _ met: [String], _ unmet: [String]
  ) throws {
    for (bodies, isMet) in [(met, true), (unmet, false)] {
      for body in bodies {
        #expect(try answers(#""body": \#(rule)"#, "POST /a", [:], body) == isMet, "\(rule) \(body)")
      }
    }
  }

  private static let multipart =
    "--x\r\nContent-Disposition: form-data; name=\"text\"\r\nContent-Type: text/plain\r\n\r\nhello\r\n"
    + "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.json\"\r\nContent-Type: application/json\r\n\r\n"
    + "{\"n\": 1}\r\n--x--\r\n"

  @Test(arguments: [
    (
      #"[{"name": "file", "filename": {"matches": ".+\\.json"}, "body": {"json": {"n": 1}}}, {"body": {"equals": "hello"}}]"#,
      true
    ),
    (#"[{"name": "file", "body": {"schema": {"type": "array"}}}]"#, false), (#"[{"name": "other"}]"#, false),
    (#"[{"headers": {"Content-Type": "text/plain"}, "body": [{"contains": "h"}, {"contains": "o"}]}]"#, true),
    (#"[{"every": true, "headers": {"Content-Type": {"contains": "/"}}}]"#, true),
    (#"[{"every": true, "filename": "a.json"}]"#, false),
  ])
  func `a rule for parts compares the parts of a multipart body`(_ parts: String, _ isMet: Bool) throws {
    let type: HTTPHeaders = ["Content-Type": "multipart/form-data; boundary=x"]
    #expect(try answers(#""body": {"parts": \#(parts)}"#, "POST /a", type, Self.multipart) == isMet)
    #expect(try !answers(#""body": {"parts": \#(parts)}"#, "POST /a", [:], "hello"))
  }

  @Test(
    arguments: [
      (#""basic""#, ["Basic YW5uOmE6Yg==", "BASIC YW5uOg=="], ["Bearer x", "Basic !", nil]),
      (#"{"basic": "ann"}"#, ["basic YW5uOmE6Yg=="], ["Basic Ym9iOmE="]),
      (#"{"basic": {"user": "ann", "password": {"matches": "a:."}}}"#, ["Basic YW5uOmE6Yg=="], ["Basic YW5uOng="]),
      (#""bearer""#, ["Bearer abc", "BEARER abc"], ["Bearer", "Basic YW5uOmE6Yg==", nil]),
      (#"{"bearer": {"contains": "b"}}"#, ["Bearer abc"], ["Bearer acc"]), (#""none""#, [nil], ["Bearer x"]),
    ] as [(String, [String?], [String?])])
  func `an authorization rule compares scheme, user, password and token`(
    _ rule: String, _ met: [String?], _ unmet: [String?]
  ) throws {
    for (values, isMet) in [(met, true), (unmet, false)] {
      for value in values {
        let headers: HTTPHeaders = value.map { ["Authorization": $0] } ?? [:]
        #expect(try answers(#""authorization": \#(rule)"#, "POST /a", headers) == isMet, "\(rule) \(value ?? "none")")
      }
    }
  }

  @Test func `a cookie rule matches the sent and the decoded value`() throws {
    for value in ["a%20b", "a b"] {
      #expect(try answers(#""cookies": {"c": "\#(value)"}"#, "POST /a", ["Cookie": "c=a%20b"]))
    }
    #expect(try !answers(#""cookies": {"c": "a+b"}"#, "POST /a", ["Cookie": "c=a%20b"]))
  }

  @Test func `a method rule with "not" matches all methods except the listed ones`() throws {
    #expect(try answers(#""method": {"not": ["GET", "PUT"]}"#, "DELETE /a"))
    #expect(try !answers(#""method": {"not": ["GET", "PUT"]}"#, "PUT /a"))
  }

  @Test(arguments: [
    (#""body":{"schema":{"type":"strin"}}"#, "\"schema\" at #/type: unknown type \"strin\""),
    (#""body":{"schema":{"$ref":"http://x/y"}}"#, "is in another document, which is not fetched"),
    (#""headers":{"A":{"oneOf":[]}}"#, "\"oneOf\" must not be empty"),
    (#""headers":{"A":{"above":"1"}}"#, "\"above\" must be a number"),
    (#""headers":{"A":{"or":[]}}"#, "\"or\" has no condition"),
    (#""headers":{"A":{"after":"soon"}}"#, "\"after\" must be a time"),
    (#""body":{"or":[{"order":"ignore"}]}"#, "require \"json\" here"),
    (#""body":{"values":{"$.a-b":"1"}}"#, "write ['a-b'] at character 3"),
    (#""authorization":"digest""#, "\"authorization\" must be \"basic\""),
    (#""authorization":{"basic":"a","bearer":"b"}"#, "must have exactly one of"),
    (#""body":{"graphql":{"operaton":"a"}}"#, "did you mean \"operation\"?"),
    (#""body":{"parts":[{"every":1}]}"#, "\"every\" must be true or false"),
    (
      #""headers":{"A":\#(String(repeating: #"{"not":"#, count: 40))"a"\#(String(repeating: "}", count: 40))}"#,
      "conditions are nested more than 32 levels deep"
    ),
  ])
  func `an invalid rule is a problem that names its mistake`(_ match: String, _ words: String) {
    let found = problems(cassette(more: #""match":{\#(match)}"#))
    #expect(found.contains { $0.contains(words) }, "\(found)")
  }

  @Test func `a miss names the path at which a body violates its schema`() throws {
    let match = #""match":{"body":{"schema":{"properties":{"id":{"type":"integer"}}}}}"#
    let text = cassette(request: #"{"method":"POST","url":"/a"}"#, more: match)
    let deck = Exchange.deck([try #require(try read(text).interactions.first)])
    guard case .miss(let miss) = deck.plan(try Exchange.request("POST /a", body: #"{"id":"7"}"#)) else {
      Issue.record("the request was answered")
      return
    }
    let words = miss.nearest.flatMap(\.mismatches).map(\.description)
    #expect(words.contains { $0.contains("body.$.id") && $0.contains("must be integer, is string") }, "\(words)")
  }
}
