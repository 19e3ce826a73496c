import CassetteHTTP
import CassetteMaintenance
import CassetteRecording
import Cassettes
import TestSupport
import Testing

struct VerificationTests {
  private func cassette(_ text: String, origin: String = #""origin": "https://a.test","#) throws -> Cassette {
    let bytes = Array(#"{"cassette": 1, \#(origin) "interactions": [\#(text)]}"#.utf8)
    return try CassetteFile.read(bytes: bytes, name: "test", file: nil)
  }

  private func recording(
    _ line: String, headers: String = "", response: String = #"{"status": 200}"#
  ) -> String {
    let words = line.split(separator: " ")
    return #"""
      {"request": {"method": "\#(words[0])", "url": "\#(words[1])"\#(headers)}, "response": \#(response)}
      """#
  }

  private func reasons(_ verification: Verification) -> [String] { verification.omissions.map(\.reason) }

  @Test func `safe requests are sent in their order, once each`() throws {
    let text = [
      recording("GET /a"), recording("POST /a"), recording("HEAD /a"), recording("GET /b"), recording("GET /a"),
      recording("OPTIONS *"), recording("TRACE /a"), recording("DELETE /b"),
    ].joined(separator: ",")
    let verification = Verification(of: try cassette(text))
    #expect(
      verification.questions.map { "\($0.request.method) \($0.request.target)" } == [
        "GET /a", "HEAD /a", "GET /b", "OPTIONS *",
      ])
    #expect(verification.questions.map(\.recordings) == [[0, 4], [2], [3], [5]])
    #expect(verification.questions.allSatisfy { $0.origin == "https://a.test" })
    #expect(
      reasons(verification) == [
        "POST may change data; to send it anyway, type --method POST", "TRACE requests are never sent",
        "DELETE may change data; to send it anyway, type --method DELETE",
      ])
    var choice = Verification.Choice()
    choice.methods = ["POST"]
    choice.ids = ["post-a", "get-b"]
    let chosen = Verification(of: try cassette(text), choice)
    #expect(chosen.questions.map(\.recordings) == [[1], [3]])
    #expect(chosen.omissions.isEmpty)
  }

  @Test func `requests with different Accept fields are sent separately`() throws {
    let text = [
      recording("GET /a", headers: #", "headers": [["Accept", "text/html"], ["User-Agent", "x"]]"#),
      recording("GET /a", headers: #", "headers": [["Accept", "text/css"]]"#),
      recording("GET /a", headers: #", "headers": [["User-Agent", "y"], ["Accept", "text/html"]]"#),
    ].joined(separator: ",")
    #expect(Verification(of: try cassette(text)).questions.map(\.recordings) == [[0, 2], [1]])
  }

  @Test func `requests are sent only to the cassette's origin or an origin named by the user`() throws {
    let text = [recording("GET /a"), recording("GET https://b.test/x"), recording("GET HTTPS://A.test:443/y")].joined(
      separator: ",")
    let verification = Verification(of: try cassette(text))
    #expect(verification.questions.map(\.request.target.text) == ["/a", "/y"])
    #expect(
      reasons(verification) == ["its origin is https://b.test; to send requests there, type --also https://b.test"])
    var choice = Verification.Choice()
    choice.others = ["https://b.test"]
    choice.origin = "http://127.0.0.1:1"
    let more = Verification(of: try cassette(text), choice)
    #expect(more.questions.map(\.origin) == ["http://127.0.0.1:1", "https://b.test", "http://127.0.0.1:1"])
    #expect(
      reasons(Verification(of: try cassette(recording("GET /a"), origin: ""))) == [
        "the cassette names no origin; type --origin URL"
      ])
  }

  @Test func `a recorded failure is omitted with its reason`() throws {
    let text = #"{"request": {"method": "GET", "url": "/a"}, "failure": {"name": "timedOut"}}"#
    #expect(reasons(Verification(of: try cassette(text))) == ["it was recorded as a failure (timedOut)"])
  }

  @Test func `secrets replace their placeholders with the escapes of each place`() throws {
    let text = #"""
      {"request": {"method": "POST", "url": "/a/{{secret:2}}?k={{secret:1}}&x=%7B%7Bsecret:1%7D%7D",
       "headers": [["Authorization", "Bearer {{secret:1}}"], ["Content-Type", "TYPE"]],
       "body": {"text": "k={{secret:1}}"}}, "response": {"status": 200}}
      """#
    var choice = Verification.Choice()
    choice.methods = ["POST"]
    choice.secrets = [1: #"a/"b c"#, 2: "é"]
    for (type, body) in [
      ("application/x-www-form-urlencoded", "k=a%2F%22b%20c"), ("application/json", #"k=a/\"b c"#),
      ("text/plain", #"k=a/"b c"#),
    ] {
      let verification = Verification(of: try cassette(text.replacing("TYPE", with: type)), choice)
      let request = try #require(verification.questions.first?.request)
      #expect(request.target.text == "/a/%C3%A9?k=a%2F%22b%20c&x=a%2F%22b%20c")
      #expect(request.headers["Authorization"] == #"Bearer a/"b c"#)
      #expect(String(decoding: request.body, as: UTF8.self) == body)
    }
  }

  @Test func `a request with a missing secret is omitted with the number of the secret`() throws {
    let fields = #", "headers": [["A", "{{secret:3}}"], ["B", "{{secret:1}}{{secret:3}}"], ["C", "{{secret:2}}"]]"#
    var choice = Verification.Choice()
    choice.secrets = [2: "x"]
    #expect(
      reasons(Verification(of: try cassette(recording("GET /a", headers: fields)), choice)) == [
        "needs --secret 1 --secret 3, with the value in MOCKSERVER_SECRET_1 and MOCKSERVER_SECRET_3"
      ])
    #expect(
      reasons(Verification(of: try cassette(recording("GET /a?b={{secret}}")))) == [
        "it contains a {{secret}} without a number"
      ])
  }

  @Test(arguments: [#"["A", "x\r\nB: y"]"#, #"["A\r\nB", "y"]"#, #"["A B", "y"]"#])
  func `a request with a line break in a header field is not sent`(field: String) throws {
    // Either the file or the request must be refused.
    guard let cassette = try? cassette(recording("GET /a", headers: #", "headers": [\#(field)]"#)) else { return }
    #expect(reasons(Verification(of: cassette)) == ["its method or a header field is invalid"])
  }

  @Test(arguments: [("", false), ("x", true), ("a\nb", false), ("a\rb", false), ("é", true), ("a\u{7f}", false)])
  func `a secret with a line break cannot be sent`(value: String, canBeSent: Bool) {
    #expect(SecretFilling.canBeSent(value) == canBeSent)
  }

  @Test(arguments: [
    // (answer, compared with, differences)
    (200, #"{"state": "pending"}"#, 0, 0), (200, #"{"state": "done", "result": {"n": 1}}"#, 1, 0),
    (200, #"{"state": "done", "result": "x"}"#, 1, 1), (404, #"{"message": "x"}"#, 2, 0), (404, "{}", 2, 1),
    (500, "{}", 2, 1),
  ])
  func `a response is compared with the closest recording, or the last of equally close ones`(
    status: Int, body: String, recording: Int, count: Int
  ) throws {
    let json = [#"{"state": "pending"}"#, #"{"state": "done", "result": {"n": 2}}"#]
    let text =
      (json.map { #"{"status": 200, "body": {"json": \#($0)}}"# }
      + [#"{"status": 404, "body": {"json": {"message": "no"}}}"#])
      .map { self.recording("GET /job", response: $0) }.joined(separator: ",")
    let verification = Verification(of: try cassette(text))
    let question = try #require(verification.questions.first)
    #expect(question.recordings == [0, 1, 2])
    let response = RecordedResponse(status: HTTPStatus(status), body: .storing(Array(body.utf8)))
    let verdict = try verification.verdict(on: response, to: question)
    #expect(verdict.recording == recording)
    #expect(verdict.differences.count == count)
    #expect(verdict.isTrue == (count == 0))
  }

  @Test func `header fields that frame a body are not compared`() throws {
    let response = #"{"status": 200, "headers": [["X-A", "1"]]}"#
    let verification = Verification(of: try cassette(recording("GET /a", response: response)))
    let answer = RecordedResponse(status: 200, headers: ["X-A": "1", "Content-Length": "0", "Connection": "close"])
    #expect(try verification.verdict(on: answer, to: verification.questions[0]).differences.isEmpty)
  }
}
