import CassetteFormats
import CassetteHTTP
import CassettePlayback
import Cassettes
import Testing

/// Targets of mappings: host and port, paths, and the order of parameters in a URL.
struct WireMockTargetTests {
  private func imported(_ mappings: [String]) throws -> Imported {
    try Imported.of(#"{"mappings": [\#(mappings.joined(separator: ","))]}"#)
  }

  private func mapping(_ request: String, _ body: String = "yes") -> String {
    #"{"request": {"method": "GET", \#(request)}, "response": {"status": 200, "body": "\#(body)"}}"#
  }

  /// Returns the body of the matching recording, or `miss`.
  private func answer(_ deck: Deck, _ target: String, host: String? = nil) throws -> String {
    let headers: HTTPHeaders = host.map { ["Host": $0] } ?? [:]
    let request = HTTPRequest(method: .get, target: try #require(HTTPTarget(target)), headers: headers)
    guard let playback = deck.plan(request).playback else { return "miss" }
    return String(decoding: try playback.recording.interaction.response?.body?.bytes() ?? [], as: UTF8.self)
  }

  @Test(arguments: [
    (#""host": {"equalTo": "api.example.com"}"#, ["api.example.com", "API.example.com:8080"], ["example.com", ""]),
    (
      #""host": {"equalTo": "api.example.com"}, "port": 8080"#, ["api.example.com:8080"],
      ["api.example.com", "api.example.com:80801"]
    ),
    (#""host": {"equalTo": "a.b"}, "port": 443, "scheme": "https""#, ["a.b", "a.b:443"], ["a.b:80"]),
    (#""port": 80"#, ["a.b", "[::1]", "a.b:80"], ["a.b:8080"]),
    (#""host": {"matches": "(a|b)[.]c"}"#, ["a.c", "b.c:1"], ["ab.c", "a.c.d"]),
    (#""host": {"contains": "8"}"#, ["a8.c"], ["a.c:8080"]),
    (#""host": {"doesNotMatch": "a.*"}"#, ["b.c:1"], ["a.c:1"]),
    (#""host": {"or": [{"equalTo": "a.b"}, {"not": {"contains": "c"}}]}"#, ["a.b", "x.y:80"], ["c.d"]),
  ])
  func `a mapping for a host answers requests to that host only`(
    _ request: String, _ matching: [String], _ others: [String]
  ) throws {
    let imported = try imported([mapping(#""url": "/a", \#(request)"#)])
    #expect(imported.report.skipped.isEmpty)
    let deck = Deck(CassetteLibrary(cassettes: [try #require(imported.cassette)]))
    for host in matching { #expect(try answer(deck, "/a", host: host) == "yes", "\(host)") }
    for host in others { #expect(try answer(deck, "/a", host: host) == "miss", "\(host)") }
    // A request through a proxy or a URLSession has the host in its target.
    if let host = matching.first {
      #expect(try answer(deck, "http\(request.contains("https") ? "s" : "")://\(host)/a") == "yes")
    }
  }

  @Test func `mappings of two hosts each answer their own host`() throws {
    let imported = try imported([
      mapping(#""url": "/a", "host": {"equalTo": "one.example"}"#, "1"),
      mapping(#""url": "/a", "host": {"equalTo": "two.example"}"#, "2"),
    ])
    let deck = Deck(CassetteLibrary(cassettes: [try #require(imported.cassette)]))
    for (host, body) in [("one.example", "1"), ("two.example", "2"), ("one.example", "1"), ("other", "miss")] {
      #expect(try answer(deck, "/a", host: host) == body)
    }
  }

  @Test func `a scheme condition without a host is reported`() throws {
    let imported = try imported([mapping(#""url": "/a", "scheme": "https""#)])
    #expect(imported.report.left.map(\.what) == ["request.scheme"])
  }

  @Test func `parameters of a mapping's url match in their order only`() throws {
    let imported = try imported([
      mapping(#""urlPathPattern": "/.*""#, "any"), mapping(#""url": "/a?b=1&c=2""#), mapping(#""url": "/a?z=1""#, "z"),
    ])
    let cassette = try #require(imported.cassette)
    let deck = Deck(CassetteLibrary(cassettes: [cassette]))
    for (target, body) in [
      ("/a?b=1&c=2", "yes"), ("/a?c=2&b=1", "any"), ("/a?b=1", "any"), ("/a?b=1&c=2&d=3", "any"), ("/a?z=1", "z"),
    ] {
      #expect(try answer(deck, target) == body, "\(target)")
    }
  }

  @Test func `a secret in a URL's parameters is redacted, and the parameter is still required`() throws {
    let imported = try imported([mapping(#""url": "/a?b=1&api_key=k3yk3yk3yk3y""#)])
    for bytes in imported.files.values { #expect(!String(decoding: bytes, as: UTF8.self).contains("k3yk3yk3y")) }
    let deck = Deck(CassetteLibrary(cassettes: [try #require(imported.cassette)]))
    #expect(try answer(deck, "/a?b=1&api_key=another") == "yes")
    #expect(try answer(deck, "/a?api_key=another&b=1") == "miss")
  }

  @Test(arguments: [
    (
      #""urlPathTemplate": "/q/{p}", "pathParameters": {"p": {"equalTo": "a+b"}}"#, ["/q/a+b", "/q/a%2Bb", "/q/a%2bb"],
      ["/q/a%20b", "/q/aab"]
    ),
    (#""urlPathTemplate": "/q/{p}", "pathParameters": {"p": {"equalTo": "a b"}}"#, ["/q/a%20b"], ["/q/a+b"]),
    (#""urlPathTemplate": "/q/{p}", "pathParameters": {"p": {"matches": "a\\+b"}}"#, ["/q/a+b"], ["/q/aab"]),
    (
      #""urlPathTemplate": "/q/{p}", "pathParameters": {"p": {"contains": "+"}}"#, ["/q/a+b", "/q/%2B"],
      ["/q/a", "/q/a/+"]
    ),
    (
      #""urlPathTemplate": "/q/{p}/{r}", "pathParameters": {"p": {"equalTo": "A", "caseInsensitive": true}}"#,
      ["/q/a/1", "/q/A/2"], ["/q/b/1", "/q/a"]
    ),
    (
      #""urlPathTemplate": "/q/{p}", "pathParameters": {"p": {"or": [{"equalTo": "a"}, {"equalTo": "b"}]}}"#,
      ["/q/a", "/q/b"], ["/q/c"]
    ),
    (#""urlPathTemplate": "/a+b/{p}""#, ["/a+b/1"], ["/a%20b/1"]), (#""urlPath": "/a+b""#, ["/a+b"], ["/a%20b"]),
    (#""url": "/a+b?q=1+2""#, ["/a+b?q=1+2"], ["/a%20b?q=1+2"]),
    (#""urlPathPattern": "/a\\+b/.*""#, ["/a+b/1"], ["/aab/1"]), (#""urlPattern": "/a\\+b.*""#, ["/a+b?x"], ["/aab"]),
    (#""urlPathTemplate": "/f/{name}.json""#, ["/f/a.json"], ["/f/.json", "/f/a/b.json"]),
    (#""urlPathTemplate": "/f/**/end""#, ["/f/a/b/end", "/f/a/end"], ["/f/a"]),
  ])
  func `a plus in a path is literal, and a path template matches like WireMock's`(
    _ request: String, _ matching: [String], _ others: [String]
  ) throws {
    let imported = try imported([mapping(request)])
    let deck = Deck(CassetteLibrary(cassettes: [try #require(imported.cassette, "\(imported.report)")]))
    for target in matching { #expect(try answer(deck, target) == "yes", "\(target)") }
    for target in others { #expect(try answer(deck, target) == "miss", "\(target)") }
  }

  @Test(arguments: [
    (#""urlPathTemplate": "/q/{p}""#, "{{request.path.p}}", "{{path.1}}"),
    (
      #""urlPath": "/q/a""#, "{{#each request.path as |s|}}{{s}};{{/each}}",
      "{{#each (split (substring path 1) '/') as |s|}}{{s}};{{/each}}"
    ),
    (#""urlPath": "/q/a""#, "{{size request.pathSegments}}", "{{size (split (substring path 1) '/')}}"),
    (#""urlPath": "/q/a""#, "{{request.parts.f.headers.Content-Type}}", "{{parts.f.headers.content-type}}"),
    (
      #""urlPath": "/q/a""#, "{{#each request.parts as |p|}}{{p.headers.[X-Y]}}{{/each}}",
      "{{#each parts as |p|}}{{p.headers.x-y}}{{/each}}"
    ),
    (#""urlPathTemplate": "/q/{p}""#, "{{#each request.path as |s|}}{{s}}{{/each}}", nil),
    (#""urlPath": "/q/a""#, "{{request.parts.f.binary}}", nil),
    (#""urlPath": "/q/a""#, "{{#each request.parts as |p|}}{{p.binary}}{{/each}}", nil),
    (#""urlPathTemplate": "/q/{p}.json""#, "{{request.path.p}}", nil),
  ])
  func `template expressions for paths and parts are translated, or the mapping is skipped`(
    _ request: String, _ template: String, _ expected: String?
  ) throws {
    let text =
      #"{"request": {"method": "GET", \#(request)}, "response": {"body": "\#(template)", "#
      + #""transformers": ["response-template"]}}"#
    let imported = try imported([text])
    guard let expected else {
      #expect(imported.report.imported == 0 && imported.report.skipped.first?.reason.contains("template") == true)
      return
    }
    let body = try imported.cassette?.interactions.first?.response?.body?.bytes() ?? []
    #expect(String(decoding: body, as: UTF8.self) == expected, "\(imported.report)")
  }

  @Test func `a skipped mapping is a miss, and no other mapping answers its request`() throws {
    let imported = try imported([
      mapping(#""urlPattern": "/.*""#, "any"),
      #"{"priority": 1, "request": {"method": "GET", "urlPath": "/a"}, "response": {"proxyBaseUrl": "http://a.b"}}"#,
    ])
    #expect(imported.report.imported == 1 && imported.report.skipped.count == 1)
    let deck = Deck(CassetteLibrary(cassettes: [try #require(imported.cassette)]))
    #expect(try answer(deck, "/a") == "miss")
    #expect(try answer(deck, "/b") == "any")
  }
}
