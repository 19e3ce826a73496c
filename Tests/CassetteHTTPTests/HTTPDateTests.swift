import TestSupport
import Testing

@testable import CassetteHTTP

struct HTTPDateTests {
  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    "Sun Nov 06 08:49:37 1994",
  ])
  func `all three forms of an HTTP date are parsed`(text: String) {
    #expect(HTTPDate.parse(text) == 784_111_777)
  }

  @Test(arguments: [
    "", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37",
    "sun, 06 Nov 1994 08:49:37 GMT",
    "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
    "Sun, 06 Nov 1994 08:60:00 GMT",
    "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Now 1994 08:49:37 GMT", "Sun,  06 Nov 1994 08:49:37 GMT", "784111777",
    "Sun, 06 Nov +994 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ",
    "1994-11-06T08:49:37Z",
  ])
  func `a string in any other form is not a date`(text: String) {
    #expect(HTTPDate.parse(text) == nil)
  }

  @Test(arguments: [
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
    (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
    (1_795_219_200, "Sat, 21 Nov 2026 00:00:00 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
    (Int.max, "Fri, 31 Dec 9999 23:59:59 GMT"), (Int.min, "Sat, 01 Jan 0000 00:00:00 GMT"),
  ])
  func `a date is formatted in 29 bytes`(seconds: Int, text: String) {
    #expect(HTTPDate.format(seconds) == text)
    #expect(text.utf8.count == 29)
  }

  @Test(arguments: 0..<20)
  func `a formatted date is parsed to the same second`(seed: Int) {
    var generator = Seeded(UInt64(truncatingIfNeeded: seed))
    for _ in 0..<50 {
      let seconds = Int.random(in: -62_000_000_000...253_000_000_000, using: &generator)
      #expect(HTTPDate.parse(HTTPDate.format(seconds)) == seconds)
    }
  }

  @Test(arguments: [
    ("26", 2026, "Thursday"), ("75", 2075, "Sunday"), ("77", 1977, "Sunday"), ("99", 1999, "Monday"),
  ])
  func `a two-digit year is at most fifty years in the future`(short: String, year: Int, day: String) {
    let november2026 = 1_795_219_200
    let text = "\(day), 06-Jun-\(short) 00:00:00 GMT"
    let seconds = HTTPDate.parse(text, now: november2026)
    #expect(seconds.map(HTTPDate.format)?.contains(" Jun \(year) ") == true)
  }

  @Test func `at the end of 1999 the two-digit year 00 means 2000`() {
    // The last second of 1999.
    #expect(HTTPDate.parse("Saturday, 01-Jan-00 00:00:00 GMT", now: 946_684_799) == 946_684_800)
  }
}
