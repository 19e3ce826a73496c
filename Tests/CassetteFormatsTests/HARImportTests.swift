import CassetteFormats
import Cassettes
import HTTP
import TestSupport
import Testing

struct HARImportTests {
  @Test
  func `an entry becomes a recording with its fields, its body and its time`() throws {
    let imported = try Imported.of(
      Sample.har(
        Sample.entry(
          url: "https://api.example.com/users/kean?page=2#top",
          content: #"{"size": 3, "mimeType": "text/plain", "text": "abc"}"#)))
    let interaction = try #require(imported.cassette?.interactions.first)
    #expect(imported.cassette?.origin == "https://api.example.com")
    #expect(interaction.url == "/users/kean?page=2")
    #expect(interaction.response?.headers.map(\.name) == ["Content-Type", "X-Two", "X-Two"])
    #expect(try interaction.response?.body?.bytes() == Array("abc".utf8))
    #expect(interaction.recorded == RecordedFacts(at: "2026-11-21T01:02:03.004Z", firstByte: 0.03, total: 0.05))
  }

  @Test(arguments: [0, -1, 101, 999])
  func `an entry without a final status is skipped with a word`(status: Int) throws {
    let entries = [Sample.entry(status: "\(status)"), Sample.entry()].joined(separator: ",")
    let imported = try Imported.of(Sample.har(entries))
    #expect(imported.report.imported == 1)
    #expect(imported.report.skipped.map(\.item) == ["entry 0"])
    #expect(imported.report.skipped.first?.reason.contains("status \(status)") == true)
  }

  @Test(arguments: ["\u{FEFF}", "\n "])
  func `what stands before the text is no obstacle`(start: String) throws {
    #expect(try Imported.of(start + Sample.har(Sample.entry(), version: "1.1")).report.imported == 1)
  }
}
