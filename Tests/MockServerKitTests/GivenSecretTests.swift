import CassetteHTTP
import Foundation
import ServerTestSupport
import Testing

@testable import MockServerKit

/// Real secrets instead of aliases: only in responses.
@Suite struct GivenSecretTests {
  @Test(arguments: LoopKind.allCases, [MockServer.Configuration.Log.requests, .misses])
  func `a given secret is sent to the client, and is masked in the log, journal and misses`(
    kind: LoopKind, log: MockServer.Configuration.Log
  ) throws {
    let secret = "quite-\"secret/7"
    let recording = Served.recording(
      "GET /a", #"{"token":"{{secret:1}}","id":"{{secret:2:uuid}}"}"#, headers: [("X-Token", "{{secret:1}}")])
    let follow = Served.recording("GET /b/{{secret:1}}", "follows")
    let served = try Served(kind, [recording, follow]) {
      $0.log = log
      $0.secrets = [1: secret]
    }
    for _ in 0..<2 {
      let answer = try served.ask("GET /a")
      let given = try #require(JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: String])
      #expect(given == ["token": secret, "id": "5ec2e700-0000-4000-8000-000000000002"])
      #expect(answer.headers["X-Token"] == secret)
    }
    #expect(try served.ask("GET /b/quite-%22secret%2F7").status == 200)
    let miss = try served.ask("GET /c/quite-%22secret%2F7?q=quite-%22secret%2F7", ["X-Note": secret])
    #expect(miss.status == 404)
    let shown = try ["journal", "misses", "interactions", "health"].map { try served.ask("GET /__mock/\($0)").body }
    for text in [served.log.text, String(decoding: miss.body, as: UTF8.self)]
      + shown.map({ String(decoding: $0, as: UTF8.self) })
    {
      #expect(!text.contains("secret/7") && !text.contains("secret%2F7") && !text.contains("secret\\/7"))
    }
    #expect(served.log.text.contains("/c/{{secret:1}}"))
  }
}
