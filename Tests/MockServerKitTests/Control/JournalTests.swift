import CassetteHTTP
import Foundation
import ServerTestSupport
import Testing

@testable import MockServerKit

/// Queries of the journal.
@Suite struct JournalQueryTests {
  private static func served(_ configure: (inout MockServer.Configuration) -> Void = { _ in }) throws -> Served {
    let served = try Served(
      .platform, [Served.recording("GET /a", "a"), Served.recording("POST /users/7", "made", status: 201)], configure)
    let client = try served.client()
    _ = try client.ask("GET /a")
    _ = try client.ask("GET /a", ["X-Mock-Session": "her", "Authorization": "Bearer s3cret"])
    _ = try client.ask("POST /users/7?x=1")
    _ = try client.ask("POST /users/7", body: "name=Kean")
    _ = try client.ask("GET /b", ["X-Mock-Session": "her"])
    return served
  }

  @Test(arguments: [
    ("", [1, 2, 3, 4, 5]), ("?session=her", [2, 5]), ("?session=", [1, 3, 4]), ("?method=POST", [3, 4]),
    ("?path=/a", [1, 2]), ("?path=/users/{id}", [3, 4]), ("?status=201", [4]), ("?status=4xx", [3, 5]),
    ("?outcome=miss&session=her", [5]), ("?body=Kean", [4]), ("?after=3", [4, 5]), ("?limit=2", [1, 2]),
    ("?outcome=played&limit=1&after=1", [2]),
  ])
  func `the journal is filtered by each query parameter and paged by limit`(query: String, numbers: [Int]) throws {
    let journal = try Self.served().told("GET journal\(query)")
    #expect((journal["entries"] as? [[String: Any]])?.compactMap { $0["number"] as? Int } == numbers)
    #expect(journal["forgotten"] as? Int == 0)
    #expect((journal["next"] as? Int) == (query.contains("limit") ? numbers.last : nil))
  }

  @Test(arguments: [
    "?status=20", "?outcome=mist", "?sesion=her", "?limit=-1", "?follow=maybe", "?as=pdf", "?path=/a&path=/b",
  ])
  func `an unknown parameter or value of a journal query is refused by name`(query: String) throws {
    let served = try Served(.platform, [Served.recording("GET /a", "a")])
    let answer = try served.steer("GET journal\(query)")
    #expect(answer.status == 400 && answer.text.contains("\\\""), "\(answer.text)")
  }

  @Test func `a malformed request is in the journal with the reason of its refusal`() throws {
    let served = try Served(.platform, [Served.recording("GET /a", "a")])
    let client = try served.client()
    client.request("GET /a b c")
    #expect(try client.reads(until: "400"))
    let entry = try #require((try served.told("GET journal?outcome=refused")["entries"] as? [[String: Any]])?.first)
    #expect(entry["status"] as? Int == 400 && entry["url"] is NSNull)
    #expect((entry["reason"] as? String)?.isEmpty == false)
    #expect(try served.told("GET journal/1")["outcome"] as? String == "refused")
  }

  @Test func `a reset of one session removes only the journal entries of that session`() throws {
    let served = try Self.served()
    #expect(try served.steer("POST reset", "{\"session\":\"her\"}").status == 200)
    let journal = try served.told("GET journal")
    #expect((journal["entries"] as? [[String: Any]])?.compactMap { $0["number"] as? Int } == [1, 3, 4])
  }

  @Test func `the journal shows secrets only if the server was started with that option`() throws {
    let masked = try Self.served().steer("GET journal")
    #expect(!masked.text.contains("s3cret"))
    let shown = try Self.served { $0.showsSecrets = true }.steer("GET journal")
    #expect(shown.text.contains("Bearer s3cret"))
  }

  @Test func `a follower of the journal receives the requests that pass its filter as server-sent events`() throws {
    let served = try Self.served()
    let follower = try served.client()
    follower.request("GET /__mock/journal?follow=true&session=her")
    #expect(try follower.reads(until: "text/event-stream"))
    _ = try served.text("GET /a")
    _ = try served.text("GET /a", of: "her")
    #expect(try follower.reads(until: "\"number\":7"))
    #expect(try follower.reads(until: "event: request\nid: 7\n"))
  }

  @Test func `a follower that reads too slowly receives the number of events that were dropped`() throws {
    let served = try Served(.platform, [Served.recording("GET /a", "a")]) { $0.loops = 1 }
    let follower = try served.client(receiveBuffer: 4_096)
    follower.request("GET /__mock/journal?follow")
    #expect(try follower.reads(until: "text/event-stream"))
    let client = try served.client()
    let filler = String(repeating: "x", count: 20_000)
    for _ in 0..<3_000 { #expect(try client.ask("GET /a", ["X-Filler": filler]).status == 200) }
    #expect(try follower.reads(until: "event: lost\ndata: {\"requests\":"))
  }

  @Test func `the journal exported as a cassette answers the same requests, without secrets`() throws {
    let served = try Self.served()
    try served.stub("/b", "stubbed")
    _ = try served.text("GET /b")
    let answer = try served.steer("GET journal?as=cassette")
    #expect(answer.status == 200 && answer.headers["Mockserver-Left-Out"] == "2")
    #expect(!answer.text.contains("s3cret"))
    let again = try Served(.platform, ["journal.json": answer.text])
    #expect(try again.text("GET /a") == "a" && again.text("GET /b") == "stubbed")
  }
}
