import CassetteHTTP
import Cassettes
import TestSupport
import Testing

@testable import MockServerUpstream

@Suite struct CassetteFilePropertyTests {
  @Test(arguments: 0..<10)
  func `a damaged cassette cannot be read if and only if checking finds an error`(_ seed: Int) throws {
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

  @Test(arguments: 0..<10)
  func `a random exchange is written and read back unchanged, or refused`(_ seed: Int) throws {
    var random = Seeded(UInt64(seed))
    let good = ["a", "B-c", "/x?y=1", "200", "é", "{\"a\": [1]}", "gzip", "2026-11-21T01:00:00Z", "text\n"]
    let bad = [
      "", " ", "\r\n", "\u{0}", "\u{7f}", "#", "\"", "\\", ",", "{{secret:1}}", "//", "\u{2028}", "2026-11-21T01:00",
    ]
    var (kept, refused) = (0, 0)
    for _ in 0..<400 {
      // Only one part is random, because the first error would hide the others.
      let odd = Int.random(in: 0..<14, using: &random)
      func text(_ part: Int, _ usual: String) -> String {
        part == odd
          ? (bad + good).randomElement(using: &random).map { Bool.random(using: &random) ? $0 : usual + $0 } ?? ""
          : usual
      }
      let numbers: [Double] = [0, 1.5, -1, .nan, .infinity, 1e-300, 1e300]
      var response = RecordedResponse(
        status: HTTPStatus(odd == 0 ? Int.random(in: 0...1_100, using: &random) : 200),
        headers: HTTPHeaders([(text(1, "Content-Type"), text(2, "text/plain"))]),
        body: odd == 4 ? .played([0x61, 0xff]) : .storing(Array(text(3, "{\"a\":1}").utf8)))
      response.reason = text(5, "OK then")
      response.coding = odd == 6 ? text(6, "gzip") : nil
      response.trailers = odd == 7 ? HTTPHeaders([(text(7, "X"), "y")]) : HTTPHeaders()
      var exchange = Interaction(
        id: text(8, "one"), method: HTTPMethod(text(9, "GET")), url: text(10, "/users/1"),
        requestHeaders: HTTPHeaders([("Accept", text(11, "*/*"))]), outcome: .response(response))
      exchange.recorded = RecordedFacts(
        at: text(12, "2026-11-21T01:00:00Z"), firstByte: odd == 13 ? numbers.randomElement(using: &random) : 0.5)
      guard let bytes = try? CassetteFile.compactBytes(of: exchange, isReadable: exchange.isSurelyReadable) else {
        refused += 1
        continue
      }
      kept += 1
      let read = try #require(CassetteFile.read(bytes: bytes, name: "test", file: nil).interactions.first)
      #expect(read.method == exchange.method && read.url == exchange.url)
      #expect(read.requestHeaders == exchange.requestHeaders && read.recorded == exchange.recorded)
      #expect(read.response?.headers == response.headers && read.response?.reason == response.reason)
      #expect(read.response?.trailers == response.trailers && read.response?.coding == response.coding)
      #expect(try read.response?.body?.bytes() == response.body?.bytes())
    }
    #expect(kept > 100 && refused > 10)
  }

  @Test func `places in a long cassette are right when many threads read it`() async throws {
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
            // Each interaction has fifteen lines, after three lines of the cassette.
            #expect(interaction.place == SourcePlace(file: "test.json", line: 4 + 15 * index, column: 5))
            #expect(interaction.url == "/é/\(index)")
            #expect((try? interaction.response?.body?.bytes()) == Array("{\"a\":\(index)}".utf8))
          }
        }
      }
    }
  }
}
