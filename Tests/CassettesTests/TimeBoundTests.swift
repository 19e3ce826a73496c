import Cassettes
import Testing

@Suite struct TimeBoundTests {
  @Test(arguments: [
    "2026-11-22", "2026-11-22T12:00:00Z", "2026-11-22t12:00z", "2026-11-22 12:00:00.5+01:00", "0001-01-01T00:00:00Z",
  ])
  func `a date or a time of RFC 3339 is a valid bound`(text: String) { #expect(TimeBound(.before, text) != nil) }

  @Test(arguments: [
    "", "now", "2026-02-30", "2026-11-22T12:00:00", "2026-11-22T12:00:00+0100", "2026-11-22T12:00:00.Z",
    "2026-11-22T24:00:00Z", "2026-11-22T12:00:00Z!",
  ])
  func `a time in another format is not a valid bound`(text: String) { #expect(TimeBound(.before, text) == nil) }

  @Test func `comparison with a bound accounts for fractions of seconds and time zones`() throws {
    let bound = try #require(TimeBound(.after, "2026-11-22T12:00:00.5Z"))
    #expect(bound.holds(Array("2026-11-22T12:00:00.75Z".utf8)) && bound.holds(Array("2026-11-22T12:30:00-01:00".utf8)))
    #expect(!bound.holds(Array("2026-11-22T12:00:00.25Z".utf8)) && !bound.holds(Array("2026-11-22".utf8)))
  }
}
