import CassetteEngines
import CassettePatterns
import Testing

@Suite struct PatternSampleTests {
  @Test(arguments: [
    (#"/api/users/\d+/x"#, "/api/users/1/x"), ("/a/[^/]+", "/a/a"), ("/a/.*", "/a/a"), ("(json|xml)", "json"),
    ("[0-9a-f]{4}", "aaaa"), ("/a(/b)?", "/a/b"), (#"(?i)\.PNG"#, ".png"),
  ])
  func `a pattern's sample matches the pattern`(_ pattern: String, _ sample: String) throws {
    #expect(try TextPattern(pattern).sample == sample)
  }

  @Test func `an escaped string as a pattern has this string as its sample`() throws {
    let text = #"/a.b*(c)[d]{e}\f$^|?+"#
    #expect(try TextPattern(TextPattern.escaped(text)).sample == text)
  }
}
