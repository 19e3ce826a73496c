import Testing

@testable import CassetteMatching

struct GeneratedValueTests {
  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("2000-02-29T12:00:00Z", 951_825_600), ("2026-11-21T01:00:00Z", 1_795_222_800),
      ("2026-11-21T02:00:00+01:00", 1_795_222_800), ("2026-11-20T20:30:00-0430", 1_795_222_800),
      ("2026-11-21 01:00:00.5", 1_795_222_800.5), ("2026-11-21T01:00:00.250Z", 1_795_222_800.25),
      ("Sat, 21 Nov 2026 01:00:00 GMT", 1_795_222_800), ("1795222800", 1_795_222_800),
      ("1795222800.5", 1_795_222_800.5), ("1795222800500", 1_795_222_800.5), ("1795222800500000", 1_795_222_800.5),
    ] as [(String, Double)])
  func `a time in any supported format is parsed to seconds`(text: String, seconds: Double) {
    #expect(GeneratedValue.seconds(Array(text.utf8)) == seconds)
  }

  @Test(arguments: [
    "", "x", "42", "583231", "2026-11-21", "2026-13-21T01:00:00Z", "2026-11-21T25:00:00Z", "2026-11-21T01:00:00X",
    "2026-11-21T01:00:00.Z", "2026-11-21T01:00:00+1", "999999999", "99999999999999999999999", "Saturday",
    "2026-11-21T01:00", "1.2.3", "2026-02-30T01:00:00Z",
  ])
  func `an invalid time or another number is not a time`(text: String) {
    #expect(GeneratedValue.seconds(Array(text.utf8)) == nil)
  }

  @Test(arguments: [
    ("4e1e4a0e-0b7a-4a6c-9a3e-0d3f1c1b2a3d", true), ("{4E1E4A0E-0B7A-4A6C-9A3E-0D3F1C1B2A3D}", true),
    ("0af7651916cd43dd8448eb211c80319c", true), ("01ARZ3NDEKTSV4RRFFQ69G5FAV", true), ("deadbeefdeadbeef", false),
    ("1234567890123456", false), ("1234567890abcdef", true), ("pending", false), ("octocat", false), ("", false),
    ("4e1e4a0e-0b7a", false), ("01ARZ3NDEKTSV4RRFFQ69G5FAI", false), ("cafe", false),
  ])
  func `a random id is distinguished from words and numbers`(text: String, isRandom: Bool) {
    #expect(GeneratedValue.isRandom(Array(text.utf8)) == isRandom)
  }
}
