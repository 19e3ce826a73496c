import CassetteHTTP
import CassetteRecording
internal import CassetteSecrets
import Cassettes
import TestSupport
import Testing

private func exchange(
  _ url: String = "/a", _ headers: HTTPHeaders = [], body: String? = nil, response: HTTPHeaders = [],
  answer: String? = nil
) -> Interaction {
  Interaction(
    method: .get, url: url, requestHeaders: headers, requestBody: body.map { .storing(Array($0.utf8)) },
    outcome: .response(
      RecordedResponse(status: 200, headers: response, body: answer.map { .storing(Array($0.utf8)) })))
}

private func text(_ body: Body?) throws -> String? { try body.map { String(decoding: try $0.bytes(), as: UTF8.self) } }

private func redacted(_ interaction: Interaction, _ redaction: CassetteRedaction = .standard) throws -> Interaction {
  try #require(try redaction.redacting([interaction]).first)
}

@Suite struct RedactionTests {
  @Test(arguments: [
    ("Authorization", "Bearer abcdefgh", "Bearer {{secret:1}}"),
    ("authorization", "token abcdefgh", "token {{secret:1}}"),
    ("Authorization", "abcdefgh", "{{secret:1}}"),
    ("Authorization", "Basic a2VhbjpodW50ZXIy", "Basic {{secret:1}}"),
    (
      "Authorization", "AWS4-HMAC-SHA256 Credential=A/b, SignedHeaders=x, Signature=ff", "AWS4-HMAC-SHA256 {{secret:1}}"
    ),
    ("Authorization", "Bearer {{secret:7}}", "Bearer {{secret:7}}"),
    ("Proxy-Authorization", "Digest username=\"a\", response=\"b\"", "Digest {{secret:1}}"),
    ("Cookie", "a=one123; b=two456; c=one123", "a={{secret:1}}; b={{secret:2}}; c={{secret:1}}"),
    ("Cookie", "a=\"one123\"", "a=\"{{secret:1}}\""),
    ("X-Api-Key", "k", "{{secret:1}}"),
    ("X-Gitlab-Token", "abc", "{{secret:1}}"),
    ("Accept", "text/plain", "text/plain"),
    ("Referer", "https://x/?access_token=abcdefgh&b=1", "https://x/?access_token={{secret:1}}&b=1"),
    ("Referer", "https://kean:hunter2@x/", "https://{{secret:1}}@x/"),
  ])
  func `a secret in a header field is replaced, and the rest of the field is kept`(
    _ name: String, _ value: String, _ expected: String
  ) throws {
    #expect(try redacted(exchange("/a", [(name, value)])).requestHeaders[name] == expected)
  }

  @Test(arguments: [
    (
      "a=1x2y3z; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT",
      "a={{secret:1}}; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT"
    ),
    ("sid=\"x\"", "sid=\"{{secret:1}}\""), ("gone=; Max-Age=0", "gone=; Max-Age=0"),
  ])
  func `Set-Cookie keeps its name and attributes`(_ value: String, _ expected: String) throws {
    let response = try redacted(exchange(response: ["Set-Cookie": value])).response
    #expect(response?.headers["Set-Cookie"] == expected)
  }

  @Test(arguments: [
    ("/a?access_token=abcdefgh&page=2", "/a?access_token={{secret:1}}&page=2"),
    ("/a?acc%65ss_token=a%20b&code=1", "/a?acc%65ss_token={{secret:1}}&code={{secret:2:digits,1}}"),
    (
      "/a?redirect_uri=https%3A%2F%2Fx%3Ftoken%3Dabcdefgh%26y%3D1",
      "/a?redirect_uri=https%3A%2F%2Fx%3Ftoken%3D{{secret:1}}%26y%3D1"
    ),
    ("https://user:pass@example.com/a", "https://{{secret:1}}@example.com/a"),
    ("/a?key=color&page_token=abcdefgh", "/a?key=color&page_token=abcdefgh"),
    ("/a?key=AIza" + String(repeating: "Sy_-5", count: 7), "/a?key={{secret:1}}"),
    ("/a?token=", "/a?token="), ("/a?token", "/a?token"),
    ("/services/T0AB12CD3/B0EF45GH6/Rb9vFvhLEqw4ggCRVvRMeQPp", "/services/T0AB12CD3/B0EF45GH6/{{secret:1}}"),
    ("/with/key/dCKKdZOO0Rb9vFvhLEqw4ggCRVvRMeQPp", "/with/key/{{secret:1}}"),
  ])
  func `a URL loses the values of secret parameters`(_ url: String, _ expected: String) throws {
    #expect(try redacted(exchange(url)).url == expected)
  }

  @Test(arguments: [
    (#"{"access_token":"abcdefgh","n":1}"#, #"{"access_token":"{{secret:1}}","n":1}"#),
    ("{\n  \"b\": 1.0,\n  \"password\": \"a\\\"b\"\n}\n", "{\n  \"b\": 1.0,\n  \"password\": \"{{secret:1}}\"\n}\n"),
    (#"{"a": {"clientSecret": "x\/y"}}"#, #"{"a": {"clientSecret": "{{secret:1}}"}}"#),
    (#"{"pin":1234,"token":null,"password":true}"#, #"{"pin":"{{secret:1:int,4}}","token":null,"password":true}"#),
    (#"{"code":404,"error":{"code":"not_found"}}"#, #"{"code":404,"error":{"code":"not_found"}}"#),
    (#"{"password":["ab","cd"],"x":"y"}"#, #"{"password":["{{secret:1}}","{{secret:2}}"],"x":"y"}"#),
    (#"{"payload":"{\"api_key\":\"abcdefgh\"}"}"#, #"{"payload":"{\"api_key\":\"{{secret:1}}\"}"}"#),
    (#"{"acc\u0065ss_token":"abc"}"#, #"{"acc\u0065ss_token":"{{secret:1}}"}"#),
    (#"{"next_page_token":"abc","token_type":"bearer"}"#, #"{"next_page_token":"abc","token_type":"bearer"}"#),
    ("data: {\"access_token\": \"abcdefgh\"}\n\n", "data: {\"access_token\": \"{{secret:1}}\"}\n\n"),
    (#"{"next":"https://x/?a=1&access_token=abc"}"#, #"{"next":"https://x/?a=1&access_token={{secret:1}}"}"#),
  ])
  func `secrets in a body are replaced, and all other bytes are kept`(_ body: String, _ expected: String) throws {
    let interaction = try redacted(exchange(body: body, answer: body))
    #expect(try text(interaction.requestBody) == expected)
    #expect(try text(interaction.response?.body) == expected)
  }

  @Test func `secrets in URL-encoded and multipart forms are replaced`() throws {
    let form = try redacted(
      exchange("/a", ["Content-Type": "application/x-www-form-urlencoded"], body: "password=a%2Bb+c&user=kean"))
    #expect(try text(form.requestBody) == "password={{secret:1}}&user=kean")
    let parts = { (value: String) in
      "--XX\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\(value)\r\n--XX\r\n"
        + "Content-Disposition: form-data; name=\"user\"\r\n\r\nkean\r\n--XX--\r\n"
    }
    let multipart = try redacted(
      exchange("/a", ["Content-Type": "multipart/form-data; boundary=XX"], body: parts("hunter2!")))
    #expect(try text(multipart.requestBody) == parts("{{secret:1}}"))
  }

  @Test func `a token in a later answer is redacted in earlier exchanges, in each encoding`() throws {
    let token = "s3cr3t/+tok\"en=="
    let encoded = "s3cr3t%2F%2Btok%22en%3D%3D"
    let base64 = "czNjcjN0Lyt0b2siZW49PQ=="
    let interactions = [
      exchange("/hooks/\(encoded)?q=\(base64)", ["X-Where": token], body: "plain \(token) here"),
      exchange(
        response: ["Location": "/hooks/\(encoded.lowercased())"], answer: #"{"access_token":"s3cr3t\/+tok\"en=="}"#),
      exchange(body: #"{"echo":"s3cr3t/\u002btok\u0022en==","again":"\#(base64)"}"#),
    ]
    let result = try CassetteRedaction.standard.redacting(interactions)
    #expect(result[0].url == "/hooks/{{secret:1}}?q={{secret:1}}")
    #expect(result[0].requestHeaders["X-Where"] == "{{secret:1}}")
    #expect(try text(result[0].requestBody) == "plain {{secret:1}} here")
    #expect(result[1].response?.headers["Location"] == "/hooks/{{secret:1}}")
    #expect(try text(result[1].response?.body) == #"{"access_token":"{{secret:1}}"}"#)
    #expect(try text(result[2].requestBody) == #"{"echo":"{{secret:1}}","again":"{{secret:1}}"}"#)
  }

  @Test func `base64 that contains a secret is encoded again after the redaction`() throws {
    let inner = "{\"user\":\"kean\",\"access_token\":\"abcdefgh\"}"
    let result = try redacted(exchange("/a", ["X-Context": base64(inner)]))
    #expect(result.requestHeaders["X-Context"] == base64("{\"user\":\"kean\",\"access_token\":\"{{secret:1}}\"}"))
  }

  @Test func `the password of Basic credentials is redacted without the user in other bodies`() throws {
    let result = try CassetteRedaction.standard.redacting([
      exchange("/a", ["Authorization": "Basic \(base64("octocat:hunter2!"))"]),
      exchange(body: "octocat says hunter2! and octocat:hunter2!"),
    ])
    #expect(result[0].requestHeaders["Authorization"] == "Basic {{secret:1}}")
    #expect(try text(result[1].requestBody) == "octocat says {{secret:2}} and {{secret:1}}")
  }

  @Test func `short and common values are redacted only at their own places`() throws {
    let result = try CassetteRedaction.standard.redacting([
      exchange(
        "/a?token=true1&pin=123456", ["Cookie": "theme=english; sid=12345; n=12345"],
        answer: "true1 123456 english 12345"
      )
    ])
    #expect(result[0].url == "/a?token={{secret:1}}&pin={{secret:2:digits,6}}")
    #expect(result[0].requestHeaders["Cookie"] == "theme=english; sid={{secret:3:digits,5}}; n={{secret:3:digits,5}}")
    #expect(try text(result[0].response?.body) == "true1 123456 english 12345")
  }

  @Test func `a redacted JSON number has an integer stand-in, and a string of digits another one`() throws {
    let result = try redacted(
      exchange(
        "/a", ["X-Api-Key": "123456789012345678"], answer: #"{"id":123456789012345678,"s":"123456789012345678"}"#))
    #expect(try text(result.response?.body) == #"{"id":"{{secret:1:int,18}}","s":"{{secret:1:digits,18}}"}"#)
  }

  @Test func `a secret across the chunks of a stream is redacted, and the chunks are kept`() throws {
    let chunks = ["data: {\"tok", "en\":\"abcd", "efgh", "ij\"}\n", "\n"].map {
      BodyChunk(after: 0.5, bytes: Array($0.utf8))
    }
    let interaction = Interaction(
      method: .get, url: "/", outcome: .response(RecordedResponse(status: 200, body: .chunks(chunks, end: .reset))))
    let body = try #require(try redacted(interaction).response?.body)
    #expect(try text(body) == "data: {\"token\":\"{{secret:1}}\"}\n\n")
    guard case .chunks(let pieces, .reset) = body.form else { return #expect(Bool(false), "the body has no chunks") }
    #expect(pieces.count == 5)
    #expect(pieces.map(\.after) == chunks.map(\.after))
  }

  @Test(arguments: [("data: ", "\n\n"), ("", "\n")])
  func `the parts of a secret in events half a megabyte apart are redacted`(lead: String, end: String) throws {
    let (first, second) = ("ghp_a1B2c3D4e5F6g7H8", "i9J0k1L2m3N4o5P6q7R8")
    func event(_ json: String) -> String { "\(lead)\(json)\(end)" }
    func content(_ text: String) -> String { event("{\"delta\":{\"content\":\"\(text)\"}}") }
    let between = String(repeating: event(#"{"type":"ping","note":"nothing to say"}"#), count: 15_000)
    let answer = content("Take \(first)") + between + content("\(second) with you") + event("{}")
    let kept = try #require(try text(redacted(exchange(answer: answer)).response?.body))
    #expect(between.utf8.count > 500_000 && kept.contains("nothing to say"))
    #expect(!kept.contains(first) && !kept.contains(second))
  }

  @Test func `.redacting removes more values, and .keeping keeps values`() throws {
    let redaction = CassetteRedaction.redacting(
      .header("X-Team"), .query("sigil"), .json("$.accounts[*].iban"), .form("x"), .value("needle-9")
    ).keeping(.header("Set-Cookie"), .query("code"), .json("$.password"), .value("known-token"))
    let result = try redacted(
      exchange(
        "/a?sigil=abcdef&code=123&token=known-token", ["x-team": "blue42"],
        body: #"{"accounts":[{"iban":"DE001"},{"iban":"DE002","n":5}],"password":"letmein!"}"#,
        response: ["Set-Cookie": "a=1"], answer: "a needle-9 in hay"), redaction)
    #expect(result.url == "/a?sigil={{secret:1}}&code=123&token=known-token")
    #expect(result.requestHeaders["X-Team"] == "{{secret:2}}")
    #expect(
      try text(result.requestBody)
        == #"{"accounts":[{"iban":"{{secret:3}}"},{"iban":"{{secret:4}}","n":5}],"password":"letmein!"}"#)
    #expect(result.response?.headers["Set-Cookie"] == "a=1")
    #expect(try text(result.response?.body) == "a {{secret:5}} in hay")
  }

  @Test func `the redaction .none removes nothing`() throws {
    #expect(try redacted(exchange("/a?token=abcdefgh"), .none).url == "/a?token=abcdefgh")
  }
}

func base64(_ text: String) -> String { base64(Array(text.utf8)) }

func base64(_ bytes: [UInt8]) -> String {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  var text = ""
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    var bits = group.reduce(0) { $0 << 8 | Int($1) }
    bits <<= (3 - group.count) * 8
    for position in 0..<4 { text.append(position <= group.count ? alphabet[bits >> (18 - 6 * position) & 63] : "=") }
  }
  return text
}
