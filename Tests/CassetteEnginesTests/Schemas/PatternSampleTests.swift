import CassetteEngines
import CassettePatterns
import Testing

@Suite struct PatternSampleTests {
  @Test(arguments: [
    (#"/api/users/\d+/x"#, "/api/users/1/x"), ("/a/[^/]+", "/a/a"), ("/a/.*", "/a/a"), ("(json|xml)", "json"),
    ("[0-9a-f]{4}", "aaaa"), ("/a(/b)?", "/a/b"), (#"(?i)\.PNG"#, ".png"),
  ])
  func `a pattern has an example`(_ pattern: String, _ sample: String) throws {
    #expect(try TextPattern(pattern).sample == sample)
  }

  @Test func `any text as a pattern is its own example`() throws {
    let text = #"/a.b*(c)[d]{e}\f$^|?+"#
    #expect(try TextPattern(TextPattern.escaped(text)).sample == text)
  }
}
