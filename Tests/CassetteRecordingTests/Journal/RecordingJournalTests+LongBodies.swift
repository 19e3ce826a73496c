import CassetteHTTP
internal import CassetteSecrets
import Foundation
import TestSupport
import Testing

@testable import CassetteRecording
@testable import Cassettes
@testable import MockServerUpstream

/// Bodies that are written to the disk while they arrive.
extension RecordingJournalTests {
  /// Appends an exchange with a long body to a journal, in chunks of random sizes.
  private func append(
    _ body: [UInt8], _ url: String, headers: HTTPHeaders, to journal: inout RecordingJournal, number: Int = 0,
    seed: UInt64 = 1
  ) throws -> Interaction {
    var interaction = exchange(url, "", headers: headers)
    var long = try journal.beginBody(of: interaction, number: number)
    var random = Seeded(seed)
    var at = 0
    while at < body.count {
      let end = min(body.count, at + Int.random(in: 1...200_000, using: &random))
      try long.append(Array(body[at..<end])) { $0(&journal.pass) }
      at = end
    }
    interaction.responseBody = try long.finish { $0(&journal.pass) }
    try journal.append(interaction, number: number)
    try journal.commit()
    return interaction
  }

  @Test(arguments: 1...2 as ClosedRange<UInt64>)
  func `a secret anywhere in a long body and in any encoding is not written to the disk`(seed: UInt64) throws {
    try inFolder { folder in
      var random = Seeded(seed)
      let sent = "sent-secret-\(random.next())"
      let token = "ghp_" + String(repeating: "a1B2", count: 9)
      var body: [UInt8] = []
      var planted: [String] = []
      while body.count < 1 << 20 {
        let filler = (0..<Int.random(in: 1_000...300_000, using: &random)).map { _ in
          UInt8.random(in: 0x20...0x7e, using: &random)
        }
        body += filler.map { $0 == 0x22 || $0 == 0x5c || $0 == 0x26 || $0 == 0x3d ? 0x20 : $0 }
        let named = "named-\(random.next())"
        switch Int.random(in: 0..<5, using: &random) {
        case 0: body += " \(sent) ".utf8
        case 1: body += " {\"access_token\": \"\(named)\"} ".utf8
        case 2: body += " \(token) ".utf8
        case 3: body += " https://a.test/?api_key=\(named)&x=1 ".utf8
        default: body += " \(Data(" and \(sent) too".utf8).base64EncodedString()) ".utf8
        }
        planted.append(named)
      }
      var journal = try RecordingJournal(beside: "\(folder)/a.json", redaction: .standard)
      let recorded = try append(
        body, "https://a.test/long", headers: [("Authorization", "Bearer \(sent)")], to: &journal, seed: seed)
      let kept = String(decoding: try recorded.responseBody?.bytes() ?? [], as: UTF8.self)
      for secret in planted + [sent, token] { #expect(!kept.contains(secret)) }
      #expect(kept.contains("{{secret:"))
      for coded in kept.split(separator: " ") {
        guard let decoded = Data(base64Encoded: String(coded)) else { continue }
        #expect(!String(decoding: decoded, as: UTF8.self).contains(sent))
      }
      journal.remove()
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }
  }

  @Test(arguments: [("$.rows[*].iban", true), ("$.rows[*].ibam", false)])
  func `a JSON path redacts its values in a body file of several megabytes`(path: String, isThere: Bool) throws {
    try inFolder { folder in
      let row = "{\"iban\": \"DE0210010010999\", \"note\": \"\(String(repeating: "so ", count: 300))\"}"
      let body = Array("{\"rows\": [\(repeatElement(row, count: 5000).joined(separator: ",\n"))]}".utf8)
      try #require(body.count > BodyFile.longestWhole)
      try FileManager.default.createDirectory(atPath: "\(folder)/bodies", withIntermediateDirectories: true)
      try Data(body).write(to: URL(filePath: "\(folder)/bodies/a.json"))
      var interaction = exchange("https://a.test/long", "")
      interaction.responseBody = .lying(in: folder, at: "bodies/a.json")
      let redacted = try CassetteRedaction.redacting(.json(path)).redacting([interaction])
      let kept = String(decoding: try redacted[0].responseBody?.bytes() ?? [], as: UTF8.self)
      #expect(kept.contains("DE0210010010999") != isThere)
      #expect(kept.contains("{\"iban\": \"{{secret:1") == isThere)
    }
  }

  @Test func `a long body without secrets is recovered byte for byte`() throws {
    try inFolder { folder in
      var random = Seeded(3)
      let body = (0..<600_000).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
      let cassette = "\(folder)/a.json"
      var journal = try RecordingJournal(beside: cassette, redaction: .standard)
      _ = try append(body, "https://a.test/long", headers: [:], to: &journal)
      var half = try journal.beginBody(of: exchange("https://a.test/half", ""), number: 1)
      try half.append(body) { $0(&journal.pass) }
      journal.close()
      let recovery = try #require(try RecordingJournal.recover(beside: cassette))
      #expect(recovery.changes.added == ["GET /long"])
      let read = try CassetteFile.read(path: cassette).interactions
      #expect(try read.map { try $0.responseBody?.bytes() } == [body])
      #expect(read[0].responseBody?.form == .file("bodies/a/get-long.bin"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["a.json", "bodies"])
    }
  }

  @Test func `the other exchanges of a journal without its long body are recovered`() throws {
    try inFolder { folder in
      let cassette = "\(folder)/a.json"
      var journal = try RecordingJournal(beside: cassette, redaction: .standard)
      let filler = [UInt8](repeating: 0x2e, count: 5 << 20)
      _ = try append(filler, "https://a.test/long", headers: [:], to: &journal, number: 0)
      try journal.append(exchange("https://a.test/1", "one"), number: 1)
      try journal.commit()
      journal.close()
      try FileManager.default.removeItem(atPath: "\(folder)/.a.json.journal")
      let recovery = try #require(try RecordingJournal.recover(beside: cassette))
      #expect(recovery.changes.added == ["GET /1"])
      #expect(recovery.damaged == "\(cassette).journal.damaged")
      #expect(try bodies(cassette) == ["one"])
    }
  }

  @Test func `a long body in a recovered journal keeps the numbers of recorded secrets`() throws {
    try inFolder { folder in
      let cassette = "\(folder)/a.json"
      let old = exchange("/1", "one", headers: [("Authorization", "Bearer {{secret:1}}")])
      try CassetteFile.write(Cassette(name: "a", origin: "https://a.test", interactions: [old]), to: cassette)
      var journal = try RecordingJournal(beside: cassette, redaction: .standard)
      let again = exchange("https://a.test/1", "one", headers: [("Authorization", "Bearer sent-secret-1")])
      try journal.append(again, number: 0)
      let filler = [UInt8](repeating: 0x2e, count: 5 << 20)
      _ = try append(filler, "https://a.test/long", headers: [:], to: &journal, number: 1)
      try journal.commit()
      journal.close()
      let recovery = try #require(try RecordingJournal.recover(beside: cassette))
      #expect(recovery.changes.changed.isEmpty)
      #expect(
        try CassetteFile.read(path: cassette).interactions[0].requestHeaders["Authorization"] == "Bearer {{secret:1}}")
    }
  }

  @Test func `a new secret has the same number in a long body and in its header field`() throws {
    try inFolder { folder in
      let cassette = "\(folder)/a.json"
      let old = Cassette(
        name: "a", origin: "https://a.test",
        interactions: [exchange("/old", "old", headers: [("Authorization", "Bearer {{secret:1}}")])])
      try CassetteFile.write(old, to: cassette)
      let recording = Recording(into: try CassetteFile.read(path: cassette), mode: .recordMissing)
      var journal = try RecordingJournal(beside: cassette, redaction: .standard)
      let filler = [UInt8](repeating: UInt8(ascii: "."), count: 3 << 20)
      let headers: HTTPHeaders = [("Authorization", "Bearer sent-secret-1")]
      let request = HTTPRequest(method: .get, target: try #require(HTTPTarget("/long")), headers: headers)
      let token = recording.begin(request, origin: "https://a.test")
      recording.finish(token, RecordedResponse(status: 200))
      let kept = try append(
        filler + Array(" sent-secret-1 ".utf8) + filler, "https://a.test/long", headers: headers, to: &journal,
        number: token.number)
      recording.attach(try #require(kept.responseBody), to: token)
      try recording.save(to: cassette, of: journal)
      journal.remove()
      let saved = try CassetteFile.read(path: cassette).interactions
      #expect(saved.map { $0.requestHeaders["Authorization"] } == ["Bearer {{secret:1}}", "Bearer {{secret:2}}"])
      let text = String(decoding: try saved[1].responseBody?.bytes() ?? [], as: UTF8.self)
      #expect(text.contains(" {{secret:2}} "))
    }
  }

  @Test func `a long body recorded again with another secret is unchanged after a recovery`() throws {
    try inFolder { folder in
      let cassette = "\(folder)/a.json"
      let filler = [UInt8](repeating: UInt8(ascii: "."), count: 3 << 20)
      func crash(_ secret: String) throws -> RecordingJournal.Recovery {
        var journal = try RecordingJournal(beside: cassette, redaction: .standard)
        let coded = Data("and \(secret) too".utf8).base64EncodedString()
        let body = filler + Array(" \(secret) \(coded) {{secret:7}} \(secret)".utf8) + filler + Array(secret.utf8)
        let headers: HTTPHeaders = [("Authorization", "Bearer \(secret)")]
        _ = try append(body, "https://a.test/long", headers: headers, to: &journal)
        journal.close()
        return try #require(try RecordingJournal.recover(beside: cassette))
      }
      #expect(try crash("monday-0123456789").changes.added == ["GET /long"])
      let before = try #require(try CassetteFile.read(path: cassette).interactions.first?.responseBody?.bytes())
      let coded = Data("and {{secret:1}} too".utf8).base64EncodedString()
      let text = Array(" {{secret:1}} \(coded) {{secret:7}} {{secret:1}}".utf8)
      #expect(before == filler + text + filler + Array("{{secret:1}}".utf8))
      #expect(try crash("tuesday-9876543210").changes.isEmpty)
    }
  }
}
