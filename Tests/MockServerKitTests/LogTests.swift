import ServerTestSupport
import Testing

@testable import MockServerKit

/// The log that a person reads while the server runs.
@Suite struct LogTests {
  @Test func `control characters in a recording's name are removed from the log`() throws {
    let recording = """
      {"id":"red\\u001b[31m\\nforged","request":{"method":"GET","url":"/a"},"response":{"status":200}}
      """
    let served = try Served(.platform, [recording]) { $0.log = .requests }
    #expect(try served.ask("GET /a").status == 200)
    #expect(served.log.waits(for: "GET /a 200"))
    let line = try #require(served.log.text.split(separator: "\n").first)
    #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
    #expect(line.contains("forged"))
  }

  @Test func `a line of the log names the recording with its cassette`() throws {
    let served = try Served(.platform, [Served.recording("GET /a", "a")]) { $0.log = .requests }
    #expect(try served.ask("GET /a").status == 200)
    #expect(served.log.waits(for: "1 GET /a 200 test/get-a "))
  }

  @Test(arguments: [
    ("/nothing?api_key=q8Zx3Lm9vT2sWp7K", "{{secret}}"),
    // {"password":"{{secret}}"}
    ("/nothing/eyJwYXNzd29yZCI6InE4WngzTG05dlQyc1dwN0sifQ==", "eyJwYXNzd29yZCI6Int7c2VjcmV0fX0ifQ=="),
  ])
  func `the log of a miss masks secrets of the request, in base64 as well`(target: String, shown: String) throws {
    let served = try Served(.platform, []) { $0.log = .misses }
    #expect(try served.ask("GET \(target)").status == 404)
    #expect(served.log.waits(for: "/nothing"))
    let words = served.log.text
    #expect(words.contains(shown), "\(words)")
    for secret in ["q8Zx3Lm9", "cThaeDNM", "E4WngzTG"] { #expect(!words.contains(secret), "\(words)") }
  }
}
