import Cassettes
import Testing

@testable import CassetteMaintenance

struct `Cassette merge` {
  private static func file(_ interactions: String..., head: String = "") -> [UInt8] {
    let list = interactions.map { "\n    \($0)" }.joined(separator: ",")
    return Array("{\n  \"cassette\": 1,\(head)\n  \"interactions\": [\(list)\n  ]\n}\n".utf8)
  }

  private static func get(_ url: String, _ id: String, _ status: Int = 200, _ more: String = "") -> String {
    "{ \"id\": \"\(id)\", \"request\": { \"method\": \"GET\", \"url\": \"\(url)\" }, "
      + "\"response\": { \"status\": \(status) }\(more) }"
  }

  private static func merge(_ base: [UInt8], _ ours: [UInt8], _ theirs: [UInt8]) throws -> (CassetteMerge, Cassette) {
    let merge = try CassetteMerge(base: base, ours: ours, theirs: theirs, name: "github.json")
    return (merge, try CassetteFile.read(bytes: merge.bytes, name: "github", file: nil))
  }

  @Test(arguments: 0..<10)
  func `a hundred random merges keep all recordings, with conflicts only for interactions changed on both sides`(
    batch: UInt64
  ) throws {
    for seed in batch * 100..<batch * 100 + 100 {
      let edited = EditedCassettes(seed: seed)
      let (merge, cassette) = try Self.merge(
        Array(edited.base.utf8), Array(edited.ours.utf8), Array(edited.theirs.utf8))
      let bodies = try cassette.interactions.map { interaction in
        let text = String(decoding: try interaction.responseBody?.bytes() ?? [], as: UTF8.self)
        return Int(text.filter(\.isNumber)) ?? -1
      }
      #expect(bodies.sorted() == edited.bodies.sorted(), "seed \(seed)")
      let urls = merge.conflicts.map { $0.name.split(separator: " ")[1] }
      #expect(urls.sorted() == edited.conflicts.map { Substring($0) }.sorted(), "seed \(seed)")
      #expect(MergeConflict.problems(of: cassette).count == edited.conflicts.count, "seed \(seed)")
    }
  }

  @Test func `new recordings of both branches are merged, ours first, with unique ids`() throws {
    let base = Self.file(Self.get("/a", "get-a"))
    let ours = Self.file(Self.get("/a", "get-a"), Self.get("/a?page=2", "get-a-2"))
    let theirs = Self.file(Self.get("/a", "get-a"), Self.get("/a?page=3", "get-a-2"), Self.get("/b", "get-b"))
    let (merge, cassette) = try Self.merge(base, ours, theirs)
    #expect(merge.conflicts.isEmpty)
    #expect(cassette.interactions.map(\.url) == ["/a", "/a?page=2", "/a?page=3", "/b"])
    #expect(cassette.interactions.map(\.id) == ["get-a", "get-a-2", "get-a-3", "get-b"])
  }

  @Test func `a request changed on both sides is a named conflict, and both responses are kept`() throws {
    let base = Self.file(Self.get("/a", "get-a"), Self.get("/b", "get-b"))
    let ours = Self.file(Self.get("/a", "get-a", 404), Self.get("/b", "get-b"))
    let theirs = Self.file(Self.get("/a", "get-a", 500), Self.get("/b", "get-b"))
    let (merge, cassette) = try Self.merge(base, ours, theirs)
    #expect(
      merge.conflicts.map(\.description) == [
        "GET /a (\"get-a\") was changed on both sides: response.status: 404 → 500"
      ])
    #expect(cassette.interactions.map(\.id) == ["get-a", "get-a (conflict: theirs)", "get-b"])
    #expect(cassette.interactions.map(\.status) == [404, 500, 200])
    let problem = try #require(MergeConflict.problems(of: cassette).first)
    #expect(problem.line == 5)
    #expect(problem.suggestion?.contains("mockserver git resolve") == true)
  }

  @Test func `a conflict is resolved to our recording, their recording or both`() throws {
    let base = Self.file(Self.get("/a", "get-a"), Self.get("/gone", "get-gone"))
    let ours = Self.file(Self.get("/a", "get-a", 404))
    let theirs = Self.file(Self.get("/a", "get-a", 500), Self.get("/gone", "get-gone", 410))
    let merged = try Self.merge(base, ours, theirs).0.bytes
    for (choice, ids, statuses) in [
      (MergeConflict.Choice.ours, ["get-a"], [404]), (.theirs, ["get-a", "get-gone"], [500, 410]),
      (.both, ["get-a", "get-a-2", "get-gone"], [404, 500, 410]),
    ] {
      var text = try CassetteText(merged, name: "github")
      #expect(text.resolve(choice) == 2)
      let cassette = try CassetteFile.read(bytes: text.bytes, name: "github", file: nil)
      #expect(cassette.interactions.map(\.id) == ids)
      #expect(cassette.interactions.map(\.status) == statuses)
      #expect(MergeConflict.problems(of: cassette).isEmpty)
    }
  }

  @Test func `a rule added on one branch is combined with the response changed on the other`() throws {
    let base = Self.file(Self.get("/a", "get-a"))
    let ours = Self.file(Self.get("/a", "get-a", 404))
    let theirs = Self.file(Self.get("/a", "get-a", 200, ", \"replay\": { \"delay\": \"5ms\" }"))
    let (merge, _) = try Self.merge(base, ours, theirs)
    #expect(merge.conflicts.isEmpty)
    #expect(merge.bytes == Self.file(Self.get("/a", "get-a", 404, ", \"replay\": { \"delay\": \"5ms\" }")))
  }

  @Test func `recordings that differ only in their date are merged into one`() throws {
    func recorded(_ second: Int) -> String {
      "{ \"id\": \"get-a\", \"request\": { \"method\": \"GET\", \"url\": \"/a\" }, \"response\": { \"status\": 200, "
        + "\"headers\": [[\"Date\", \"Mon, 05 Jan 2026 10:00:0\(second) GMT\"]] } }"
    }
    let (merge, cassette) = try Self.merge([], Self.file(recorded(1)), Self.file(recorded(2)))
    #expect(merge.conflicts.isEmpty)
    #expect(cassette.interactions.count == 1)
  }

  @Test func `a changed layout is kept if the other branch did not change the value`() throws {
    let base = Self.file(Self.get("/a", "get-a"), Self.get("/b", "get-b"))
    let wide = Self.get("/a", "get-a").replacing(", \"response\"", with: ",\n\n      \"response\"")
    let ours = Self.file(wide, Self.get("/b", "get-b"))
    let theirs = Self.file(Self.get("/a", "get-a"), Self.get("/b", "get-b", 404))
    let (merge, _) = try Self.merge(base, ours, theirs)
    #expect(merge.bytes == Self.file(wide, Self.get("/b", "get-b", 404)))
  }

  @Test func `members of the cassette other than interactions are merged one by one`() throws {
    let interaction = Self.get("/a", "get-a")
    let (merge, cassette) = try Self.merge(
      Self.file(interaction, head: "\n  \"origin\": \"https://a.test\","),
      Self.file(interaction, head: "\n  \"origin\": \"https://a.test\",\n  \"matching\": \"exact\","),
      Self.file(interaction, head: "\n  \"origin\": \"https://b.test\","))
    #expect(merge.conflicts.isEmpty)
    #expect(cassette.origin == "https://b.test")
    #expect(cassette.matching == .exact)
  }

  @Test func `a member of the cassette changed on both sides keeps our value and is a named conflict`() throws {
    let interaction = Self.get("/a", "get-a")
    let (merge, cassette) = try Self.merge(
      Self.file(interaction, head: "\n  \"origin\": \"https://a.test\","),
      Self.file(interaction, head: "\n  \"origin\": \"https://b.test\","),
      Self.file(interaction, head: "\n  \"origin\": \"https://c.test\","))
    #expect(
      merge.conflicts.map(\.description) == [
        "\"origin\" was changed on both sides; our value is kept, their value was \"https://c.test\""
      ])
    #expect(cassette.origin == "https://b.test")
  }

  @Test func `a merge takes the new order of recordings if only their side changed it`() throws {
    let (a, b, c) = (Self.get("/a", "a"), Self.get("/b", "b"), Self.get("/c", "c"))
    let (merge, cassette) = try Self.merge(Self.file(a, b), Self.file(a, b, c), Self.file(b, a))
    #expect(merge.conflicts.isEmpty)
    #expect(cassette.interactions.map(\.id) == ["b", "c", "a"])
  }

  @Test func `a version that cannot be parsed is named in the error`() {
    let error = #expect(throws: CassetteError.self) {
      try CassetteMerge(base: [], ours: Self.file(), theirs: Array("{".utf8), name: "github.json")
    }
    #expect(error?.file.contains("github.json (theirs)") == true)
  }
}
