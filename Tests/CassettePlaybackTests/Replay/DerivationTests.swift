import CassetteHTTP
import CassetteSystem
import TestSupport
import Testing

@testable import CassettePlayback
@testable import Cassettes

/// Answers derived from a recorded `GET` (RFC 9110 §9.3.2, §13, §14).
@Suite struct DerivationTests {
  private let deck = Exchange.deck([
    Exchange.recorded(
      "GET /a",
      answer: [
        "Content-Type": "text/plain", "Content-Language": "en", "Content-Location": "/a.txt", "ETag": "W/\"v,1\"",
        "Last-Modified": "Wed, 21 Oct 2015 07:28:00 GMT", "Cache-Control": "no-cache",
      ], content: "0123456789"),
    Exchange.recorded(
      "GET /strong", answer: ["ETag": "\"v1\"", "Last-Modified": "Wed, 21 Oct 2015 07:28:00 GMT"], content: "0123456789"
    ),
    Exchange.recorded("GET /bare", content: "0123456789"),
    Exchange.recorded("GET /none", answer: ["Accept-Ranges": "none"]),
    Exchange.recorded("GET /404", status: 404, answer: ["ETag": "\"v1\""]),
    Exchange.recorded("POST /a", answer: ["ETag": "\"v1\""]),
  ])

  private func status(_ line: String, _ headers: HTTPHeaders) throws -> Int {
    try deck.response(Exchange.request(line, headers)).status.code
  }

  @Test func `HEAD is answered with the head and the length of the recorded GET`() throws {
    let response = try deck.response(Exchange.request("HEAD /a"))
    #expect(response.status == 200)
    #expect(response.headers["Content-Type"] == "text/plain")
    #expect(response.text == nil)
    #expect(response.length == 10)
    #expect(try deck.response(Exchange.request("HEAD /404")).status == 404)
  }

  @Test(arguments: [
    ("W/\"v,1\"", 304), ("\"v,1\"", 304), ("*", 304), ("\"x\", \"v,1\"", 304), ("\"x\",W/\"v,1\" , \"y\"", 304),
    ("\"v\", 1\"", 200),
    ("\"x\"", 200), ("\"v\"", 200), ("", 200), (",", 200), ("v,1", 200),
  ])
  func `If-None-Match with the recorded tag is a 304, compared weakly`(tags: String, status: Int) throws {
    #expect(try self.status("GET /a", ["If-None-Match": tags]) == status)
    #expect(try self.status("HEAD /a", ["If-None-Match": tags]) == status)
  }

  @Test func `If-None-Match in several fields is one list of tags`() throws {
    #expect(try status("GET /a", ["If-None-Match": "\"x\"", "if-none-match": "\"v,1\""]) == 304)
  }

  @Test func `If-None-Match with an asterisk is a 304 also without a recorded tag`() throws {
    #expect(try status("GET /bare", ["If-None-Match": "*"]) == 304)
    #expect(try status("GET /bare", ["If-None-Match": "\"x\""]) == 200)
  }

  @Test(arguments: [
    ("Wed, 21 Oct 2015 07:28:00 GMT", 304), ("Wed, 21 Oct 2015 07:28:01 GMT", 304),
    ("Wed, 21 Oct 2015 07:27:59 GMT", 200),
    ("Wednesday, 21-Oct-15 07:28:00 GMT", 304), ("Wed Oct 21 07:28:00 2015", 304), ("yesterday", 200), ("", 200),
  ])
  func `If-Modified-Since at or after the recorded date is a 304`(date: String, status: Int) throws {
    #expect(try self.status("GET /a", ["If-Modified-Since": date]) == status)
    #expect(try self.status("GET /bare", ["If-Modified-Since": date]) == 200)
  }

  @Test func `If-None-Match takes precedence over If-Modified-Since`() throws {
    let date = "Wed, 21 Oct 2015 07:28:00 GMT"
    #expect(try status("GET /a", ["If-None-Match": "\"x\"", "If-Modified-Since": date]) == 200)
    #expect(
      try status("GET /a", ["If-None-Match": "\"v,1\"", "If-Modified-Since": "Wed, 21 Oct 2000 07:28:00 GMT"]) == 304)
  }

  @Test func `a range that was not recorded is cut from a recording of the whole, or is a miss`() throws {
    let part = Exchange.recorded("GET /a", id: "part", asked: ["Range": "bytes=0-1"], status: 206, content: "01")
    let deck = Exchange.deck([part, Exchange.recorded("GET /a", id: "whole", content: "0123456789")])
    let other = try Exchange.request("GET /a", ["Range": "bytes=2-3"])
    #expect(try deck.response(other).text == "23")
    #expect(try deck.id(for: Exchange.request("GET /a", ["Range": "bytes=0-1"])) == "part")
    #expect(try deck.id(for: Exchange.request("GET /a")) == "whole")
    let alone = Exchange.deck([part])
    #expect(alone.id(for: other) == "miss")
    let target = Array("/a".utf8)
    #expect(alone.table.sole(method: Array("GET".utf8).span, target: target.span, hasCredentials: { false }) == nil)
    #expect(try alone.miss(other).text.contains("header.Range: sent \"bytes=2-3\", recorded \"bytes=0-1\""))
  }

  @Test func `304 takes precedence over 206, and only for a successful GET`() throws {
    #expect(try status("GET /strong", ["If-None-Match": "\"v1\"", "Range": "bytes=0-1"]) == 304)
    #expect(try status("GET /404", ["If-None-Match": "\"v1\"", "Range": "bytes=0-1"]) == 404)
    #expect(try status("POST /a", ["If-None-Match": "\"v1\"", "Range": "bytes=0-1"]) == 200)
  }

  @Test func `a 304 has the fields for caches and no length`() throws {
    let response = try deck.response(Exchange.request("GET /a", ["If-None-Match": "*"]))
    #expect(response.headers.map(\.name) == ["Content-Location", "ETag", "Last-Modified", "Cache-Control"])
    #expect(response.text == nil)
    #expect(response.length == nil)
  }

  @Test(
    arguments: [
      ("bytes=0-0", 206, "0", "bytes 0-0/10"), ("bytes=2-4", 206, "234", "bytes 2-4/10"),
      ("bytes=7-", 206, "789", "bytes 7-9/10"),
      ("bytes=-3", 206, "789", "bytes 7-9/10"), ("bytes=-30", 206, "0123456789", "bytes 0-9/10"),
      ("bytes=8-99", 206, "89", "bytes 8-9/10"), ("Bytes= 2 -4", 200, "0123456789", nil),
      ("bytes= 2-4", 206, "234", "bytes 2-4/10"),
      ("bytes=0-99999999999999999999", 206, "0123456789", "bytes 0-9/10"), ("bytes=10-", 416, "", "bytes */10"),
      ("bytes=10-20", 416, "", "bytes */10"), ("bytes=99999999999999999999-", 416, "", "bytes */10"),
      ("bytes=-0", 416, "", "bytes */10"),
      ("bytes=4-2", 200, "0123456789", nil), ("bytes=-", 200, "0123456789", nil), ("bytes=a-b", 200, "0123456789", nil),
      ("bytes=0-1,3-4", 200, "0123456789", nil), ("items=0-1", 200, "0123456789", nil), ("0-1", 200, "0123456789", nil),
      ("bytes=1-2-3", 200, "0123456789", nil), ("bytes=+1-2", 200, "0123456789", nil),
    ] as [(String, Int, String, String?)])
  func `a single byte range is a 206 with Content-Range, and an invalid one is the whole`(
    range: String, status: Int, text: String, content: String?
  ) throws {
    let response = try deck.response(Exchange.request("GET /strong", ["Range": range]))
    #expect(response.status.code == status)
    #expect(response.text == text)
    #expect(response.headers["Content-Range"] == content)
    #expect(response.headers["ETag"] == "\"v1\"")
  }

  @Test func `a byte range of an empty body is unsatisfiable`() {
    #expect(ByteRange("bytes=0-", length: 0) == .unsatisfiable)
    #expect(ByteRange("bytes=-1", length: 0) == .unsatisfiable)
  }

  @Test(arguments: [
    ("\"v1\"", 206), ("\"v2\"", 200), ("W/\"v1\"", 200), ("Wed, 21 Oct 2015 07:28:00 GMT", 206),
    ("Wed, 21 Oct 2015 07:28:01 GMT", 200),
  ])
  func `If-Range with another version is answered with the whole`(condition: String, status: Int) throws {
    #expect(try self.status("GET /strong", ["Range": "bytes=0-1", "If-Range": condition]) == status)
  }

  @Test func `a range request is answered with the whole if ranges are not accepted or for HEAD`() throws {
    #expect(try status("GET /none", ["Range": "bytes=0-1"]) == 200)
    #expect(try status("HEAD /strong", ["Range": "bytes=0-1"]) == 200)
  }

  @Test func `a recorded answer to a conditional, range, HEAD or OPTIONS request is played unchanged`() throws {
    let deck = Exchange.deck([
      Exchange.recorded(
        "GET /a", id: "304", asked: ["If-None-Match": "\"v1\""], status: 200, answer: ["ETag": "\"v1\""], content: "x"),
      Exchange.recorded("GET /r", id: "206", asked: ["Range": "bytes=0-1"], status: 200, content: "xyz"),
      Exchange.recorded("HEAD /a", id: "head", status: 500),
      Exchange.recorded("OPTIONS /a", id: "options", status: 403),
    ])
    #expect(try deck.response(Exchange.request("GET /a", ["If-None-Match": "\"v1\""])).status == 200)
    #expect(try deck.response(Exchange.request("GET /r", ["Range": "bytes=0-1"])).text == "xyz")
    #expect(try deck.response(Exchange.request("HEAD /a")).status == 500)
    #expect(try deck.response(Exchange.request("OPTIONS /a")).status == 403)
  }

  // MARK: OPTIONS

  private let site = Exchange.deck(
    [Exchange.recorded("GET /a?x=1"), Exchange.recorded("POST /a?x=1"), Exchange.recorded("DELETE /b")],
    fixtures: [Exchange.fixture("PUT /users/{name}", id: "template"), Exchange.fixture("GET /f", id: "fixture")])

  @Test(arguments: [
    ("OPTIONS /a?x=1", "GET, HEAD, OPTIONS, POST"), ("OPTIONS /b", "DELETE, OPTIONS"),
    ("OPTIONS /f?any", "GET, HEAD, OPTIONS"),
    ("OPTIONS /users/kean", "OPTIONS, PUT"), ("OPTIONS *", "DELETE, GET, HEAD, OPTIONS, POST, PUT"),
  ])
  func `OPTIONS lists the recorded methods of its path`(line: String, methods: String) throws {
    let response = try site.response(Exchange.request(line))
    #expect(response.status == 204)
    #expect(response.headers["Allow"] == methods)
    #expect(response.headers.contains("Access-Control-Allow-Origin") == false)
  }

  @Test func `OPTIONS for another origin is a miss if the deck knows origins`() throws {
    let (mine, other) = (
      try Exchange.request("OPTIONS https://a.example/x"), try Exchange.request("OPTIONS https://b.example/x")
    )
    for matching in [CassetteMatchingOptions(), .query(ignoring: "y")] {
      func deck(_ more: CassetteMatchingOptions = CassetteMatchingOptions(), knows: Bool = true) -> Deck {
        Exchange.deck(
          [Exchange.recorded("GET /x")], origin: "https://a.example", matching: matching, more, knowsOrigins: knows)
      }
      #expect(deck().id(for: mine) == "derived")
      #expect(deck().id(for: other) == "miss")
      for free in [deck(.loose), deck(.anyHost), deck(knows: false)] { #expect(free.id(for: other) == "derived") }
    }
  }

  @Test func `OPTIONS for a path without recordings is a miss`() throws {
    #expect(try site.id(for: Exchange.request("OPTIONS /c")) == "miss")
  }

  @Test func `the deck adds no CORS field to an answer`() throws {
    let deck = Exchange.deck([
      Exchange.recorded("GET /a"),
      Exchange.recorded("GET /b", answer: ["access-control-allow-origin": "https://x.example"]),
    ])
    let origin: HTTPHeaders = ["Origin": "http://localhost:3000", "Access-Control-Request-Method": "GET"]
    for line in ["GET /a", "OPTIONS /a"] {
      #expect(!(try deck.response(Exchange.request(line, origin)).headers.contains("Access-Control-Allow-Origin")))
    }
    #expect(
      try deck.response(Exchange.request("GET /b", origin)).headers.values(of: "Access-Control-Allow-Origin")
        == ["https://x.example"])
  }
}
