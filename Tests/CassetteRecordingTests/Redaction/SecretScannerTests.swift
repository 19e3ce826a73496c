import CassetteHTTP
import CassetteRecording
internal import CassetteSecrets
import Cassettes
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SecretScanner {
  /// Returns the kinds of tokens in the bytes, each once.
  fileprivate func kinds(in bytes: [UInt8]) -> [String] {
    tokens(in: bytes).map(\.kind).reduce(into: []) { kinds, kind in
      if !kinds.contains(kind) { kinds.append(kind) }
    }
  }
}

@Suite struct SecretScannerTests {
  @Test(arguments: sampleTokens)
  func `a sample token is found plain, percent-encoded, escaped and in base64`(_ kind: String, _ token: String) {
    let scanner = SecretScanner()
    let percent = token.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let json = token.utf8.map { "\\u00" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    for text in [token, "a \(token) b", "{\"x\":\"\(token)\"}", "/\(token)/x", percent, json, base64(token)] {
      #expect(scanner.kinds(in: Array(text.utf8)) == [kind], "\(text)")
    }
    for prefix in ["a ", "ab ", "abc "] {
      #expect(scanner.kinds(in: Array("see \(base64(prefix + token + " z"))!".utf8)) == [kind])
    }
  }

  @Test func `a secret key of AWS is recognized by the name before it`() {
    let key = String(repeating: "wJalr/Xd", count: 5)
    let scanner = SecretScanner()
    #expect(scanner.kinds(in: Array("{\"SecretAccessKey\": \"\(key)\"}".utf8)) == ["AWS secret key"])
    #expect(scanner.kinds(in: Array("aws_secret_access_key = \(key)\n".utf8)) == ["AWS secret key"])
    #expect(scanner.kinds(in: Array("{\"sha\": \"\(key)\"}".utf8)).isEmpty)
  }

  @Test(arguments: [
    "the word eyJustice", "ghp_short", "task_live_" + String(repeating: "a", count: 20), "AKIAlower0000000000",
    "xAKIAIOSFODNN7SAMPLE1", "-----BEGIN CERTIFICATE-----", "-----BEGIN PUBLIC KEY-----", "npm_install",
    "da39a3ee5e6b4b0d3255bfef95601890afd80709", "{{secret:1}}",
  ])
  func `a value that only resembles a token is not reported`(_ text: String) {
    #expect(SecretScanner().kinds(in: Array(text.utf8)).isEmpty)
  }

  @Test func `the error for a token names its place and a redaction, and not the token`() {
    let token = sampleTokens[0].token
    func message(_ interaction: Interaction) -> String {
      do {
        try SecretScanner().check(Cassette(name: "github", interactions: [interaction]))
        return ""
      } catch { return error.description }
    }
    func answer(_ body: String) -> Interaction {
      Interaction(
        id: "get-a", method: .get, url: "/a",
        outcome: .response(RecordedResponse(status: 200, body: .storing(Array(body.utf8)))))
    }
    let end = ", or keep it with .keeping(.value(\"…\"))"
    #expect(
      message(answer("{\"a\":[{\"b\":\"\(token)\"}]}"))
        == "github.json: not saved: get-a, response body, $.a[0].b: a possible GitHub token was not removed, "
        + "remove it with .redacting(.json(\"$.a[0].b\"))" + end)
    #expect(message(answer("see \(token)")).contains("get-a, response body: a possible"))
    let failure = Interaction.Outcome.failure(RecordedFailure(code: -1001))
    let query = message(Interaction(method: .get, url: "/a?x=\(token)", outcome: failure))
    #expect(query.contains(".redacting(.query(\"x\"))"))
    let path = message(Interaction(method: .get, url: "/a/\(token)", outcome: failure))
    #expect(path.contains("GET …, URL: a possible"))
    let field = message(Interaction(method: .get, url: "/a", requestHeaders: ["X-Team": token], outcome: failure))
    #expect(field.contains("GET /a, request field X-Team: a possible"))
    #expect(field.contains(".redacting(.header(\"X-Team\"))"))
    for message in [query, path, field] { #expect(!message.contains(token)) }
  }

  @Test func `a token that the redaction keeps passes the check`() throws {
    let token = sampleTokens[0].token
    let interaction = Interaction(
      method: .get, url: "/", requestHeaders: ["X-Sample": token],
      outcome: .response(RecordedResponse(status: 200, body: .storing(Array("{\"a\":\"\(token)\"}".utf8)))))
    let cassette = Cassette(name: "a", interactions: [interaction])
    #expect(throws: CassetteError.self) { try SecretScanner().check(cassette) }
    try SecretScanner(.keeping(.value(token))).check(cassette)
    try SecretScanner(.keeping(.header("x-sample"), .json("$.a"))).check(cassette)
  }

  @Test func `the included cassettes contain no token, and redacting them changes nothing`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "cassettes").path
    let files = try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(".json") }
    #expect(files.count > 3)
    for file in files {
      let bytes = Array(try #require(FileManager.default.contents(atPath: "\(root)/\(file)")))
      #expect(SecretScanner().kinds(in: bytes).isEmpty, "\(file)")
      guard Cassette.isCassette(bytes) else { continue }
      let cassette = try CassetteFile.read(path: "\(root)/\(file)")
      try SecretScanner().check(cassette)
      // Redaction does not change cassettes that were redacted by hand.
      let changed = zip(cassette.interactions, try CassetteRedaction.standard.redacting(cassette.interactions)).filter {
        (try? $0.responseBody?.bytes()) != (try? $1.responseBody?.bytes()) || $0.url != $1.url
      }
      #expect(changed.isEmpty, "\(file): \(changed.map(\.0.id))")
    }
  }
}
