import CassetteHTTP
import CassetteRecording
internal import CassetteSecrets
import Cassettes
import Testing

/// Answers that are nothing but a secret: no name says it but the address that it was asked at.
@Suite struct BareSecretTests {
  private func body(_ answer: String, of url: String, _ redaction: CassetteRedaction = .standard) throws -> String {
    let exchange = Interaction(
      method: .get, url: url, requestHeaders: [], requestBody: nil,
      outcome: .response(RecordedResponse(status: 200, headers: [], body: .storing(Array(answer.utf8)))))
    let redacted = try #require(try redaction.redacting([exchange]).first)
    guard case .response(let response) = redacted.outcome else { return "no answer" }
    return String(decoding: try #require(response.body).bytes(), as: UTF8.self)
  }

  @Test(arguments: [
    "/latest/api/token", "/oauth/token?a=b", "/secrets/db-password/raw", "https://a.example/api/tokens",
  ])
  private func `a value that a secret's address answers is taken out`(url: String) throws {
    for value in ["aWvZbjGys3yYhyrkUajCC-eoZnylRWP1SAZa", "JasperLumen3574!"] {
      #expect(try body(value, of: url) == "{{secret:1}}")
      #expect(try body("\"\(value)\"\n", of: url) == "\"{{secret:1}}\"\n")
    }
  }

  @Test(arguments: [
    ("/latest/api/items", "aWvZbjGys3yYhyrkUajCC-eoZnylRWP1SAZa"), ("/api/token", "expired"),
    ("/api/token", "invalidToken"),
    ("/api/token", "The token was not found."), ("/token.example/a/b", "aWvZbjGys3yYhyrkUajCC-eoZnylRWP1SAZa"),
    ("/a?token=1", "aWvZbjGys3yYhyrkUajCC-eoZnylRWP1SAZa"), ("/api/password", "required"),
    ("/api/token", "xxxxxxxxxxxxxxxx"),
  ])
  private func `words and other addresses' values stay`(url: String, answer: String) throws {
    #expect(try body(answer, of: url) == answer)
  }

  @Test private func `a value that is to be kept stays`() throws {
    let value = "aWvZbjGys3yYhyrkUajCC-eoZnylRWP1SAZa"
    #expect(try body(value, of: "/token", .standard.keeping(.value(value))) == value)
  }
}
