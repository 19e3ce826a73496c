import CassetteHTTP
import CassetteJSON
import CassettePlayback
import Cassettes
import Testing

@testable import CassetteTesting

struct RunReportTests {
  @Test func `a line lists the played recordings of each file, the misses and the approximate answers`() throws {
    let text = """
      { "cassette": 1, "interactions": [
        { "id": "a", "request": { "method": "GET", "url": "/a" }, "response": { "status": 200 } },
        { "id": "b", "request": { "method": "GET", "url": "/b" }, "response": { "status": 200 } } ] }
      """
    let cassette = try CassetteFile.read(bytes: Array(text.utf8), name: "x", file: "/nowhere/x.json")
    let deck = Deck(CassetteLibrary(cassettes: [cassette]))
    _ = deck.plan(HTTPRequest(method: .get, target: try #require(HTTPTarget("/b"))))
    let bytes = RunReport.line(
      "T/one()", deck.table, hasFailed: true, missed: ["GET /c"], approximate: ["GET /d"])
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "{\"test\":\"T/one()\",\"failed\":true,\"cassettes\":[{\"file\":\"/nowhere/x.json\",\"played\":[\"b\"]}],"
        + "\"missed\":[\"GET /c\"],\"approximate\":[\"GET /d\"]}\n")
  }
}
