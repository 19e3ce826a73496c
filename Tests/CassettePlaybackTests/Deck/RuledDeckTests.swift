import CassetteHTTP
import TestSupport
import Testing

@testable import CassetteMatching
@testable import CassettePatterns
@testable import CassettePlayback
@testable import Cassettes

/// Recordings with rules in `match` and `replay`.
@Suite struct RuledDeckTests {
  private func answers(_ match: String, _ line: String, _ headers: HTTPHeaders = [:], body: String = "") throws -> Bool
  {
    let deck = Exchange.deck([try Interaction.ruled("GET /a?x=1", id: "ruled", match: match)])
    return try deck.id(for: Exchange.request(line, headers, body: body)) == "ruled"
  }

  // MARK: match

  @Test(arguments: [
    (
      #""path": "/users/{name}/repos""#, ["GET /users/kean/repos?x=1"],
      ["GET /users/kean?x=1", "GET /users/kean/repos"]
    ),
    (#""path": "/café/{x}""#, ["GET /caf%c3%a9/1?x=1"], ["GET /cafe/1?x=1"]),
    (#""path": "/b""#, ["GET /b?x=1", "GET /%62?x=1"], ["GET /a?x=1"]),
    (#""path": {"matches": "/a/\\d+"}"#, ["GET /a/1?x=1"], ["GET /a/b?x=1", "GET /a/1/2?x=1"]),
    (#""path": "ignore""#, ["GET /z?x=1"], ["GET /z", "POST /z?x=1"]),
    (#""url": {"matches": "/a.*[?]y=\\d"}"#, ["GET /abc?y=1"], ["GET /a?x=1", "GET /abc?y=1&z=2"]),
    (#""url": "ignore""#, ["GET /z"], ["PUT /z"]),
    (#""method": "ANY""#, ["PUT /a?x=1", "DELETE /a?x=1"], ["PUT /a"]),
    (#""method": ["PUT", "POST"]"#, ["PUT /a?x=1", "POST /a?x=1"], ["GET /a?x=1"]),
    (#""query": {"x": "ignore"}"#, ["GET /a", "GET /a?x=2"], ["GET /a?x=1&y=2"]),
    (#""query": {"*": "ignore"}"#, ["GET /a?x=1&y=2", "GET /a"], ["GET /b"]),
    (#""query": {"x": "2", "*": "ignore"}"#, ["GET /a?x=2&y=2", "GET /a?x=1&x=2"], ["GET /a?x=1", "GET /a"]),
    (#""query": {"y": {"matches": "\\d"}}"#, ["GET /a?y=1&x=1"], ["GET /a?y=1", "GET /a?x=1", "GET /a?x=1&y=11"]),
    (#""query": {"x": {"absent": true}}"#, ["GET /a"], ["GET /a?x=1", "GET /a?x"]),
    (#""query": {"x": {"absent": false}}"#, ["GET /a?x=9"], ["GET /a"]),
    (
      #""query": {"x": {"contains": "b", "doesNotMatch": "ab.*"}}"#, ["GET /a?x=cab"],
      ["GET /a?x=abc", "GET /a?x=c", "GET /a"]
    ),
    (#""query": {"x": {"doesNotContain": "b"}}"#, ["GET /a?x=a"], ["GET /a?x=b", "GET /a"]),
    (#""query": {"x": {"equalsIgnoringCase": "Ab"}}"#, ["GET /a?x=aB"], ["GET /a?x=b"]),
    (#""query": {"x": [{"contains": "a"}, {"contains": "b"}]}"#, ["GET /a?x=ba"], ["GET /a?x=a"]),
  ])
  func `rules for method, path and query accept the listed requests and reject the others`(
    _ match: String, _ matching: [String], _ others: [String]
  ) throws {
    for line in matching { #expect(try answers(match, line), "\(match) \(line)") }
    for line in others { #expect(try !answers(match, line), "\(match) \(line)") }
  }

  @Test func `rules for header fields and cookies reject a request that does not meet them`() throws {
    let accept = #""headers": {"accept": {"contains": "json"}}"#
    #expect(try answers(accept, "GET /a?x=1", ["Accept": "text/json"]))
    #expect(try !answers(accept, "GET /a?x=1", ["Accept": "text/html"]))
    #expect(try !answers(accept, "GET /a?x=1"))
    #expect(try answers(#""headers": {"X": {"absent": true}}"#, "GET /a?x=1"))
    #expect(
      try answers(#""headers": {"Authorization": "Bearer {{secret:1}}"}"#, "GET /a?x=1", ["Authorization": "Bearer z"]))
    let cookie = #""cookies": {"b": "2"}"#
    #expect(try answers(cookie, "GET /a?x=1", ["Cookie": "a=1; b=2"]))
    #expect(try !answers(cookie, "GET /a?x=1", ["Cookie": "a=2; bb=2"]))
  }

  @Test(arguments: [
    (
      #""json": {"a": 1, "at": 5}, "ignore": ["$.at"]"#, [#"{"at": 6, "a": 1.0}"#, #"{"a":1}"#],
      [#"{"a":2,"at":5}"#, "", "x"]
    ),
    (#""json": [{"id":1,"a":2}], "ignore": ["$[*].id"]"#, [#"[{"id":7,"a":2}]"#], [#"[{"id":1,"a":3}]"#]),
    (#""json": {"a": [1]}, "extra": "ignore""#, [#"{"a":[1,2],"b":3}"#], [#"{"a":[]}"#, #"{"a":[2,1]}"#]),
    (#""json": [1,[2,3]], "order": "ignore""#, ["[[3,2],1]"], ["[[3,2]]", "[[3,2],1,1]"]),
    (#""json": [1,2], "order": "ignore", "extra": "ignore""#, ["[3,2,1]"], ["[2,3]"]),
    (#""equals": "a""#, ["a"], ["ab", ""]), (#""contains": "a", "doesNotContain": "b""#, ["ca"], ["ab", "c"]),
    (#""matches": "a+""#, ["aa"], ["ab"]), (#""absent": true"#, [""], ["a"]), (#""absent": false"#, ["a"], [""]),
    (#""base64": "YQ==""#, ["a"], ["b", ""]),
    (
      #""values": {"$.a.b": {"matches": "\\d"}, "$.c": {"absent": true}}"#, [#"{"a":{"b":1}}"#, #"{"a":{"b":"1"}}"#],
      [#"{"a":{"b":11}}"#, #"{"a":{"b":1},"c":0}"#, "x"]
    ),
    (#""form": {"a": "1 2"}"#, ["b=3&a=1+2"], ["a=1", ""]),
  ])
  func `rules for the body accept the listed bodies and reject the others`(
    _ rule: String, _ matching: [String], _ others: [String]
  ) throws {
    for body in matching { #expect(try answers("\"body\": {\(rule)}", "GET /a?x=1", body: body), "\(rule) \(body)") }
    for body in others { #expect(try !answers("\"body\": {\(rule)}", "GET /a?x=1", body: body), "\(rule) \(body)") }
  }

  // MARK: misses

  @Test(arguments: [
    (#""query": {"page": {"matches": "\\d"}}"#, "GET /a?x=1&page=x", "query.page: sent \"x\", wanted matches \"\\d\""),
    (#""query": {"page": "2"}"#, "GET /a?x=1", "query.page: not sent, wanted \"2\""),
    (#""path": "/users/{name}""#, "GET /users?x=1", "path: sent \"/users\", wanted \"/users/{name}\""),
    (
      #""headers": {"Accept": {"contains": "json"}}"#, "GET /a?x=1", "header.Accept: not sent, wanted contains \"json\""
    ),
    (#""headers": {"X": {"absent": true}}"#, "GET /a?x=1", "header.X: sent \"1\", wanted none"),
    (#""body": {"json": {"a": 1}}"#, "GET /a?x=1", "body.$.a: sent 2, wanted 1"),
    (#""body": {"values": {"$.a": "1"}}"#, "GET /a?x=1", "body.$.a: sent \"2\", wanted \"1\""),
    (#""method": ["PUT", "POST"]"#, "GET /a?x=1", "method: sent \"GET\", wanted PUT or POST"),
  ])
  func `a miss names the sent value and the value that the rule wants`(
    _ match: String, _ line: String, _ difference: String
  ) throws {
    let deck = Exchange.deck([try Interaction.ruled("GET /a?x=1", id: "ruled", match: match)])
    let headers: HTTPHeaders = match.contains("absent") ? ["X": "1"] : [:]
    let miss = try deck.miss(Exchange.request(line, headers, body: match.contains("body") ? #"{"a":2}"# : ""))
    #expect(miss.nearest.first?.mismatches.map(\.description) == [difference])
    #expect(miss.remedy.hasPrefix("widen the \"match\" of \"ruled\" at "))
  }

  @Test func `a miss names the missing state and a remedy that sets it`() throws {
    let deck = Exchange.deck([try Interaction.ruled("GET /a", id: "later", replay: #""when": {"cart": "full"}"#)])
    let miss = try deck.miss(Exchange.request("GET /a"))
    #expect(miss.nearest.first?.mismatches.map(\.description) == ["state.cart: is \"Started\", wanted \"full\""])
    #expect(
      miss.remedy.hasPrefix(
        "first send the request that sets \"cart\" to \"full\", or change the \"when\" of \"later\""))
  }

  @Test func `secrets in a rule and in a request are masked in a miss`() throws {
    let deck = Exchange.deck([
      try Interaction.ruled(
        "GET /a", id: "ruled", match: #""query": {"access_token": "abcdef"}, "cookies": {"sid": "xyzxyz"}"#)
    ])
    let text = try deck.miss(Exchange.request("GET /a?access_token=uvwuvw", ["Cookie": "sid=rstrst"])).text
    for secret in ["abcdef", "xyzxyz", "uvwuvw", "rstrst"] { #expect(!text.contains(secret), "\(text)") }
  }

  // MARK: replay

  @Test func `a recording's delay is divided by the playback speed`() throws {
    func delay(_ replay: String, recorded: RecordedFacts?, speed: Double) throws -> Double {
      var interaction = try Interaction.ruled("GET /a", id: "a", replay: replay)
      interaction.recorded = recorded
      let request = try Exchange.request("GET /a")
      guard let playback = Exchange.deck([interaction], speed: speed).plan(request).playback else { return -1 }
      return try playback.faulted(playback.response()).delay
    }
    #expect(try delay(#""delay": 2"#, recorded: nil, speed: 1) == 2)
    #expect(try delay(#""delay": 2"#, recorded: nil, speed: 4) == 0.5)
    #expect(try delay(#""delay": 2"#, recorded: nil, speed: 0) == 0)
    #expect(try delay(#""delay": "recorded""#, recorded: RecordedFacts(firstByte: 0.5), speed: 2) == 0.25)
    #expect(try delay(#""delay": "recorded""#, recorded: nil, speed: 1) == 0)
  }

  @Test(arguments: [("reset", -1005), ("empty", -1011), ("malformed", -1017), ("timeout", -1001)])
  func `a recording's fault replaces its answer, and the recording counts as played`(_ fault: String, _ code: Int)
    throws
  {
    let deck = Exchange.deck(
      [
        try Interaction.ruled("GET /a", id: "broken", replay: "\"fault\": \"\(fault)\", \"delay\": 3"),
        Exchange.recorded("GET /a", id: "well"),
      ], speed: 2)
    let request = try Exchange.request("GET /a")
    guard case .made(let found, .fault, _) = deck.plan(request) else { throw Deck.Answered() }
    #expect(found.failure?.code == code && found.delay == 1.5)
    #expect(deck.id(for: request) == "well")
    #expect(deck.table.neverPlayed.isEmpty)
  }

  @Test func `a fault of a recording that approximates the request is marked`() throws {
    let deck = Exchange.deck([
      try Interaction.ruled("POST /a", id: "a", replay: "\"fault\": \"reset\"", sent: #"{"at":"2026-11-21T01:00:00Z"}"#)
    ])
    func parts(_ time: String) throws -> String? {
      let plan = deck.plan(try Exchange.request("POST /a", body: "{\"at\":\"\(time)\"}"))
      guard case .made(_, .fault(_, let approximation), _) = plan else { throw Deck.Unanswered() }
      return approximation?.parts
    }
    #expect(try parts("2026-11-22T01:00:00Z") == "body $.at")
    #expect(try parts("2026-11-21T01:00:00Z") == nil)
  }
}
