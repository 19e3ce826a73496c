import CassetteHTTP
import Foundation
import ServerTestSupport
import Testing

@testable import MockServerKit

/// Accepting misses: the edit is proposed, written, served and undone.
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

  /// Waits until the server has loaded the edit.
  private static func settles(_ served: Served, _ answer: [String: Any]) throws {
    let generation = try #require(answer["generation"] as? Int)
    #expect(try served.steer("GET health?generation=\(generation)&seconds=60").status == 200)
  }

  @Test
  func `an accepted miss matches the nearest recording without the differing part, and undo makes it a miss again`()
    throws
  {
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

  @Test func `accepting with copy adds a copy of the nearest recording, or the interaction of the call, to its file`()
    throws
  {
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

  @Test func `accepting with copy creates the named file if there are no recordings`() throws {
    let served = try Served(.platform, [:]) { $0.watches = true }
    #expect(try served.text("GET /new") == "404")
    #expect(try served.steer("POST journal/1/accept", "{\"how\":\"copy\"}").status == 409)
    let made = try served.told("POST journal/1/accept", "{\"how\":\"copy\",\"cassette\":\"made\"}")
    try Self.settles(served, made)
    #expect(try served.ask("GET /new").status == 200)
    try Self.settles(served, try served.told("POST edits/1/undo", "{}"))
    #expect(!FileManager.default.fileExists(atPath: "\(served.folder)/made.json"))
  }

  @Test func `accepting with upstream adds the response of the live server`() throws {
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

  @Test func `accept and undo do not write to a file that was edited in the meantime`() throws {
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
  func `an invalid or impossible accept call is refused and no file is written`(body: String, status: Int) throws {
    let served = try Self.served()
    let before = try Self.text(served)
    #expect(try served.text("GET /a?page=2") == "404")
    #expect(try served.steer("POST journal/1/accept", body).status == status)
    #expect(try served.steer("POST journal/9/accept", "{\"how\":\"copy\"}").status == 404)
    #expect(try served.steer("POST edits/9/undo", "{}").status == 404)
    #expect(try Self.text(served) == before)
  }

  @Test func `with --read-only, accept and save are refused with that reason and no file is written`() throws {
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

  @Test func `accept does not write through a symbolic link that leaves the folder`() throws {
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
