import CassetteHTTP
import CassettePlayback
import Cassettes
import TestSupport
import Testing

@testable import MockServerKit

@Suite struct MovedDatesTests {
  private let dates = MovedDates(by: 2 * 86_400 + 1)

  @Test(arguments: [
    (#"{"created_at": "2020-02-27T23:59:59Z"}"#, #"{"created_at": "2020-03-01T00:00:00Z"}"#),
    (
      #"["2021-12-31 23:00", "2021-12-31", "2021-12-31T10:00:00.123+02:00"]"#,
      #"["2022-01-02 23:00", "2022-01-02", "2022-01-02T10:00:01.123+02:00"]"#
    ),
    (
      #"{"exp": 1500000000, "id": 1500000000, "updatedAt": 1500000000000, "n": 1500000000}"#,
      #"{"exp": 1500172801, "id": 1500000000, "updatedAt": 1500172801000, "n": 1500000000}"#
    ),
    ("at Sun, 06 Nov 1994 08:49:37 GMT.", "at Tue, 08 Nov 1994 08:49:38 GMT."),
    (
      #"{"token": "eyJhbGciOiJub25lIn0.eyJleHAiOjE1MDAwMDAwMDB9."}"#,
      #"{"token": "eyJhbGciOiJub25lIn0.eyJleHAiOjE1MDAxNzI4MDF9."}"#
    ),
  ])
  func `all dates of a body are moved by the same number of seconds`(body: String, moved: String) {
    #expect(dates.body(Array(body.utf8)).map { String(decoding: $0, as: UTF8.self) } == moved)
  }

  @Test(arguments: [
    #"{"version": "2020.01.02", "sha": "a2020-01-02", "id": "v2020-01-02-rc1", "price": 1500000000}"#,
    #"{"token": "eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjE1MDAwMDAwMDB9.c2lnbmF0dXJl"}"#,
    #"["2020-13-02", "0001-01-01", "1850-01-01"]"#,
  ])
  func `version numbers, ids, implausible dates and signed tokens are not moved`(body: String) {
    #expect(dates.body(Array(body.utf8)) == nil)
  }

  @Test func `dates in header fields are moved`() {
    #expect(dates.field("Date", "Sun, 06 Nov 1994 08:49:37 GMT") == "Tue, 08 Nov 1994 08:49:38 GMT")
    #expect(
      dates.field("Set-Cookie", "a=1; Expires=Sun, 06 Nov 1994 08:49:37 GMT; Path=/")
        == "a=1; Expires=Tue, 08 Nov 1994 08:49:38 GMT; Path=/")
    #expect(dates.field("X-RateLimit-Reset", "1500000000") == "1500172801")
    #expect(dates.field("X-Count", "1500000000") == "1500000000")
  }

  @Test func `with the recorded clock, the newest recording has the current date`() throws {
    var recording = Exchange.recorded("GET /a", answer: ["Date": "Sun, 06 Nov 1994 08:49:37 GMT"])
    recording.recorded = RecordedFacts(at: "1994-11-06T08:49:37Z")
    let deck = Exchange.deck([recording])
    deck.settings.clock = .recorded
    guard case .response(let playback) = deck.plan(try Exchange.request("GET /a")) else {
      Issue.record("the recording is not played as a response")
      return
    }
    let date = try playback.served(base: nil, origins: deck.table.origins).headers["Date"]
    #expect(try #require(date.flatMap { HTTPDate.parse($0) }) > 1_700_000_000)
  }
}
