import Testing

@testable import MockServerConsole
@testable import mockserver

struct TextTests {
  @Test(arguments: [
    (0, "0 B"), (1, "1 B"), (1023, "1023 B"), (1024, "1 KB"), (1229, "1.2 KB"), (1536, "1.5 KB"),
    (8192, "8 KB"), (65_536, "64 KB"), (1_048_575, "1 MB"), (64 << 20, "64 MB"), (123_456_789, "118 MB"),
    (1 << 30, "1 GB"), (1 << 40, "1 TB"), (5 << 50, "5120 TB"),
  ])
  func `a size is printed as a rounded number with a unit`(bytes: Int, text: String) {
    #expect(readableSize(bytes) == text)
  }

  @Test func `the largest integer is formatted as a size without overflow`() {
    #expect(readableSize(.max).hasSuffix(" TB"))
  }

  @Test(arguments: [(0, "0 requests"), (1, "1 request"), (2, "2 requests")])
  func `a counted noun is singular for one and plural otherwise`(count: Int, text: String) {
    #expect(counted(count, "request") == text)
  }

  @Test func `a series of words is joined with commas and a conjunction`() {
    #expect(series(["a"], "or") == "a")
    #expect(series(["a", "b"], "or") == "a or b")
    #expect(series(["a", "b", "c"], "or") == "a, b or c")
    #expect(series([], "or") == "")
  }

  @Test func `text is wrapped at spaces, and a long word has its own line`() {
    #expect(wrapped("one two three", width: 7) == ["one two", "three"])
    #expect(wrapped("a longlonglong b", width: 4) == ["a", "longlonglong", "b"])
    #expect(wrapped("", width: 4) == [])
  }

  @Test(
    arguments: [
      ([:], true, true), ([:], false, false), (["NO_COLOR": "1"], true, false), (["NO_COLOR": ""], true, true),
      (["TERM": "dumb"], true, false), (["TERM": "xterm"], true, true), (["TERM": "xterm"], false, false),
    ] as [([String: String], Bool, Bool)])
  func `colors are shown on terminals unless NO_COLOR or TERM disables them`(
    variables: [String: String], isTerminal: Bool, shows: Bool
  ) {
    #expect(Console.showsColors(isTerminal: isTerminal) { variables[$0] } == shows)
  }
}
