import CassetteHTTP
import TestSupport
import Testing

@testable import CassettePlayback
@testable import Cassettes

/// The rules of the section "Which interaction answers".
@Suite struct DeckTests {
  func recorded(_ line: String, id: String, repeats: RepeatPolicy = .last) -> Interaction {
    Exchange.recorded(line, id: id, repeats: repeats)
  }

  // MARK: candidates

  @Test(arguments: [
    ("GET /a", "GET /a"), ("GET /a?x=1&y=2", "GET /a?y=2&x=1"), ("GET /a?x=1&x=2", "GET /a?x=1&x=2"),
    ("GET /%61", "GET /a"), ("GET /café", "GET /caf%C3%A9"), ("GET /a?q=1+2", "GET /a?q=1%202"),
    ("GET https://api.example.com/a?x=1", "GET /a?x=1"), ("GET https://api.example.com", "GET /"),
    ("GET https://api.example.com?x=1", "GET /?x=1"), ("GET /a", "GET http://any.example/a"),
    ("OPTIONS *", "OPTIONS *"),
  ])
  func `a recording answers a request with an equal method, path and query`(recorded: String, asked: String) throws {
    let deck = Exchange.deck([Exchange.recorded(recorded)])
    #expect(try deck.id(for: Exchange.request(asked)) == recorded)
  }

  @Test(arguments: [
    ("GET /a", "POST /a"), ("GET /a", "GET /b"), ("GET /a", "GET /a/"), ("GET /a", "GET /a?x"),
    ("GET /a?x=1", "GET /a"),
    ("GET /a?x=1&x=2", "GET /a?x=2&x=1"), ("GET /a?x=1", "GET /a?x=1&x=1"), ("GET /a", "GET /A"), ("HEAD /a", "GET /a"),
    ("GET /a%2Fb", "GET /a/b"), ("OPTIONS *", "OPTIONS /a"), ("GET /a?q=1%2B2", "GET /a?q=1+2"),
  ])
  func `a recording does not answer a request with another method, path or query`(recorded: String, asked: String)
    throws
  {
    let deck = Exchange.deck([Exchange.recorded(recorded)])
    #expect(try deck.id(for: Exchange.request(asked)) == "miss")
  }

  // MARK: preference

  @Test func `a recording of the request's origin is preferred`() throws {
    let deck = Exchange.deck(
      [
        recorded("GET https://b.example:443/a", id: "b"), recorded("GET /a", id: "home"),
        recorded("GET http://b.example/a", id: "b80"),
      ],
      origin: "https://API.example.com")
    #expect(try deck.ids(for: Exchange.request("GET https://b.example/a"), times: 2) == ["b", "b"])
    #expect(try deck.id(for: Exchange.request("GET http://B.example:80/a")) == "b80")
    #expect(try deck.id(for: Exchange.request("GET https://api.example.com:443/a")) == "home")
    deck.reset()
    #expect(try deck.ids(for: Exchange.request("GET /a"), times: 4) == ["b", "home", "b80", "b80"])
  }

  @Test func `a recording whose header fields equal the request's is preferred`() throws {
    let deck = Exchange.deck([
      Exchange.recorded("GET /a", id: "xml", asked: ["Accept": "application/xml"]),
      Exchange.recorded("GET /a", id: "any"),
      Exchange.recorded("GET /a", id: "json", asked: ["Accept": "application/json"]),
      Exchange.recorded("GET /a", id: "json v2", asked: ["accept": "application/json", "X-Version": "2"]),
    ])
    #expect(try deck.id(for: Exchange.request("GET /a", ["ACCEPT": "application/json"])) == "json")
    #expect(
      try deck.id(for: Exchange.request("GET /a", ["Accept": "application/json", "X-Version": "2"])) == "json v2")
    #expect(try deck.id(for: Exchange.request("GET /a", ["Accept": "application/xml"])) == "xml")
    #expect(try deck.id(for: Exchange.request("GET /a", ["Accept": "text/html"])) == "any")
    #expect(try deck.id(for: Exchange.request("GET /a")) == "any")
  }

  @Test func `a recording with another Accept field still answers`() throws {
    let deck = Exchange.deck([Exchange.recorded("GET /a", id: "json", asked: ["Accept": "application/json"])])
    #expect(try deck.id(for: Exchange.request("GET /a", ["Accept": "text/html"])) == "json")
  }

  @Test func `the fields User-Agent, Host and Accept-Language do not change the order of recordings`() throws {
    let deck = Exchange.deck([
      Exchange.recorded("GET /a", id: "1", asked: ["User-Agent": "curl", "Host": "x", "Accept-Language": "de"]),
      Exchange.recorded("GET /a", id: "2", asked: ["User-Agent": "Safari"]),
    ])
    #expect(try deck.ids(for: Exchange.request("GET /a", ["User-Agent": "Safari"]), times: 3) == ["1", "2", "2"])
  }

  struct Bodies: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var type: String
    var recorded: String
    var sent: String
    var isEqual = true
    var sentType: String?
  }

  private static let form = "application/x-www-form-urlencoded"
  private static let multipart = "--b1\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b1--\r\n"

  @Test(arguments: [
    Bodies(
      testDescription: "member order", type: "application/json", recorded: #"{"a":1,"b":[2]}"#,
      sent: #"{ "b": [2], "a": 1.0 }"#),
    Bodies(
      testDescription: "value", type: "application/json", recorded: #"{"a":1}"#, sent: #"{"a":2}"#, isEqual: false),
    Bodies(
      testDescription: "element order", type: "application/json", recorded: "[1,2]", sent: "[2,1]", isEqual: false),
    Bodies(
      testDescription: "64-bit ids", type: "application/json", recorded: "9007199254740993", sent: "9007199254740992",
      isEqual: false),
    Bodies(testDescription: "escapes", type: "application/json", recorded: #""\u00e9""#, sent: "\"é\""),
    Bodies(testDescription: "JSON of another name", type: "application/vnd.api+json", recorded: "[1]", sent: "[ 1 ]"),
    Bodies(
      testDescription: "JSON secret", type: "application/json", recorded: #"{"password":"{{secret:1}}","a":1}"#,
      sent: #"{"a":1,"password":"hunter2"}"#),
    Bodies(
      testDescription: "long JSON secret", type: "application/json", recorded: #"{"token":"Bearer {{secret:1}}"}"#,
      sent: "{\"token\":\"Bearer \(String(repeating: "x", count: 900))\"}"),
    Bodies(
      testDescription: "JSON secret of another shape", type: "application/json",
      recorded: #"{"token":"Bearer {{secret:1}}"}"#, sent: #"{"token":"Basic abc"}"#, isEqual: false),
    Bodies(testDescription: "form order", type: form, recorded: "a=1&b=2", sent: "b=2&a=1"),
    Bodies(testDescription: "form escapes", type: form, recorded: "a=1+2", sent: "a=1%202"),
    Bodies(
      testDescription: "form order within a name", type: form, recorded: "a=1&a=2", sent: "a=2&a=1", isEqual: false),
    Bodies(testDescription: "form field more", type: form, recorded: "a=1", sent: "a=1&b=2", isEqual: false),
    Bodies(
      testDescription: "form secret", type: form, recorded: "user=kean&password=%7B%7Bsecret:1%7D%7D",
      sent: "password=x&user=kean"),
    Bodies(
      testDescription: "multipart boundary", type: "multipart/form-data; boundary=b1", recorded: multipart,
      sent: multipart.replacing("b1", with: "b2"), sentType: "multipart/form-data; boundary=b2"),
    Bodies(
      testDescription: "multipart value", type: "multipart/form-data; boundary=b1", recorded: multipart,
      sent: multipart.replacing("\r\n1", with: "\r\n2"), isEqual: false),
    Bodies(testDescription: "text", type: "text/plain", recorded: "a b", sent: "a  b", isEqual: false),
    Bodies(testDescription: "nothing sent", type: "text/plain", recorded: "a", sent: "", isEqual: false),
  ])
  func `only a recording with an equal body answers, and with loose matching it is preferred`(bodies: Bodies) throws {
    let recordings = [
      Exchange.recorded("POST /a", id: "unequal", asked: ["Content-Type": bodies.type], sent: "something else"),
      Exchange.recorded("POST /a", id: "equal", asked: ["Content-Type": bodies.type], sent: bodies.recorded),
      Exchange.recorded("POST /a", id: "unequal 2", asked: ["Content-Type": bodies.type], sent: "something else again"),
    ]
    let request = try Exchange.request("POST /a", ["Content-Type": bodies.sentType ?? bodies.type], body: bodies.sent)
    let careful = bodies.isEqual ? ["equal", "equal"] : ["miss", "miss"]
    #expect(Exchange.deck(recordings).ids(for: request, times: 2) == careful)
    let loose = bodies.isEqual ? ["equal", "equal"] : ["unequal", "equal"]
    #expect(Exchange.deck(recordings, matching: .loose).ids(for: request, times: 2) == loose)
  }

  @Test func `a recording without a body is preferred to one with another body`() throws {
    let deck = Exchange.deck([
      Exchange.recorded("POST /a", id: "other", sent: "other"), Exchange.recorded("POST /a", id: "any"),
    ])
    #expect(try deck.id(for: Exchange.request("POST /a", body: "mine")) == "any")
    #expect(try deck.id(for: Exchange.request("POST /a")) == "any")
    #expect(try deck.id(for: Exchange.request("POST /a", body: "other")) == "other")
  }

  @Test func `an equal origin is preferred to equal fields, and equal fields to an equal body`() throws {
    let deck = Exchange.deck(
      [
        Exchange.recorded("POST https://b.example/a", id: "origin"),
        Exchange.recorded("POST /a", id: "fields", asked: ["Accept": "x"]),
        Exchange.recorded("POST /a", id: "body", sent: "1"),
      ], origin: "https://a.example")
    #expect(try deck.id(for: Exchange.request("POST https://b.example/a", ["Accept": "x"], body: "1")) == "origin")
    #expect(try deck.id(for: Exchange.request("POST https://a.example/a", ["Accept": "x"], body: "1")) == "fields")
    #expect(try deck.id(for: Exchange.request("POST https://a.example/a", ["Accept": "y"], body: "1")) == "body")
  }

  // MARK: secrets

  @Test func `a redacted secret in a header field equals any sent value`() throws {
    let deck = Exchange.deck([
      Exchange.recorded("GET /a", id: "basic", asked: ["Authorization": "Basic {{secret:1}}"]),
      Exchange.recorded("GET /a", id: "bearer", asked: ["Authorization": "Bearer {{secret:2}}"]),
      Exchange.recorded("GET /a", id: "cookies", asked: ["Cookie": "a={{secret:3}}; b={{secret:4}}"]),
    ])
    #expect(
      try deck.ids(for: Exchange.request("GET /a", ["Authorization": "Bearer abc"]), times: 2) == ["bearer", "bearer"])
    #expect(try deck.id(for: Exchange.request("GET /a", ["Authorization": "Basic abc"])) == "basic")
    #expect(try deck.id(for: Exchange.request("GET /a", ["Cookie": "a=1; b=2"])) == "cookies")
    deck.reset()
    #expect(
      try deck.id(for: Exchange.request("GET /a", ["Authorization": "Bearer "])) == "basic",
      "an empty value is not a secret")
  }

  @Test func `a redacted secret in a query or path equals any sent value except the empty one`() throws {
    let deck = Exchange.deck([
      recorded("GET /a?page=1&access_token={{secret:1}}", id: "one"),
      recorded("GET /a?page=1&access_token={{secret:2}}", id: "two"),
      recorded("GET /a?page=2&access_token=%7B%7Bsecret%3A1%7D%7D", id: "escaped"),
      recorded("GET /a?page=1&access_token=known", id: "known"),
      recorded("GET /hook/{{secret:3}}/run", id: "path"),
    ])
    #expect(try deck.ids(for: Exchange.request("GET /a?access_token=x&page=1"), times: 3) == ["one", "two", "two"])
    #expect(try deck.id(for: Exchange.request("GET /a?access_token=x&page=2")) == "escaped")
    #expect(try deck.id(for: Exchange.request("GET /a?access_token=known&page=1")) == "known")
    #expect(try deck.id(for: Exchange.request("GET /a?access_token=x&page=3")) == "miss")
    #expect(try deck.id(for: Exchange.request("GET /a?access_token=&page=2")) == "miss")
    #expect(try deck.id(for: Exchange.request("GET /a?page=2")) == "miss")
    #expect(try deck.id(for: Exchange.request("GET /hook/T01/run")) == "path")
    #expect(try deck.id(for: Exchange.request("GET /hook/T01/x/run")) == "miss")
    #expect(try deck.id(for: Exchange.request("POST /hook/T01/run")) == "miss")
    #expect(try deck.id(for: Exchange.request("HEAD /hook/T01/run")) == "path")
  }

  @Test func `a redacted secret in a parameter's name or in base64 equals any sent value`() throws {
    // The object {"password":"{{secret:3}}"} in base64, and the same object with a password.
    let (coded, sent) = ("eyJwYXNzd29yZCI6Int7c2VjcmV0OjN9fSJ9", "eyJwYXNzd29yZCI6Imh1bnRlcjJodW50ZXI5In0")
    let deck = Exchange.deck([
      recorded("GET /a?{{secret:1}}", id: "name"), recorded("GET /b?x=1&{{secret:1}}=2", id: "named"),
      recorded("GET /c?data=\(coded)", id: "query"), recorded("GET /c/\(coded)/z", id: "path"),
      recorded("GET /d/{{secret:1}}{{secret:2}}", id: "both"),
    ])
    for (asked, id) in [
      ("/a?ghp_one", "name"), ("/a?ghp_one=1", "miss"), ("/a", "miss"), ("/b?ghp_two=2&x=1", "named"),
      ("/b?ghp_two=3&x=1", "miss"), ("/b?x=1", "miss"), ("/c?data=\(sent)", "query"), ("/c?data=\(sent)%3D", "query"),
      ("/c?data=e30", "miss"), ("/c/\(sent)/z", "path"), ("/c/\(sent)/y", "miss"), ("/c/e30/z", "miss"),
      ("/d/onetwo", "both"), ("/d/", "miss"),
    ] {
      #expect(try deck.id(for: Exchange.request("GET \(asked)")) == id, "\(asked)")
    }
  }
}
