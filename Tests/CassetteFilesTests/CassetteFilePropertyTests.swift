import CassetteFiles
import CassetteHTTP
import Cassettes
import TestSupport
import Testing

@Suite struct CassetteFilePropertyTests {
  @Test(arguments: 0..<10)
  func `a broken cassette is refused when playing exactly when checking finds an error`(_ seed: Int) throws {
    var random = Seeded(UInt64(seed))
    let pieces = ["\"", "{", "}", "[", "]", ",", ":", "1", "\\", " ", "null", "\"body\":", "\u{0}", "é"].map {
      Array($0.utf8)
    }
    for _ in 0..<150 {
      var bytes = Array(documentedCassette.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let start = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, start + Int.random(in: 0...3, using: &random))
        bytes.replaceSubrange(start..<end, with: pieces.randomElement(using: &random) ?? [])
      }
      let problems = CassetteFile.problems(bytes: bytes, name: "test", file: nil)
      let hasErrors = problems.contains { $0.severity == .error }
      do {
        let cassette = try CassetteFile.read(bytes: bytes, name: "test", file: nil)
        #expect(!hasErrors)
        #expect(cassette.warnings == problems)
        let written = try CassetteFile.bytes(of: cassette)
        #expect(try CassetteFile.bytes(of: CassetteFile.read(bytes: written, name: "test", file: nil)) == written)
      } catch {
        #expect(hasErrors)
        #expect(problems.contains(error))
      }
    }
  }

  @Test func `places are right far into a file, and for many threads at once`() async throws {
    let interactions = (0..<2000).map { index in
      Interaction(
        method: .get, url: "/é/\(index)",
        outcome: .response(RecordedResponse(status: 200, body: .storing(Array("{\"a\":\(index)}".utf8)))))
    }
    let bytes = try CassetteFile.bytes(of: Cassette(name: "test", interactions: interactions))
    let cassette = try CassetteFile.read(bytes: bytes, name: "test", file: nil)
    await withTaskGroup { group in
      for part in 0..<4 {
        group.addTask {
          for index in stride(from: part, to: 2000, by: 4) {
            let interaction = cassette.interactions[index]
            // Fifteen lines each, after three.
            #expect(interaction.place == SourcePlace(file: "test.json", line: 4 + 15 * index, column: 5))
            #expect(interaction.url == "/é/\(index)")
            #expect((try? interaction.response?.body?.bytes()) == Array("{\"a\":\(index)}".utf8))
          }
        }
      }
    }
  }
}
