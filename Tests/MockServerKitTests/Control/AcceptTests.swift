import CassetteHTTP
import Foundation
import ServerTestSupport
import Testing

@testable import MockServerKit

/// Misses that are accepted: the edit is shown, written, served, and taken back.
@Suite struct AcceptTests {
  private static func served(_ configure: (inout MockServer.Configuration) -> Void = { _ in }) throws -> Served {
    try Served(.platform, ["test.json": Served.cassette([Served.recording("GET /a?page=1", "first")])]) {
      $0.watches = true
      configure(&$0)
    }
  }

  private static func text(_ served: Served, _ name: String = "test.json") throws -> String {
    try String(contentsOfFile: "\(served.folder)/\(name)", encoding: .utf8)
  }

  /// Waits for the edit to be served.
  private static func settles(_ served: Served, _ answer: [String: Any]) throws {
    let generation = try #require(answer["generation"] as? Int)
    #expect(try served.steer("GET health?generation=\(generation)&seconds=60").status == 200)
  }

  @Test func `a miss becomes an answer with what differs left out, and a miss again when that is undone`() throws {
    let served = try Self.served()
    let before = try Self.text(served)
    #expect(try served.text("GET /a?page=2") == "404")
    let shown = try served.told("GET journal/1")
    let near = try #require((shown["nearest"] as? [[String: Any]])?.first)
    let differs = try #require((near["differs"] as? [[String: Any]])?.first)
    #expect(differs["part"] as? String == "query.page" && differs["canBeIgnored"] as? Bool == true)
    #expect((shown["accept"] as? [String: Any])?["problem"] is NSNull)

    let proposed = try served.told("POST journal/1/accept", "{\"how\":\"ignore\",\"dryRun\":true}")
    #expect(proposed["state"] as? String == "proposed" && proposed["answers"] as? Bool == true)
    let diff = try #require(proposed["diff"] as? String)
    #expect(diff.contains("+") && diff.contains("\"page\": \"ignore\""))
    #expect(try Self.text(served) == before)

    let number = try #require(proposed["edit"] as? Int)
    let written = try served.told("POST edits/\(number)/apply", "{}")
    try Self.settles(served, written)
    #expect(try served.text("GET /a?page=2") == "first")

    try Self.settles(served, try served.told("POST edits/\(number)/undo", "{}"))
    #expect(try Self.text(served) == before)
    #expect(try served.text("GET /a?page=2") == "404")
    let edits = try #require(try served.told("GET edits")["edits"] as? [[String: Any]])
    #expect(edits.map { $0["state"] as? String } == ["undone"])
  }

  @Test func `the nearest is copied, as it is or as a person wrote it, behind it in its file`() throws {
    let served = try Self.served()
    _ = try served.ask("POST /a", ["Authorization": "Bearer s3cr3t-of-mine"], body: "x=1")
    let proposed = try served.told("POST journal/1/accept", "{\"how\":\"copy\",\"dryRun\":true}")
    let copy = try #require(proposed["recording"] as? [String: Any])
    #expect((copy["request"] as? [String: Any])?["method"] as? String == "POST")
    #expect(!"\(proposed)".contains("s3cr3t"))
    let own =
      "{\"how\":\"copy\",\"interaction\":{\"request\":{\"method\":\"POST\",\"url\":\"/a\"},"
      + "\"response\":{\"status\":201,\"body\":{\"text\":\"made\"}}}}"
    try Self.settles(served, try served.told("POST journal/1/accept", own))
    let answer = try served.ask("POST /a", body: "x=1")
    #expect(answer.status == 201 && answer.text == "made")
    #expect(try served.text("GET /a?page=1") == "first")
  }

  @Test func `with no recordings at all a file is named, and made`() throws {
    let served = try Served(.platform, [:]) { $0.watches = true }
    #expect(try served.text("GET /new") == "404")
    #expect(try served.steer("POST journal/1/accept", "{\"how\":\"copy\"}").status == 409)
    let made = try served.told("POST journal/1/accept", "{\"how\":\"copy\",\"cassette\":\"made\"}")
    try Self.settles(served, made)
    #expect(try served.ask("GET /new").status == 200)
    try Self.settles(served, try served.told("POST edits/1/undo", "{}"))
    #expect(!FileManager.default.fileExists(atPath: "\(served.folder)/made.json"))
  }

  @Test func `the live server's answer is taken from upstream`() throws {
    let live = try Served(.platform, [Served.recording("GET /a?page=2", "second")])
    let served = try Served(
      .platform,
      ["test.json": Served.cassette([Served.recording("GET /a?page=1", "first")], origin: live.url)]
    ) { $0.watches = true }
    #expect(try served.text("GET /a?page=2") == "404")
    try Self.settles(served, try served.told("POST journal/1/accept", "{\"how\":\"upstream\"}"))
    #expect(try served.text("GET /a?page=2") == "second")
    #expect(try !Self.text(served).contains("127.0.0.1:") || Self.text(served).contains("\"origin\":\"\(live.url)\""))
    let refused = try served.steer(
      "POST journal/1/accept", "{\"how\":\"upstream\",\"origin\":\"http://169.254.169.254\"}")
    #expect(refused.status == 403 && refused.text.contains("--origin http://169.254.169.254"), "\(refused.text)")
  }

  @Test func `a file that was edited in the meantime is not written to`() throws {
    let served = try Self.served { $0.watches = false }
    #expect(try served.text("GET /a?page=2") == "404")
    _ = try served.told("POST journal/1/accept", "{\"how\":\"ignore\",\"dryRun\":true}")
    let edited = Served.cassette([Served.recording("GET /a?page=1", "edited")])
    try served.write(edited, to: "test.json")
    let refused = try served.steer("POST edits/1/apply", "{}")
    #expect(refused.status == 409 && refused.text.contains("edited in the meantime"))
    _ = try served.told("POST journal/1/accept", "{\"how\":\"ignore\"}")
    try served.write(edited, to: "test.json")
    #expect(try served.steer("POST edits/2/undo", "{}").status == 409)
    #expect(try Self.text(served) == edited)
  }

  @Test(arguments: [
    ("{\"how\":\"ignore\",\"parts\":[\"method\"]}", 409), ("{\"how\":\"guess\"}", 400), ("{}", 400),
    ("{\"how\":\"copy\",\"cassette\":\"../out\"}", 400),
    ("{\"how\":\"copy\",\"cassette\":\".hidden\"}", 400), ("{\"how\":\"copy\",\"cassette\":\"-x\"}", 400),
    ("{\"how\":\"ignore\",\"nearest\":\"nobody\"}", 409),
    ("{\"how\":\"ignore\",\"interaction\":{}}", 400), ("{\"how\":\"upstream\"}", 409),
    ("{\"how\":\"copy\",\"interaction\":{\"request\":{\"method\":\"GET\",\"url\":\"/a\"}}}", 400),
  ])
  func `what cannot be done is refused and nothing is written`(body: String, status: Int) throws {
    let served = try Self.served()
    let before = try Self.text(served)
    #expect(try served.text("GET /a?page=2") == "404")
    #expect(try served.steer("POST journal/1/accept", body).status == status)
    #expect(try served.steer("POST journal/9/accept", "{\"how\":\"copy\"}").status == 404)
    #expect(try served.steer("POST edits/9/undo", "{}").status == 404)
    #expect(try Self.text(served) == before)
  }

  @Test func `a server that is read-only says so, and writes nothing`() throws {
    let served = try Self.served { $0.isReadOnly = true }
    let before = try Self.text(served)
    #expect(try served.text("GET /a?page=2") == "404")
    let shown = try served.told("GET journal/1")
    #expect(((shown["accept"] as? [String: Any])?["problem"] as? String)?.contains("--read-only") == true)
    #expect(try served.steer("POST journal/1/accept", "{\"how\":\"ignore\"}").status == 409)
    try served.stub("/new", "new")
    #expect(try served.steer("POST interactions/get-new/save", "{\"cassette\":\"test\"}").status == 409)
    #expect(try Self.text(served) == before)
  }

  @Test func `a link out of the folder is not written through`() throws {
    let served = try Self.served()
    let outside = FileManager.default.temporaryDirectory.appending(path: "outside-\(UUID()).json").path
    defer { try? FileManager.default.removeItem(atPath: outside) }
    try FileManager.default.moveItem(atPath: "\(served.folder)/test.json", toPath: outside)
    try FileManager.default.createSymbolicLink(atPath: "\(served.folder)/test.json", withDestinationPath: outside)
    #expect(try served.text("GET /a?page=2") == "404")
    let before = try String(contentsOfFile: outside, encoding: .utf8)
    #expect(try served.steer("POST journal/1/accept", "{\"how\":\"ignore\"}").status == 409)
    #expect(try String(contentsOfFile: outside, encoding: .utf8) == before)
  }
}
