import CassetteFiles
import CassetteFormats
import CassetteHTTP
import CassettePlayback
import Cassettes
import Testing

/// The target of a mapping's request: its host and port, and the order of a whole URL's parameters.
struct WireMockTargetTests {
  private func imported(_ mappings: [String]) throws -> Imported {
    try Imported.of(#"{"mappings": [\#(mappings.joined(separator: ","))]}"#)
  }

  private func mapping(_ request: String, _ body: String = "yes") -> String {
    #"{"request": {"method": "GET", \#(request)}, "response": {"status": 200, "body": "\#(body)"}}"#
  }

  /// The body of what answers, or `miss`.
  private func answer(_ deck: Deck, _ target: String, host: String? = nil) throws -> String {
    let headers: HTTPHeaders = host.map { ["Host": $0] } ?? [:]
    let request = HTTPRequest(method: .get, target: try #require(HTTPTarget(target)), headers: headers)
    guard case .playback(let playback) = deck.play(request) else { return "miss" }
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
  func `a mapping for a host answers that host only`(
    _ request: String, _ matching: [String], _ others: [String]
  ) throws {
    let imported = try imported([mapping(#""url": "/a", \#(request)"#)])
    #expect(imported.report.skipped.isEmpty)
    let deck = Deck(CassetteLibrary(cassettes: [try #require(imported.cassette)]))
    for host in matching { #expect(try answer(deck, "/a", host: host) == "yes", "\(host)") }
    for host in others { #expect(try answer(deck, "/a", host: host) == "miss", "\(host)") }
    // What goes through a proxy, or a URLSession, says it in its target.
    if let host = matching.first {
      #expect(try answer(deck, "http\(request.contains("https") ? "s" : "")://\(host)/a") == "yes")
    }
  }

  @Test func `mappings of two hosts answer each its own`() throws {
    let imported = try imported([
      mapping(#""url": "/a", "host": {"equalTo": "one.example"}"#, "1"),
      mapping(#""url": "/a", "host": {"equalTo": "two.example"}"#, "2"),
    ])
    let deck = Deck(CassetteLibrary(cassettes: [try #require(imported.cassette)]))
    for (host, body) in [("one.example", "1"), ("two.example", "2"), ("one.example", "1"), ("other", "miss")] {
      #expect(try answer(deck, "/a", host: host) == body)
    }
  }

  @Test func `a scheme that no request shows is named`() throws {
    let imported = try imported([mapping(#""url": "/a", "scheme": "https""#)])
    #expect(imported.report.left.map(\.what) == ["request.scheme"])
  }

  @Test func `parameters of a URL answer in their order, and go out as a URL again`() throws {
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
    let written = String(decoding: try WireMockWriter.export(cassette).bytes, as: UTF8.self)
    #expect(written.contains(#""url": "/a?b=1&c=2""#), "\(written)")
  }

  @Test func `a secret in a URL's parameters is in no file, and still asked for`() throws {
    let imported = try imported([mapping(#""url": "/a?b=1&api_key=k3yk3yk3yk3y""#)])
    for bytes in imported.files.values { #expect(!String(decoding: bytes, as: UTF8.self).contains("k3yk3yk3y")) }
    let deck = Deck(CassetteLibrary(cassettes: [try #require(imported.cassette)]))
    #expect(try answer(deck, "/a?b=1&api_key=another") == "yes")
    #expect(try answer(deck, "/a?api_key=another&b=1") == "miss")
  }
}
