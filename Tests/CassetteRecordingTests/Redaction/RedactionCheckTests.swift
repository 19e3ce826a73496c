import CassetteHTTP
import CassetteMatching
import CassetteRecording
import CassetteSecrets
import CassetteSystem
import Cassettes
import Testing

/// Tests that redacted exchanges are usable, or reported.
@Suite struct RedactionCheckTests {
  private func exchange(
    _ url: String = "/a", type: String? = nil, body: String? = nil, answerType: String = "text/plain",
    answer: String = ""
  ) -> Interaction {
    Interaction(
      method: .post, url: url, requestHeaders: type.map { [("Content-Type", $0)] } ?? [],
      requestBody: body.map { .storing(Array($0.utf8)) },
      outcome: .response(
        RecordedResponse(
          status: 200, headers: [("Content-Type", answerType)], body: .storing(Array(answer.utf8)))))
  }

  private func redacted(
    _ interaction: Interaction, _ redaction: CassetteRedaction = .standard
  ) throws -> (exchange: Interaction, warnings: [String]) {
    var pass = RedactionPass(redaction)
    try pass.collect(interaction)
    return (try pass.redacting(interaction), pass.warnings)
  }

  private static func nested(_ length: Int, _ depth: Int) -> String {
    let json = #"{"token":"Zk8vQ2xTw9","n":"\#(String(repeating: "x", count: length))"}"#
    let value = String(decoding: BodyBase64.encode(Array(json.utf8)), as: UTF8.self)
    return (0..<depth).reduce(value) { value, _ in "https://b.test/?data=\(PercentEncoding.encode(value))&z=1" }
  }

  @Test(arguments: 0...2, 0...3)
  func `a request with base64 in a nested URL matches its redacted recording`(length: Int, depth: Int) throws {
    let query = "next=\(PercentEncoding.encode(Self.nested(length, depth)))"
    let (kept, warnings) = try redacted(exchange("/a?\(query)"))
    #expect(kept.url.hasPrefix("/a?next=") && !kept.url.contains("=="), "\(kept.url)")
    #expect(ParameterComparison.equal(query, String(kept.url.dropFirst(3))), "\(kept.url)")
    #expect(warnings == [])
  }

  @Test func `padding that is put back into a nested URL is escaped as it was`() throws {
    let kept = try redacted(exchange("/a", answer: "see \(Self.nested(0, 2))")).exchange
    let text = String(decoding: try #require(try kept.responseBody?.bytes()), as: UTF8.self)
    #expect(text.contains("%253D") && !text.contains("=="), "\(text)")
  }

  @Test func `a number in a JSON part of a multipart body stays JSON, and matches its request`() throws {
    let body = "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n{\"pin\":4711}\r\n--B--\r\n"
    let type = "multipart/form-data; boundary=B"
    let (kept, warnings) = try redacted(exchange(type: type, body: body))
    let recorded = try #require(try kept.requestBody?.bytes())
    #expect(String(decoding: recorded, as: UTF8.self).contains(#"{"pin":"{{secret:1:int,4}}"}"#))
    let sent = NormalBody(Array(body.utf8), contentType: type)
    #expect(NormalBody(recorded, contentType: type).differences(from: sent).isEmpty)
    #expect(warnings == [])
  }

  @Test func `a request that does not match its recording without a chosen value is reported`() throws {
    let sent = exchange(type: "application/x-www-form-urlencoded", body: "a=1&b=2&c=3")
    let (kept, warnings) = try redacted(sent, .redacting(.value("1&b=2&c")))
    #expect(try kept.requestBody?.bytes() == Array("a={{secret:1}}=3".utf8), "the chosen value is removed nevertheless")
    #expect(
      warnings == [
        "without the secrets in its request body, the recording no longer answers its own request; to keep a value: "
          + "--keep PLACE, in a test .keeping(PLACE)"
      ])
  }

  @Test(arguments: [
    ("application/json", #"{"a": 1, "b": [2]}"#, #"1, "b""#), ("text/xml", "<a><b>text</b></a>", "<b>text"),
    ("text/javascript", "f(e.value||1)", "value||1"), ("text/event-stream", "data: {\"a\": 12345}\n\n", "\": 12345}"),
  ])
  func `a body that cannot be parsed without a chosen value is reported`(
    _ type: String, _ body: String, _ value: String
  ) throws {
    let (kept, warnings) = try redacted(exchange(answerType: type, answer: body), .redacting(.value(value)))
    #expect(!String(decoding: try #require(try kept.responseBody?.bytes()), as: UTF8.self).contains(value))
    #expect(
      warnings == [
        "without its secrets, the response body can no longer be parsed; to keep a value: --keep PLACE, in a test "
          + ".keeping(PLACE)"
      ])
  }

  @Test func `a value that only looks like a token is kept if the body cannot be parsed without it`() throws {
    let token = "AKIA" + "QX2WERTY7UIOP4AS"
    let script = "var \(token)=1,b=\"password\";f(\(token),b)"
    let (kept, warnings) = try redacted(exchange(answerType: "text/javascript", answer: script))
    #expect(try kept.responseBody?.bytes() == Array(script.utf8))
    #expect(warnings.count == 1 && warnings[0].hasPrefix("a value that looks like a token is kept"), "\(warnings)")
    let answer = "<a>\(token)</a>"
    let removed = try redacted(exchange(answerType: "text/xml", answer: answer))
    #expect(try removed.exchange.responseBody?.bytes() == Array("<a>{{secret:1}}</a>".utf8))
    #expect(removed.warnings == [])
  }

  @Test(arguments: [
    (
      "https://hooks.slack.com/services/T0AB12CD3/B0EF45GH6/%S",
      "https://hooks.slack.com/services/T0AB12CD3/B0EF45GH6/%A"
    ),
    ("https://a.test/with/key/%S", "https://a.test/with/key/%A"), ("/v1/files/ghp_%S", "/v1/files/%A"),
  ])
  func `a token of several path segments is removed so that the request matches`(url: String, kept: String) throws {
    let token = "Rb9vFvhLEqw4ggCRVvRMeQPp" + (url.contains("ghp_") ? "a1B2c3D4" : "")
    let (exchange, warnings) = try redacted(exchange(url.replacing("%S", with: token)))
    #expect(exchange.url == kept.replacing("%A", with: "{{secret:1}}"))
    #expect(warnings == [])
  }

  @Test func `an exchange without secrets is unchanged, and has no warning`() throws {
    let sent = exchange("/a?b=c", type: "application/json", body: #"{"a": 1}"#, answer: "x")
    let (kept, warnings) = try redacted(sent)
    #expect(kept.url == sent.url)
    #expect(try kept.requestBody?.bytes() == sent.requestBody?.bytes())
    #expect(warnings == [])
  }
}
