import CassetteHTTP
import CassettePlayback
import CassetteSystem
import Cassettes
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import MockServerKit

/// The cache of long answers.
struct LongAnswersTests {
  private let searched = SearchedFiles()

  private func key(_ entry: Int, base: String? = nil) -> LongAnswers.Key {
    LongAnswers.Key(entry: entry, base: base, origins: searched, file: nil)
  }

  private func response(_ body: PlayedBody) -> PlayedResponse {
    PlayedResponse(status: 200, reason: nil, headers: [], body: body)
  }

  @Test func `concurrent threads receive one long answer that was built once`() throws {
    let answers = LongAnswers()
    let key = key(1)
    let addresses = Locked<Set<UInt>>([])
    DispatchQueue.concurrentPerform(iterations: 50) { _ in
      let played = try? answers.answer(key) { response(.bytes([UInt8](repeating: 7, count: 100_000))) }
      guard case .bytes(let bytes)? = played?.body, bytes.count == 100_000 else { return }
      let address = bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
      addresses.withLock { _ = $0.insert(address) }
    }
    #expect(answers.made == 1)
    #expect(addresses.withLock { $0.count } == 1)
  }

  @Test func `a long answer is built for each base URL`() throws {
    let answers = LongAnswers()
    for base in ["http://a", "http://b", "http://a"] {
      _ = try answers.answer(key(1, base: base)) { response(.bytes([1])) }
    }
    #expect(answers.made == 2)
  }

  @Test func `long answers beyond the budget are dropped, least recently used first`() throws {
    let answers = LongAnswers(budget: 100)
    for entry in [1, 2, 1, 3, 1, 2] {
      _ = try answers.answer(key(entry)) { response(.bytes([UInt8](repeating: 0, count: 45))) }
    }
    #expect(answers.made == 4, "answer 3 dropped only answer 2")
    _ = try answers.answer(key(4)) { response(.bytes([UInt8](repeating: 0, count: 1_000))) }
    _ = try answers.answer(key(4)) { response(.bytes([])) }
    #expect(answers.made == 5, "the latest answer is kept even if it exceeds the budget")
  }

  @Test func `a long answer that could not be built is built again`() throws {
    let answers = LongAnswers()
    #expect(throws: CassetteError.self) {
      try answers.answer(key(1)) { () throws(CassetteError) in throw CassetteError(file: "a", message: "is gone") }
    }
    _ = try answers.answer(key(1)) { response(.bytes([1])) }
    #expect(answers.made == 1)
  }

  @Test func `a kept body is encoded once, and any other body each time`() throws {
    let answers = LongAnswers()
    let kept = try answers.answer(key(1)) { response(.pieces([BodyChunk(bytes: [1, 2])], breaksOff: false)) }
    var count = 0
    func coded(_ body: PlayedBody) {
      _ = answers.coded(body) {
        count += 1
        return .bytes([9])
      }
    }
    coded(kept.body)
    coded(kept.body)
    #expect(count == 1)
    for _ in 0..<2 { coded(.bytes([1, 2])) }
    #expect(count == 3)
  }

  @Test func `a file without a link is searched once, until the file changes`() throws {
    let folder = try ScratchFolder()
    let path = "\(folder.path)/a.txt"
    try Data("first".utf8).write(to: URL(filePath: path))
    let body = Body.lying(in: folder.path, at: "a.txt")
    let count = Counter(0)
    let searched = searched
    func search(finding: Bool = false) {
      DispatchQueue.concurrentPerform(iterations: 20) { _ in
        guard let file = try? body.openFile() else { return }
        let found = try? searched.finds(in: file) {
          count.add(1)
          return finding
        }
        #expect(found == finding)
      }
    }
    search()
    #expect(count.value == 1)
    try Data("another".utf8).write(to: URL(filePath: path))
    search(finding: true)
    #expect(count.value == 21, "a positive result is not cached")
  }
}
