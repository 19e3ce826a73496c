import CassetteHTTP
import CassetteSecrets
import Testing

@testable import CassetteRecording
@testable import Cassettes
@testable import MockServerUpstream

extension RecordingJournalTests {
  @Test func `an exchange scanned in advance is journaled like an unscanned one`() throws {
    try inFolder { folder in
      var journal = try RecordingJournal(beside: "\(folder)/a.json", redaction: .standard)
      defer { journal.remove() }
      let first = exchange(
        "/a", "{\"password\": \"quiet-river-4711\"}", headers: ["Authorization": "Bearer Zk8vQ2xTw9Lm4s"])
      let second = exchange(
        "/b?access_token=x9-Kq2-Zk8v", "{\"said\": \"quiet-river-4711\", \"secret\": \"k3y-Of-The-9\"}")
      var scans = RedactionPass(.standard)
      let readings = (try scans.scan(first), try scans.scan(second))
      var other = try RecordingJournal(beside: "\(folder)/b.json", redaction: .standard)
      defer { other.remove() }
      for (number, exchange) in [first, second].enumerated() {
        let given = number == 0 ? readings.0 : readings.1
        let journaled = try journal.append(exchange, number: number, readings: given)
        let expected = try other.append(exchange, number: number)
        #expect(try journaled.responseBody?.bytes() == expected.responseBody?.bytes())
        #expect(journaled.url == expected.url && journaled.requestHeaders == expected.requestHeaders)
        #expect(journaled.url != exchange.url || number == 0)
      }
      // The scan results of another exchange are ignored.
      let third = exchange("/c", "{\"password\": \"other-Stone-77\"}")
      let journaled = try journal.append(third, number: 2, readings: readings.1)
      #expect(
        String(decoding: try journaled.responseBody?.bytes() ?? [], as: UTF8.self).contains("other-Stone-77") == false)
    }
  }
}
