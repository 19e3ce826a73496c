import CassetteHTTP
import Foundation
import TestSupport
import Testing

@testable import CassetteRecording
@testable import Cassettes
@testable import MockServerUpstream

/// Journals of a killed recorder of an earlier version.
@Suite struct OldJournalTests {
  /// The bytes that `record` of that version wrote before it was killed.
  private static let journal = ##"""
    mockserver journal 2
    exchange -1 0 cbf29ce484222325

    exchange 0 742 386dcfcd21610085
    {"cassette": 1,"interactions": [{"request": {"method": "GET","url": "http://127.0.0.1:35937/a?token={{secret:1000000000001:digits,14}}","headers": [["User-Agent", "curl/7.88.1"],["Accept", "*/*"],["Authorization", "Bearer {{secret:1000000000002}}"]]},"response": {"status": 200,"headers": [["Server", "BaseHTTP/0.6 Python/3.11.7"],["Date", "Thu, 26 Nov 2026 08:20:11 GMT"],["Content-Type", "application/json"]],"body": {"json": {"said": "{{secret:1000000000002}}", "in": "{{secret:1000000000000:b,padded;eyJ0b2tlbiI6Int7c2VjcmV0OjEwMDAwMDAwMDAwMDJ9fSIsIm4iOjF9}}", "pin": "{{secret:1000000000003:int,4}}", "note": "see {{secret:7}}"},"style": "spaced"}},"recorded": { "at": "2026-11-26T08:20:11.253Z", "firstByte": 0.001, "total": 0.001 }}]}


    """##

  @Test func `a journal of version 2 is recovered with new numbers for its secrets`() throws {
    let folder = try ScratchFolder()
    let cassette = folder.path("a.json")
    let old = Interaction(
      id: "old", method: .get, url: "/old", requestHeaders: [("Authorization", "Bearer {{secret:1}}")],
      outcome: .response(RecordedResponse(status: 204)))
    try CassetteFile.write(Cassette(name: "a", origin: "http://127.0.0.1:35937", interactions: [old]), to: cassette)
    // The cassette was written after the recorder had started without one.
    try Data(Self.journal.utf8).write(to: URL(filePath: "\(cassette).journal"))
    let recovery = try #require(try RecordingJournal.recover(beside: cassette))
    #expect(recovery.exchanges == 1 && recovery.damaged == nil)
    let recorded = try #require(try CassetteFile.read(path: cassette).interactions.last)
    #expect(recorded.url == "/a?token={{secret:2:digits,14}}")
    #expect(recorded.requestHeaders["Authorization"] == "Bearer {{secret:3}}")
    let body = String(decoding: try recorded.responseBody?.bytes() ?? [], as: UTF8.self)
    let inner = Data(#"{"token":"{{secret:3}}","n":1}"#.utf8).base64EncodedString()
    #expect(
      body == #"{"said": "{{secret:3}}", "in": "\#(inner)", "pin": "{{secret:4:int,4}}", "note": "see {{secret:7}}"}"#)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.json"])
  }
}
