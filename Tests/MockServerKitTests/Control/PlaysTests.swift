import CassetteHTTP
import Foundation
import ServerTestSupport
import Testing

@testable import MockServerControl
@testable import MockServerKit

/// Play counts, and the position of each session.
@Suite struct PlaysTests {
  private static let turns = (1...3).map { recording("GET /poll", "\($0)", id: "poll-\($0)") }
  private static let single = recording("GET /a", "a", id: "a")

  private static func recording(_ line: String, _ text: String, id: String, more: String = "") -> String {
    Served.recording(line, text, more: ",\"id\":\"\(id)\"\(more)")
  }

  private static func list(_ served: Served, _ query: String = "") throws -> [String: [String: Any]] {
    let list = try #require(try served.told("GET interactions\(query)")["interactions"] as? [[String: Any]])
    return Dictionary(uniqueKeysWithValues: list.map { ($0["id"] as? String ?? "", $0) })
  }

  private static func counts(_ served: Served) throws -> [String: Int] {
    try list(served).compactMapValues { $0["plays"] as? Int }
  }

  @Test(arguments: LoopKind.allCases)
  func `plays of prepared and of repeated recordings are counted on every event loop`(
    kind: LoopKind
  ) throws {
    let served = try Served(kind, [Self.single] + Self.turns) { $0.log = .none }
    for _ in 0..<4 {
      let client = try served.client()
      for path in ["/a", "/a", "/poll"] { #expect(try client.ask("GET \(path)").status == 200) }
    }
    #expect(try Self.counts(served) == ["a": 8, "poll-1": 1, "poll-2": 1, "poll-3": 2])
    #expect(try served.told("GET interactions/a")["plays"] as? Int == 8)
    #expect(try served.steer("POST reset", "{}").status == 200)
    #expect(try Self.counts(served) == ["a": 0, "poll-1": 0, "poll-2": 0, "poll-3": 0])
  }

  @Test func `interactions show which recording plays next in a session, and showing them does not advance it`() throws
  {
    let served = try Served(.platform, [Self.single] + Self.turns)
    #expect(try served.text("GET /poll", of: "her") == "1" && served.text("GET /poll", of: "her") == "2")
    #expect(try served.text("GET /poll") == "1")
    for _ in 0..<2 {
      let (hers, own) = (try Self.list(served, "?session=her"), try Self.list(served))
      #expect(hers["a"]?["position"] == nil)
      func next(_ list: [String: [String: Any]]) -> [String] {
        list.filter { ($0.value["position"] as? [String: Any])?["isNext"] as? Bool == true }.map(\.key)
      }
      #expect(next(hers) == ["poll-3"] && next(own) == ["poll-2"])
      let second = try #require(hers["poll-2"]?["position"] as? [String: Any])
      #expect(second["turn"] as? Int == 2 && second["of"] as? Int == 3 && second["plays"] as? Int == 1)
      #expect(hers["poll-1"]?["plays"] as? Int == 2)
    }
    #expect(try served.text("GET /poll", of: "her") == "3")
  }

  @Test func `the next recording depends on the scenario state, and is none while a stub replaces them`() throws {
    let served = try Served(
      .platform,
      [
        Self.recording("GET /cart", "empty", id: "empty", more: ",\"replay\":{\"when\":{\"cart\":\"Started\"}}"),
        Self.recording("GET /cart", "full", id: "full", more: ",\"replay\":{\"when\":{\"cart\":\"full\"}}"),
      ])
    func isNext(_ id: String) throws -> Bool? {
      (try Self.list(served)[id]?["position"] as? [String: Any])?["isNext"] as? Bool
    }
    #expect(try isNext("empty") == true && isNext("full") == false)
    #expect(try served.steer("PUT scenarios/cart", "{\"state\":\"full\"}").status == 200)
    #expect(try isNext("empty") == false && isNext("full") == true)
    try served.stub("/cart", "stub")
    #expect(try isNext("empty") == false && isNext("full") == false)
  }

  @Test func `play counts survive an edit of the cassette, and a new stub with a reused id starts at zero`() throws {
    let served = try Served(.platform, Self.turns) { $0.watches = true }
    #expect(try served.text("GET /poll") == "1")
    try served.write(Served.cassette(Self.turns + [Self.recording("GET /b", "b", id: "b")]), to: "test.json")
    #expect(try served.told("GET health?generation=2&seconds=60")["generation"] as? Int == 2)
    #expect(try served.text("GET /b") == "b")
    #expect(try Self.counts(served) == ["poll-1": 1, "poll-2": 0, "poll-3": 0, "b": 1])
    let stub = try served.stub("/c", "c")
    #expect(try served.text("GET /c") == "c")
    #expect(try Self.counts(served)[stub] == 1)
    #expect(try served.steer("DELETE interactions/\(stub)").status == 200)
    #expect(try served.stub("/c", "other") == stub)
    #expect(try Self.counts(served)[stub] == 0)
  }

  @Test func `every journal entry has its duration and time if the log is off`() throws {
    let served = try Served(.platform, Self.turns + [Self.single]) { $0.log = .none }
    for path in ["/a", "/poll", "/missed"] { _ = try served.ask("GET \(path)") }
    let entries = try #require(try served.told("GET journal")["entries"] as? [[String: Any]])
    #expect(entries.count == 3 && entries.allSatisfy { $0["duration"] is Double && $0["at"] is String })
  }
}
