import Foundation
import HTTP
import TestSupport
import Testing

@testable import Cassettes

struct RecordingJournalTests {
  private func exchange(_ url: String, _ body: String, headers: HTTPHeaders = [:]) -> Interaction {
    Interaction(
      method: .get, url: url, requestHeaders: headers,
      outcome: .response(RecordedResponse(status: 200, body: .storing(Array(body.utf8)))))
  }

  private func inFolder(_ use: (String) throws -> Void) throws {
    let folder = try TemporaryFolder()
    try withExtendedLifetime(folder) { try use(folder.path) }
  }

  private func bodies(_ path: String) throws -> [String] {
    try CassetteFile.read(path: path).interactions.map {
      String(decoding: try $0.responseBody?.bytes() ?? [], as: UTF8.self)
    }
  }

  @Test func `what was committed is in the cassette after the recorder is gone`() throws {
    try inFolder { folder in
      let cassette = "\(folder)/a.json"
      var journal = try RecordingJournal(beside: cassette, redaction: .standard)
      try journal.append(exchange("https://a.test/2", "two"), number: 1)
      try journal.append(exchange("https://a.test/1", "one"), number: 0)
      try journal.commit()
      try journal.append(exchange("https://a.test/3", "three"), number: 2)
      journal.close()
      let recovery = try #require(try RecordingJournal.recover(beside: cassette))
      #expect(recovery.exchanges == 2)
      #expect(recovery.changes.added == ["GET /1", "GET /2"])
      #expect(try bodies(cassette) == ["one", "two"])
      #expect(!FileManager.default.fileExists(atPath: journal.path))
      #expect(try RecordingJournal.recover(beside: cassette) == nil)
    }
  }

  @Test func `recovering twice changes nothing, and what was not asked stays`() throws {
    try inFolder { folder in
      let cassette = "\(folder)/a.json"
      try CassetteFile.write(
        Cassette(
          name: "a", origin: "https://a.test", interactions: [exchange("/old", "old"), exchange("/1", "before")]),
        to: cassette)
      for expected in [["1"], []] {
        var journal = try RecordingJournal(beside: cassette, redaction: .standard)
        try journal.append(exchange("https://a.test/1", "after"), number: 0)
        try journal.commit()
        journal.close()
        let recovery = try #require(try RecordingJournal.recover(beside: cassette))
        #expect(recovery.changes.changed.count == expected.count)
        #expect(try bodies(cassette) == ["old", "after"])
      }
    }
  }

  @Test func `a journal that breaks off anywhere gives what is whole`() throws {
    try inFolder { folder in
      let cassette = "\(folder)/a.json"
      var journal = try RecordingJournal(beside: cassette, redaction: .standard)
      for number in 0..<3 {
        try journal.append(exchange("https://a.test/\(number)", "body \(number)"), number: number)
        try journal.commit()
      }
      journal.close()
      let whole = try Data(contentsOf: URL(filePath: journal.path))
      var seen: Set<Int> = []
      for length in stride(from: 0, through: whole.count, by: 7) {
        try? FileManager.default.removeItem(atPath: cassette)
        try whole.prefix(length).write(to: URL(filePath: journal.path))
        let recovery = try #require(try RecordingJournal.recover(beside: cassette))
        seen.insert(recovery.exchanges)
        if recovery.exchanges > 0 {
          #expect(try bodies(cassette) == (0..<recovery.exchanges).map { "body \($0)" })
        }
      }
      #expect(seen == [0, 1, 2])
    }
  }

  @Test func `one process records at a time, and a living one's journal is left alone`() throws {
    try inFolder { folder in
      let cassette = "\(folder)/a.json"
      let journal = try RecordingJournal(beside: cassette, redaction: .standard)
      let error = #expect(throws: CassetteError.self) { try RecordingJournal(beside: cassette, redaction: .standard) }
      #expect(error?.message.contains("another process records") == true)
      #expect(try RecordingJournal.recover(beside: cassette) == nil)
      journal.remove()
    }
  }

  @Test func `no secret is in a journal, of a name or of a shape that gives it away`() throws {
    try inFolder { folder in
      let token = "ghp_" + String(repeating: "a1B2", count: 9)
      var journal = try RecordingJournal(beside: "\(folder)/a.json", redaction: .standard)
      let sent = exchange(
        "https://a.test/?access_token=tok-secret-1", "{\"note\":\"\(token)\"}",
        headers: [("Authorization", "Bearer tok-secret-2")])
      try journal.append(sent, number: 0)
      try journal.append(exchange("https://a.test/echo", "tok-secret-2 \(token)"), number: 1)
      try journal.commit()
      let text = try String(contentsOf: URL(filePath: journal.path), encoding: .utf8)
      for secret in ["tok-secret", token] { #expect(!text.contains(secret)) }
      #expect(journal.tokens == [token])
      let permissions = try FileManager.default.attributesOfItem(atPath: journal.path)[.posixPermissions] as? Int
      #expect(permissions == 0o600)
      journal.remove()
    }
  }
}
