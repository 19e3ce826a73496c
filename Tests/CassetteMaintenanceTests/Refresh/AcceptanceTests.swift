import CassetteHTTP
import CassetteMaintenance
import CassetteRecording
internal import CassetteSecrets
import Cassettes
import TestSupport
import Testing

struct AcceptanceTests {
  private func cassette(_ bodies: String...) throws -> Cassette {
    let recordings = bodies.enumerated().map { index, body in
      #"""
      {"request": {"method": "GET", "url": "/\#(index)", "headers": [["Authorization", "Bearer {{secret:1}}"]]},
       "response": {"status": 200, "headers": [["Date", "then"], ["X-Session", "{{secret:2}}"]], "body": \#(body)},
       "recorded": {"at": "2026-11-21T01:00:00Z"}}
      """#
    }
    let text = #"{"cassette": 1, "origin": "https://a.test", "interactions": [\#(recordings.joined(separator: ","))]}"#
    let read = try CassetteFile.read(bytes: Array(text.utf8), name: "test", file: nil)
    // Written and read again, so that the bytes of the file are compared.
    return try CassetteFile.read(bytes: CassetteFile.bytes(of: read), name: "test", file: nil)
  }

  private static let secret = "k9-very-secret-value"

  private func verification(of cassette: Cassette) -> Verification {
    var choice = Verification.Choice()
    choice.secrets = [1: Self.secret]
    return Verification(of: cassette, choice)
  }

  private func accept(
    _ answers: [(Int, RecordedResponse)], into cassette: Cassette
  ) throws -> (text: String, changes: Recording.Changes) {
    var acceptance = Acceptance(into: cassette, redaction: .standard, secrets: [Self.secret])
    let questions = verification(of: cassette).questions
    for (index, answer) in answers {
      let reason = acceptance.take(
        answer, RecordedFacts(at: "2026-12-01T01:00:00Z"), to: questions[index].request, for: index)
      #expect(reason == nil)
    }
    let (merged, changes) = try acceptance.merged()
    return (String(decoding: try CassetteFile.bytes(of: merged), as: UTF8.self), changes)
  }

  private func answer(_ body: String, status: HTTPStatus = 200) -> RecordedResponse {
    RecordedResponse(
      status: status, headers: ["Date": "now", "X-Session": "sid-77777", "Content-Length": "\(body.utf8.count)"],
      body: .storing(Array(body.utf8)))
  }

  @Test func `an accepted response changes only its own recording`() throws {
    let old = try cassette(#"{"json": {"a": 1}}"#, #"{"json": {"b": 1}}"#)
    let before = String(decoding: try CassetteFile.bytes(of: old), as: UTF8.self)
    let (text, changes) = try accept([(1, answer(#"{"b":"x"}"#))], into: old)
    #expect(changes == Recording.Changes(changed: ["get-1"], unchanged: 1))
    let expected = before.replacing(#""b": 1"#, with: #""b": "x""#)
    let (lines, wanted) = (text.split(separator: "\n"), expected.split(separator: "\n"))
    // The date of the recording changes with the response.
    #expect(lines.count == wanted.count)
    #expect(
      zip(lines, wanted).filter { $0 != $1 }.map { String($0.0).drop { $0 == " " } }
        == [#""recorded": { "at": "2026-12-01T01:00:00Z" }"#])
  }

  @Test func `secrets of the recording are redacted everywhere in the new response`() throws {
    let old = try cassette(#"{"json": {"who": "{{secret:1}}", "team": {"iban": "{{secret:3}}"}, "n": 1}}"#)
    let body = #"{"who":"\#(Self.secret)","team":{"iban":"DE00 1234 5678"},"n":"x","note":"see \#(Self.secret)"}"#
    let (text, _) = try accept([(0, answer(body))], into: old)
    #expect(!text.contains(Self.secret))
    #expect(!text.contains("DE00"))
    #expect(!text.contains("sid-77777"))
    #expect(text.contains(#""Bearer {{secret:1}}""#))
    #expect(text.contains(#""who": "{{secret:1}}""#))
    #expect(text.contains(#""note": "see {{secret:1}}""#))
  }

  @Test(arguments: [401, 403, 407, 408, 429, 500, 503])
  func `a response with a temporary error status is not accepted`(status: Int) throws {
    let old = try cassette(#"{"json": {"a": 1}}"#)
    var acceptance = Acceptance(into: old, redaction: .standard, secrets: [])
    let request = verification(of: old).questions[0].request
    let reason = acceptance.take(answer("{}", status: HTTPStatus(status)), RecordedFacts(), to: request, for: 0)
    #expect(reason == "a response with status \(status) cannot replace the recording")
    #expect(acceptance.isEmpty)
  }

  @Test func `a new response to a recording with a placeholder in text is not accepted`() throws {
    let old = try cassette(#"{"text": "iban: {{secret:3}}"}"#)
    var acceptance = Acceptance(into: old, redaction: .standard, secrets: [])
    let request = verification(of: old).questions[0].request
    #expect(
      acceptance.take(answer("iban: DE00"), RecordedFacts(), to: request, for: 0)?.contains("record it again") == true)
  }

  @Test func `an accepted response has no differences afterwards`() throws {
    let old = try cassette(#"{"json": [{"id": 1, "name": "x"}]}"#)
    let new = answer(#"[{"id":"a"},{"id":"b","name":null,"more":{}}]"#)
    let before = verification(of: old)
    #expect(try !before.verdict(on: new, to: before.questions[0]).isTrue)
    let text = try accept([(0, new)], into: old).text
    let after = verification(of: try CassetteFile.read(bytes: Array(text.utf8), name: "test", file: nil))
    #expect(try after.verdict(on: new, to: after.questions[0]).differences.isEmpty)
  }

  @Test func `a token found by its shape is redacted in an accepted response`() throws {
    let old = try cassette(#"{"json": {"a": 1}}"#)
    let text = try accept([(0, answer(#"{"a":"\#(sampleTokens[0].token)"}"#))], into: old).text
    #expect(text.contains("{{secret:1}}") && !text.contains(sampleTokens[0].token))
  }
}
