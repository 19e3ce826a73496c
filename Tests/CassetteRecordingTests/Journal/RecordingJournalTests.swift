import CassetteHTTP
internal import CassetteSecrets
import Foundation
import TestSupport
import Testing

@testable import CassetteRecording
@testable import Cassettes
@testable import MockServerUpstream

extension RecordingJournal {
  /// Writes the pending bytes, like a recorder.
  mutating func commit() throws(CassetteError) { try writer.write(takePending()) }
}

struct RecordingJournalTests {
  func exchange(_ url: String, _ body: String, headers: HTTPHeaders = [:]) -> Interaction {
    Interaction(
      method: .get, url: url, requestHeaders: headers,
      outcome: .response(RecordedResponse(status: 200, body: .storing(Array(body.utf8)))))
  }

  func inFolder(_ use: (String) throws -> Void) throws {
    let folder = try ScratchFolder()
    try withExtendedLifetime(folder) { try use(folder.path) }
  }

  func bodies(_ path: String) throws -> [String] {
    try CassetteFile.read(path: path).interactions.map {
      String(decoding: try $0.responseBody?.bytes() ?? [], as: UTF8.self)
    }
  }

  /// Returns a closed journal of a number of exchanges.
  private func closedJournal(of count: Int, beside cassette: String) throws -> RecordingJournal {
    var journal = try RecordingJournal(beside: cassette, redaction: .standard)
    for number in 0..<count {
      try journal.append(exchange("https://a.test/\(number)", "body \(number)"), number: number)
      try journal.commit()
    }
    journal.close()
    return journal
  }

  @Test func `committed exchanges are in the cassette after a recovery`() throws {
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

  @Test func `a second recovery changes nothing, and unrequested recordings stay`() throws {
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

  @Test func `a recovery keeps an edit made after the crash and replaces all other recordings`() throws {
    try inFolder { folder in
      let cassette = "\(folder)/a.json"
      let old = ["1", "2"].map { exchange("/\($0)", "before") }
      for there in [old, []] {
        try? FileManager.default.removeItem(atPath: cassette)
        if !there.isEmpty {
          try CassetteFile.write(Cassette(name: "a", origin: "https://a.test", interactions: there), to: cassette)
        }
        var journal = try RecordingJournal(beside: cassette, redaction: .standard)
        for number in 1...3 { try journal.append(exchange("https://a.test/\(number)", "after"), number: number) }
        try journal.commit()
        journal.close()
        let edited = there.isEmpty ? [exchange("/1", "by hand")] : [exchange("/1", "by hand"), old[1]]
        try CassetteFile.write(Cassette(name: "a", origin: "https://a.test", interactions: edited), to: cassette)
        let recovery = try #require(try RecordingJournal.recover(beside: cassette))
        #expect(recovery.changes.kept.map { $0.hasSuffix("edited by hand in the meantime") } == [true])
        #expect(try bodies(cassette) == ["by hand", "after", "after"])
      }
    }
  }

  @Test(arguments: [false, true])
  func `a recorder killed between its save and the removal of its journal adds each exchange once`(adds: Bool) throws {
    try inFolder { folder in
      let cassette = "\(folder)/a.json"
      for isSaved in [false, true] {
        try? FileManager.default.removeItem(atPath: cassette)
        var journal = try RecordingJournal(beside: cassette, redaction: .standard, adds: adds)
        try journal.append(exchange("https://a.test/1", "one"), number: 0)
        try journal.commit()
        let saved = Cassette(name: "a", origin: "https://a.test", interactions: [exchange("/1", "one")])
        try CassetteFile.write(saved, to: cassette) { bytes throws(CassetteError) in
          try journal.noteFolded(into: bytes)
        }
        // The killed process left its temporary file.
        if !isSaved { try Data().write(to: URL(filePath: "\(folder)/.a.json.2147483646.1.tmp")) }
        // The journal notes a file that was not written.
        if !isSaved { try FileManager.default.removeItem(atPath: cassette) }
        journal.close()
        let recovery = try RecordingJournal.recover(beside: cassette)
        #expect((recovery == nil) == isSaved)
        #expect(try bodies(cassette) == ["one"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a.json"])
      }
    }
  }

  @Test func `a recovery does not use the secret number of a recording added meanwhile`() throws {
    try inFolder { folder in
      let cassette = "\(folder)/a.json"
      func bearer(_ token: String) -> HTTPHeaders { [("Authorization", "Bearer \(token)")] }
      let mine = exchange("/1", "one", headers: bearer("{{secret:1}}"))
      let stranger = exchange("/2", "two", headers: bearer("{{secret:2}}"))
      try CassetteFile.write(Cassette(name: "a", origin: "https://a.test", interactions: [mine]), to: cassette)
      var journal = try RecordingJournal(beside: cassette, redaction: .standard)
      let again = exchange("https://a.test/1", "one", headers: bearer("sent-secret-1"))
      let journaled = try journal.append(again, number: 0)
      #expect(journaled.requestHeaders["Authorization"] == "Bearer {{secret:1}}")
      try journal.commit()
      journal.close()
      let both = Cassette(name: "a", origin: "https://a.test", interactions: [mine, stranger])
      try CassetteFile.write(both, to: cassette)
      let recovery = try #require(try RecordingJournal.recover(beside: cassette))
      #expect(recovery.changes.isEmpty)
      let read = try CassetteFile.read(path: cassette).interactions
      #expect(read.map { $0.requestHeaders["Authorization"] } == ["Bearer {{secret:1}}", "Bearer {{secret:2}}"])
    }
  }

  @Test func `a repeated body is redacted with the secrets known by then`() throws {
    try inFolder { folder in
      var journal = try RecordingJournal(beside: "\(folder)/a.json", redaction: .standard)
      let secret = "quiet-river-4711-stone"
      let login = exchange("https://a.test/login", "ok", headers: ["Authorization": "Bearer \(secret)"])
      var shown: [Bool] = []
      for (number, next) in [exchange("https://a.test/1", "see \(secret)"), login].enumerated() {
        try journal.append(next, number: number)
      }
      for number in 2...3 {
        let again = try journal.append(exchange("https://a.test/1", "see \(secret)"), number: number)
        shown.append(String(decoding: try again.responseBody?.bytes() ?? [], as: UTF8.self).contains(secret))
      }
      #expect(shown == [false, false])
      journal.remove()
    }
  }

  @Test func `a journal truncated at any byte gives its complete exchanges`() throws {
    try inFolder { folder in
      let cassette = "\(folder)/a.json"
      let journal = try closedJournal(of: 3, beside: cassette)
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

  @Test func `a damaged exchange in a journal is skipped, and the journal is kept in another file`() throws {
    try inFolder { folder in
      let cassette = "\(folder)/a.json"
      let journal = try closedJournal(of: 4, beside: cassette)
      var bytes = try Data(contentsOf: URL(filePath: journal.path))
      let place = try #require(bytes.firstRange(of: Data("body 1".utf8)))
      bytes[place.lowerBound] ^= 1
      try bytes.write(to: URL(filePath: journal.path))
      let recovery = try #require(try RecordingJournal.recover(beside: cassette))
      #expect(recovery.exchanges == 3)
      #expect(try bodies(cassette) == ["body 0", "body 2", "body 3"])
      let kept = try #require(recovery.damaged)
      #expect(try Data(contentsOf: URL(filePath: kept)) == bytes)
      #expect(try RecordingJournal.recover(beside: cassette) == nil)
    }
  }

  @Test(arguments: ["keep me", "mockserver journal 2\n", "mockserver journal 4\nexchange 0 2 0\n{}\n"])
  func `a file of another format in place of the journal is an error and is not changed`(text: String) throws {
    try inFolder { folder in
      let path = "\(folder)/a.json.journal"
      try Data(text.utf8).write(to: URL(filePath: path))
      let error = #expect(throws: CassetteError.self) { try RecordingJournal.recover(beside: "\(folder)/a.json") }
      #expect(error?.file == path)
      #expect(error?.suggestion?.contains("if another version wrote it, recover it with that version") == true)
      #expect(try String(contentsOf: URL(filePath: path), encoding: .utf8) == text)
    }
  }

  @Test func `a recorder of a symbolic link finds the journal of the linked file`() throws {
    try inFolder { folder in
      try CassetteFile.write(Cassette(name: "a", interactions: [exchange("/1", "one")]), to: "\(folder)/a.json")
      try FileManager.default.createSymbolicLink(atPath: "\(folder)/b.json", withDestinationPath: "a.json")
      let journal = try RecordingJournal(beside: "\(folder)/a.json", redaction: .standard)
      let error = #expect(throws: CassetteError.self) {
        try RecordingJournal(beside: "\(folder)/b.json", redaction: .standard)
      }
      #expect(error?.message.contains("another process records") == true)
      journal.remove()
    }
  }

  @Test func `a second recorder of a file is refused, and the journal of a running one is not recovered`() throws {
    try inFolder { folder in
      let cassette = "\(folder)/a.json"
      let journal = try RecordingJournal(beside: cassette, redaction: .standard)
      let error = #expect(throws: CassetteError.self) { try RecordingJournal(beside: cassette, redaction: .standard) }
      #expect(error?.message.contains("another process records") == true)
      #expect(try RecordingJournal.recover(beside: cassette) == nil)
      journal.remove()
    }
  }

  @Test func `a journal does not contain secrets known by name or by shape`() throws {
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

  @Test func `tokens for requests with different bodies keep their numbers if the requests complete in another order`()
    throws
  {
    func login(_ user: String, _ token: String) -> Interaction {
      Interaction(
        method: .post, url: "https://a.test/login", requestHeaders: ["Content-Type": "application/json"],
        requestBody: .storing(Array("{\"user\":\"\(user)\"}".utf8)),
        outcome: .response(
          RecordedResponse(status: 200, body: .storing(Array("{\"access_token\":\"\(token)\"}".utf8)))))
    }
    func record(_ order: [Int], _ round: String, _ cassette: String) throws -> [String] {
      var journal = try RecordingJournal(beside: cassette, redaction: .standard)
      for number in order {
        try journal.append(login(["ada", "bob", "cy"][number], "\(round)Zk8vQ2xTw\(number)"), number: number)
      }
      try journal.commit()
      journal.close()
      _ = try RecordingJournal.recover(beside: cassette)
      return try bodies(cassette)
    }
    try inFolder { folder in
      let first = try record([0, 1, 2], "a", "\(folder)/a.json")
      #expect(first.allSatisfy { $0.contains("{{secret:") } && Set(first).count == 3)
      #expect(try record([2, 0, 1], "b", "\(folder)/a.json") == first)
    }
  }

  @Test func `secrets recorded again keep their numbers after a recovery`() throws {
    try inFolder { folder in
      let cassette = "\(folder)/a.json"
      func crash(_ session: String) throws -> RecordingJournal.Recovery {
        var journal = try RecordingJournal(beside: cassette, redaction: .standard)
        let body =
          "{\"access_token\":\"token-of-\(session)\",\"again\":\"token-of-\(session)\",\"password\":\"pw-\(session)-pw\"}"
        let sent = exchange(
          "https://a.test/login?api_key=key-of-\(session)", body, headers: [("Cookie", "s=\(session)")])
        try journal.append(sent, number: 0)
        try journal.commit()
        journal.close()
        return try #require(try RecordingJournal.recover(beside: cassette))
      }
      #expect(try crash("monday-0123456789").changes.added.count == 1)
      let before = try String(contentsOf: URL(filePath: cassette), encoding: .utf8)
      #expect(try crash("tuesday-9876543210").changes.isEmpty)
      let after = try String(contentsOf: URL(filePath: cassette), encoding: .utf8)
      #expect(after == before)
      #expect(after.contains("{{secret:4}}") && !after.contains("{{secret:5}}"))
    }
  }
}
