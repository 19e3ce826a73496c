import Cassettes
import Testing

@testable import CassetteMaintenance
@testable import MockServerConsole

struct ProblemTests {
  @Test func `a problem is printed in the format of compilers`() {
    let error = CassetteError(file: "a.json", line: 3, column: 5, message: "unknown key", suggestion: "did you mean x?")
    #expect(ProblemText.line(error, .plain) == "a.json:3:5: error: unknown key, did you mean x?\n")
    let hostile = CassetteError(file: "a\n", line: 3, column: 5, message: "\u{1b}[2J", suggestion: "\u{9b}")
    #expect(ProblemText.line(hostile, .plain) == "a\\u{a}:3:5: error: \\u{1b}[2J, \\u{9b}\n")
    let warning = CassetteError(file: "a.json", message: "is a link", severity: .warning)
    #expect(ProblemText.line(warning, .plain) == "a.json:1:1: warning: is a link\n")
    #expect(ProblemText.line(warning, Style(colors: true)).contains("\u{1B}[33;1mwarning:\u{1B}[0m"))
  }

  @Test(
    arguments: [
      (0, 0, "6 fixtures", "mockserver: 6 fixtures: no problems\n"), (0, 0, nil, "mockserver: no problems\n"),
      (1, 0, nil, "mockserver: 1 error\n"), (2, 1, nil, "mockserver: 2 errors and 1 warning\n"),
      (0, 3, "6 fixtures", "mockserver: 6 fixtures: 3 warnings\n"),
    ] as [(Int, Int, String?, String)])
  func `the summary counts errors and warnings`(errors: Int, warnings: Int, served: String?, text: String) {
    #expect(ProblemText.summary(errors: errors, warnings: warnings, served: served) == text)
  }
}
