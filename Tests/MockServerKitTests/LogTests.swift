import ServerTestSupport
import Testing

@testable import MockServerKit

/// What a person reads while the server runs.
@Suite struct LogTests {
  @Test func `a recording's name is no control of a terminal`() throws {
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
}
