import CassetteHTTP
import CassetteSecrets
import Foundation
import TestSupport
import Testing

@testable import CassetteMatching
@testable import CassetteRecording
@testable import Cassettes

private func exchange(
  _ url: String = "/a", _ headers: HTTPHeaders = [], body: String? = nil, answer: String? = nil
) -> Interaction {
  Interaction(
    method: .get, url: url, requestHeaders: headers, requestBody: body.map { .storing(Array($0.utf8)) },
    outcome: .response(RecordedResponse(status: 200, body: answer.map { .storing(Array($0.utf8)) })))
}

private func text(_ body: Body?) throws -> String {
  let bytes = try body?.bytes()
  return String(decoding: try #require(bytes), as: UTF8.self)
}

private func redacted(_ interaction: Interaction, _ redaction: CassetteRedaction = .standard) throws -> Interaction {
  try #require(try redaction.redacting([interaction]).first)
}

@Suite struct `Stand-ins` {
  private func alias(_ secret: String) throws -> String {
    let body = try redacted(exchange(body: #"{"token":"\#(secret)"}"#)).requestBody
    return String(decoding: try body?.bytes().dropFirst(10).dropLast(2) ?? [], as: UTF8.self)
  }

  private func rendered(_ text: String) -> String { StandIns().rendered(text) ?? text }

  /// Each row has a secret, its alias in a cassette, and the stand-in that a client receives.
  @Test(arguments: [
    ("550e8400-e29b-41d4-a716-446655440000", "{{secret:1:uuid}}", "5ec2e700-0000-4000-8000-000000000001"),
    ("550E8400-E29B-41D4-A716-446655440000", "{{secret:1:uuid,upper}}", "5EC2E700-0000-4000-8000-000000000001"),
    ("kean@example.com", "{{secret:1:email}}", "secret-1@example.invalid"),
    ("https://example.com/a?b=c#d", "{{secret:1:url}}", "https://secret-1.invalid/"),
    ("wss://example.com", "{{secret:1:url,wss}}", "wss://secret-1.invalid/"),
    ("4711", "{{secret:1:digits,4}}", "7001"), ("47", "{{secret:1:digits,2}}", "71"),
    ("2147483647", "{{secret:1:digits,10}}", "1000000001"), ("-12.50", "{{secret:1:digits,-2.2}}", "-71.55"),
    ("2026-11-22", "{{secret:1:date,0000-00-00}}", "2001-01-02"),
    ("2026-11-22T05:50:06Z", "{{secret:1:date,0000-00-00T00:00:00Z}}", "2001-01-01T00:00:01Z"),
    (
      "2026-11-22T05:50:06.123+01:00", "{{secret:1:date,0000-00-00T00:00:00.000+00:00}}",
      "2001-01-01T00:00:01.000+00:00"
    ),
    ("2026-11-22 05:50", "{{secret:1:date,0000-00-00_00:00}}", "2001-01-01 00:01"),
    ("20261122T055006Z", "{{secret:1:date,00000000T000000Z}}", "20010101T000001Z"),
    ("Sun, 22 Nov 2026 05:50:06 GMT", "{{secret:1:date,http}}", "Mon, 01 Jan 2001 00:00:01 GMT"),
    ("hunter2!", "{{secret:1}}", "secret-1"), ("12:30", "{{secret:1}}", "secret-1"),
    ("9876-54-32", "{{secret:1}}", "secret-1"), ("a@b", "{{secret:1}}", "secret-1"),
  ])
  func `a stand-in keeps the type and the format of its secret`(_ secret: String, _ expected: String, _ given: String)
    throws
  {
    #expect(try alias(secret) == expected)
    #expect(rendered(expected) == given)
    // The stand-in has the type of the secret: redacted again, it gets the same alias.
    if expected != given, !given.contains("://"), given != "secret-1" { #expect(try alias(given) == expected) }
  }

  @Test(arguments: ["uuid", "int", "number", "digits", "date", "email", "url", "jwt", "int,1", "date,0000-00-00"])
  func `stand-ins of a type with different numbers differ`(_ type: String) {
    let numbers = Array(1...1200) + [99_999, 123_456]
    #expect(Set(numbers.map { rendered("{{secret:\($0):\(type)}}") }).count == numbers.count)
    #expect(numbers.allSatisfy { !rendered("{{secret:\($0):\(type)}}").contains("{{") })
  }

  @Test(arguments: [
    "{{secret:1:text}}", "{{secret:1:uuid", "{{secret:x:uuid}}", "{{secret}}", "{{secret:1:uuid }}",
  ])
  func `a text with an unknown or incomplete stand-in is not changed`(_ text: String) {
    #expect(StandIns().rendered("before \(text) behind") == nil)
  }

  @Test(arguments: [
    ("/cb?code={{secret:4}}&state=x", "/cb?code=secret-4&state=x"),
    ("/a?at={{secret:1:date,http}}&b=1", "/a?at=Mon%2C%2001%20Jan%202001%2000%3A00%3A01%20GMT&b=1"),
    ("/u/{{secret:1:email}}", "/u/secret-1%40example.invalid"),
    ("at={{secret:1:date,0000-00-00_00:00}}", "at=2001-01-01 00:01"),
    ("{\"next\": \"/x?to={{secret:1:url}}\"}", "{\"next\": \"/x?to=https%3A%2F%2Fsecret-1.invalid%2F\"}"),
  ])
  func `a stand-in in a URL has only unreserved characters`(_ text: String, _ expected: String) {
    #expect(rendered(text) == expected)
  }

  @Test func `stand-ins of JSON numbers are sent as numbers, and those of digit strings as strings`() throws {
    let answer = #"{"pin":1234,"otp":"1234","list":{"token":[12.5,-300]},"inner":"{\"pin\":987654}"}"#
    let kept = try text(redacted(exchange(answer: answer)).response?.body)
    #expect(
      kept == #"{"pin":"{{secret:1:int,4}}","otp":"{{secret:1:digits,4}}","#
        + #""list":{"token":["{{secret:2:number,2.1}}","{{secret:3:int,-3}}"]},"inner":"{\"pin\":{{secret:4:int,6}}}"}"#
    )
    #expect(
      rendered(kept)
        == #"{"pin":7001,"otp":"7001","list":{"token":[72.5,-103]},"inner":"{\"pin\":700004}"}"#)
    let events = "data: {\"pin\": 1234}\n\n"
    let stream = try text(redacted(exchange(answer: events)).response?.body)
    #expect(stream == "data: {\"pin\": {{secret:1:int,4}}}\n\n")
    #expect(rendered(stream) == "data: {\"pin\": 7001}\n\n")
  }

  @Test func `a stand-in within base64 is replaced in the decoded text`() throws {
    let kept = "x \(base64("{\"id\": \"{{secret:1:uuid}}\"}")) y"
    #expect(rendered(kept) == "x \(base64("{\"id\": \"5ec2e700-0000-4000-8000-000000000001\"}")) y")
  }

  @Test func `given secrets are sent instead of stand-ins, and long ones are hidden again`() {
    let given = StandIns([1: "a\"b", 2: "42"])
    #expect(
      given.rendered(#"{"a":"{{secret:1}}","b":"{{secret:2:int}}","c":"{{secret:3:int,3}}"}"#)
        == #"{"a":"a\"b","b":42,"c":103}"#)
    #expect(StandIns.hiding(#"x a"b, a\"b and a%22b"#, [1: "a\"b", 2: "x"]) == "x a\"b, a\\\"b and a%22b")
    #expect(
      StandIns.hiding(#"a"bcd, a\"bcd and a%22bcd"#, [1: "a\"bcd"]) == "{{secret:1}}, {{secret:1}} and {{secret:1}}")
  }

  // MARK: Tokens

  private func token(_ head: String, _ claims: String) -> String {
    [head, claims, "signature"].map {
      base64($0).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }.joined(separator: ".")
  }

  private func decoded(_ token: String) throws -> [[String: Any]] {
    try token.split(separator: ".").prefix(2).map { part in
      var text = String(part).replacing("-", with: "+").replacing("_", with: "/")
      while text.count % 4 > 0 { text += "=" }
      let data = try #require(Data(base64Encoded: text))
      return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }
  }

  @Test func `the stand-in of a JWT keeps its times and replaces personal claims`() throws {
    let claims =
      #"{"iss":"https://a.example/","aud":["api","x,y"],"exp":1700003600,"iat":1700000000,"sub":"550e8400-e29b-41d4-a716-446655440000","#
      + #""email":"kean@example.com","email_verified":true,"ver":"1.0","level":3,"typ":"Bearer","realm":{"roles":["admin"],"none":[]}}"#
    let alias = try alias(token(#"{"alg":"RS256","typ":"JWT","kid":"k-1","x":1}"#, claims))
    #expect(
      alias == "{{secret:1:jwt,('alg':'RS256','typ':'JWT','kid':$,'x':$int)('iss':'https:!2F!2Fa.example!2F',"
        + "'aud':['api','x!2Cy'],'exp':1700003600,'iat':1700000000,'sub':$uuid,'email':$email,'email_verified':true,"
        + "'ver':'1.0','level':$int,'typ':'Bearer','realm':('roles':[$],'none':[]))}}")
    let parts = try decoded(rendered(alias))
    #expect(parts[0] as NSDictionary == ["alg": "RS256", "typ": "JWT", "kid": "secret-1", "x": 700_000_001])
    #expect(
      parts[1] as NSDictionary == [
        "iss": "https://a.example/", "aud": ["api", "x,y"], "exp": 1_700_003_600, "iat": 1_700_000_000,
        "sub": "5ec2e700-0000-4000-8000-000000000001", "email": "secret-1@example.invalid", "email_verified": true,
        "ver": "1.0", "level": 700_000_001, "typ": "Bearer", "realm": ["roles": ["secret-1"], "none": []],
      ])
  }

  @Test func `a JWT stand-in without claims decodes, and one with the algorithm none has no signature`() throws {
    let parts = try decoded(rendered("{{secret:5:jwt}}"))
    #expect(parts[0]["alg"] as? String == "HS256")
    #expect(parts[1]["sub"] as? String == "secret-5")
    #expect(rendered("{{secret:5:jwt,('alg':'none')('sub':$)}}").hasSuffix("."))
  }

  @Test func `the alias of a JWT has only characters allowed in JSON, URLs, fields and cookies`() throws {
    let claims = #"{"iss":"https://a b/?c=d&e;f#g%h+i\"j\\k{l}m<n>'ö","aud":"a/b","~":"x","a.b":1}"#
    let alias = try alias(token(#"{"alg":"ES256"}"#, claims))
    #expect(alias.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f })
    #expect(!alias.contains { "\"\\/?&;#%+<>= ".contains($0) })
    let issuer = try decoded(rendered(alias))[1]["iss"] as? String
    #expect(issuer == "https://a b/?c=d&e;f#g%h+i\"j\\k{l}m<n>'ö")
    #expect(try decoded(rendered(alias))[1]["a.b"] as? Int == 700_000_001)
  }

  // MARK: Replacement texts

  @Test func `a replacement text is written in the encoding of its place`() throws {
    let redaction = CassetteRedaction.redacting(.json("$.iban"), with: "DE \"00\"").redacting(.json("$.id"), with: "42")
      .redacting(.query("sigil"), with: "a b").redacting(.header("X-Team"), with: "blue")
      .redacting(.form("x"), with: "1&2").redacting(.value("needle-9")) { "made of \($0.count)" }
    let result = try redacted(
      exchange(
        "/a?sigil=abcdef", ["x-team": "red 42"], body: #"{"iban":"DE001122","id":7,"n":"needle-9"}"#,
        answer: "known DE001122, needle-9"), redaction)
    #expect(result.url == "/a?sigil=a%20b")
    #expect(result.requestHeaders["X-Team"] == "blue")
    #expect(try text(result.requestBody) == #"{"iban":"DE \"00\"","id":42,"n":"made of 8"}"#)
    #expect(try text(result.response?.body) == "known DE \"00\", made of 8")
    let form = try redacted(
      exchange("/a", ["Content-Type": "application/x-www-form-urlencoded"], body: "x=hunter2!&y=1"), redaction)
    #expect(try text(form.requestBody) == "x=1%262&y=1")
  }

  @Test func `redactions with closures are equal only to themselves`() {
    let rule = CassetteRedaction.standard.redacting(.json("$.id")) { _ in "x" }
    #expect(rule == rule)
    #expect(rule != CassetteRedaction.standard.redacting(.json("$.id")) { _ in "x" })
  }

  // MARK: Selection of recordings

  @Test func `a request with a sent stand-in plays the recording of its secret`() throws {
    let deck = Exchange.deck([
      Exchange.recorded("GET /items/{{secret:1:uuid}}", id: "first"),
      Exchange.recorded("GET /items/{{secret:2:uuid}}", id: "second"),
      Exchange.recorded("POST /items", id: "one", sent: #"{"id":"{{secret:1:uuid}}","pin":"{{secret:3:int,4}}"}"#),
      Exchange.recorded("POST /items", id: "two", sent: #"{"id":"{{secret:2:uuid}}","pin":"{{secret:3:int,4}}"}"#),
    ])
    let second = "5ec2e700-0000-4000-8000-000000000002"
    #expect(deck.ids(for: try Exchange.request("GET /items/\(second)"), times: 2) == ["second", "second"])
    let body = #"{"pin":7003,"id":"\#(second)"}"#
    #expect(deck.ids(for: try Exchange.request("POST /items", body: body), times: 2) == ["two", "two"])
    // Any other value matches as an unknown secret.
    let real = "550e8400-e29b-41d4-a716-446655440000"
    #expect(deck.id(for: try Exchange.request("GET /items/\(real)")) == "first")
    #expect(
      deck.id(for: try Exchange.request("POST /items", body: #"{"pin":1234,"id":"\#(real)"}"#)) == "one")
  }
}
