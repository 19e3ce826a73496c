import CassetteSession
import CassetteSystem
import Cassettes
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `Shared cassettes` {
  private let folder: ScratchFolder
  private var path: String { folder.path("shared.json") }

  init() throws { folder = try ScratchFolder() }

  private func asks(_ paths: [String], _ origin: LoopbackOrigin, as test: String, _ mode: CassetteMode) async throws
    -> (
      [String], CassettePlayer
    )
  {
    let player = CassettePlayer()
    try player.add(paths: [path], mode: mode, for: RecordingTest(name: test, site: test))
    let session = player.session()
    var answers: [String] = []
    for path in paths {
      let url = try #require(URL(string: origin.url + path))
      answers.append(String(decoding: try await session.data(from: url).0, as: UTF8.self))
    }
    player.end()
    return (answers, player)
  }

  @Test func `each test plays its own recordings of a shared cassette, and none are reported as unplayed`() async throws
  {
    let origin = try LoopbackOrigin { request in
      let text = "\(request.target) \(Int.random(in: 1_000...9_999))"
      return [.text("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")]
    }
    var recorded: [String: [String]] = [:]
    for test in ["A/a()", "B/b()", "C/c()"] {
      let (answers, player) = try await asks(["/state", "/state", "/\(test.prefix(1))"], origin, as: test, .record)
      recorded[test] = answers
      let line = try player.save().first ?? ""
      #expect(line.hasSuffix("3 added (GET /state, GET /state, GET /\(test.prefix(1)))"), "\(line)")
    }
    for test in ["C/c()", "B/b()", "A/a()"] {
      let (answers, player) = try await asks(["/state", "/state", "/\(test.prefix(1))"], origin, as: test, .replay)
      #expect(answers == recorded[test])
      #expect(player.ledger.neverPlayed.isEmpty)
      #expect(player.ledger.outOfOrder.isEmpty)
    }
    #expect(origin.requests.count == 9)
  }

  @Test func `a server that fails while a test records again removes no recording`() async throws {
    // The origin keeps its port, so that no server of another test answers instead.
    let isDown = Locked(false)
    let origin = try LoopbackOrigin { _ in
      isDown.withLock(\.self) ? [.reset] : [.text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")]
    }
    let (_, player) = try await asks(["/a", "/b"], origin, as: "A/a()", .record)
    try player.save()
    let before = try String(contentsOfFile: path, encoding: .utf8)
    let url = try #require(URL(string: "\(origin.url)/a"))
    isDown.withLock { $0 = true }
    let again = CassettePlayer()
    try again.add(paths: [path], mode: .record, for: RecordingTest(name: "A/a()", site: "A/a()"))
    await #expect(throws: URLError.self) { try await again.session().data(from: url) }
    again.end()
    let line = try again.save().first ?? ""
    #expect(line.contains("nothing changed, 1 kept as recorded"), "\(line)")
    let after = try String(contentsOfFile: path, encoding: .utf8)
    #expect(after == before, "\(after)")
  }
}
