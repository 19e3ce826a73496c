import Foundation
import ServerTestSupport
import Testing

private let corpora = ProcessInfo.processInfo.environment["CORPORA"]

/// Captured requests of real clients: the files of `wire-captures` in the folder `CORPORA`.
@Suite(.enabled(if: corpora != nil, "CORPORA names no folder"))
struct WireCaptureTests {
  private static let captures: [String] = {
    let folder = "\(corpora ?? "")/wire-captures"
    let files = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".request") }.sorted().map { "\(folder)/\($0)" }
  }()

  @Test(arguments: LoopKind.allCases)
  func `every captured request is answered, in one piece and in many`(kind: LoopKind) throws {
    let served = try Served(kind, [Served.recording("GET /a", "a")])
    #expect(!Self.captures.isEmpty)
    for file in Self.captures {
      let bytes = Array(try #require(FileManager.default.contents(atPath: file)))
      let isHead = bytes.starts(with: Array("HEAD ".utf8))
      for size in [bytes.count, 97] {
        let client = try served.client()
        for start in stride(from: 0, to: bytes.count, by: size) {
          client.send(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        var answer = try client.answer(toHead: isHead)
        if answer.status == 100 { answer = try client.answer(toHead: isHead) }
        #expect([404, 200, 204, 501].contains(answer.status), "\(file): \(answer.status) \(answer.text)")
      }
    }
  }
}
