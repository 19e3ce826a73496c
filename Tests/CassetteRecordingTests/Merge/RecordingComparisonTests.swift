import CassetteHTTP
import CassetteRecording
internal import CassetteSecrets
import Cassettes
import TestSupport
import Testing

@Suite struct RecordingComparisonTests {
  private func exchange(_ body: [UInt8]) -> Interaction {
    let response = RecordedResponse(
      status: 200, headers: [("Content-Type", "image/png")], body: .storing(body))
    return Interaction(method: .get, url: "/a", outcome: .response(response))
  }

  @Test func `a long body in a file is compared with a body in memory`() throws {
    let folder = try ScratchFolder()
    var random = Seeded(7)
    let body = (0..<(5 << 20) / 8).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
    try CassetteFile.write(Cassette(name: "a", interactions: [exchange(body)]), to: folder.path("a.json"))
    let kept = try #require(try CassetteFile.read(path: folder.path("a.json")).interactions.first)
    #expect(try kept.responseBody?.openLongFile() != nil, "the body is stored in a separate file")
    #expect(RecordingComparison.isSame(kept, exchange(body)))
    #expect(!RecordingComparison.isSame(kept, exchange(Array(body.dropLast()))))
  }

  @Test(arguments: [
    (["A: 1", "Date: x", "B: 2"], ["A: 1", "B: 2", "Date: y"], true), (["A: 1", "B: 2"], ["b: 2", "a: 1"], true),
    (["A: 1"], ["A: 1", "B: 2"], false), (["Date: x"], [], true), (["A: 1", "A: 2"], ["A: 2", "A: 1"], false),
    (["X-Request-Id: 1", "A: 1"], ["A: 1", "A: 1"], false), ([], ["A: 1"], false),
  ])
  func `fields that differ each time and the order of different names do not count as a change`(
    before: [String], after: [String], isSame: Bool
  ) {
    func exchange(_ lines: [String]) -> Interaction {
      let fields = lines.map { line in
        let parts = line.split(separator: ": ").map(String.init)
        return (parts[0], parts[1])
      }
      let response = RecordedResponse(status: 200, headers: HTTPHeaders(fields), body: nil)
      return Interaction(method: .get, url: "/a", outcome: .response(response))
    }
    #expect(RecordingComparison.isSame(exchange(before), exchange(after)) == isSame)
    #expect(RecordingComparison.isSame(exchange(after), exchange(before)) == isSame)
  }

  @Test(arguments: [
    ("data: 1\n\ndata: 2\n\ndata: 3\n\ndata: 4\n\n", true), ("\u{0}PNG\n\na\n\nb\n\nc\n\n", false), ("plain", false),
  ])
  func `a binary body with blank lines is not a stream of events`(start: String, isStream: Bool) {
    #expect(JoinedText.isStream(Array(start.utf8)[...]) == isStream)
  }
}
