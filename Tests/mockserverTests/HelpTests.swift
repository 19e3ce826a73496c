import CassetteMaintenance
import MockServerConsole
import Testing

@testable import mockserver

struct HelpTests {
  @Test(arguments: Manual.commands.map(\.name))
  func `the page of a command names every option, what it takes and its default`(name: Command.Name) throws {
    let command = try #require(Manual.commands.first { $0.name == name })
    let page = Help.page(of: command, .plain)
    for option in command.options + Manual.everywhere {
      #expect(page.contains(option.synopsis))
      // Lines are broken at spaces, so words are looked for without them.
      let text = page.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(text.contains(option.help))
      if let standard = option.standard { #expect(text.contains("Default: \(standard).")) }
    }
    for example in command.examples { #expect(page.contains(example.line)) }
    #expect(page.contains("Usage:\n  \(command.usage)\n"))
  }

  @Test func `the overview names every command, every first option of serve and every exit code`() {
    let text = Help.overview(.plain)
    for command in Manual.commands { #expect(text.contains(command.usage)) }
    for option in Manual.serve.sections[0].options { #expect(text.contains(option.synopsis)) }
    for code in ExitCode.allCases { #expect(text.contains("  \(code.rawValue) ")) }
    #expect(text.contains("mockserver help serve"))
  }

  @Test(arguments: [Help.overview(.plain)] + Manual.commands.map { Help.page(of: $0, .plain) })
  func `no line of the help is wider than a terminal`(text: String) {
    for line in text.split(separator: "\n") { #expect(line.count <= 80) }
  }

  @Test func `the help is coloured only where it is asked to be`() {
    #expect(!Help.overview(.plain).contains("\u{1B}"))
    #expect(Help.overview(Style(colours: true)).contains("\u{1B}[1mUsage:"))
  }

  @Test func `the page of check reads as it should`() {
    #expect(
      Help.page(of: Manual.check, .plain) == """
        Report the problems of cassettes and fixtures.

        Usage:
          mockserver check [OPTIONS] PATH...

        Options:
          --older-than AGE          Find recordings that are older: 90d, 12w.
          --unused FILE             Name recordings that no test of this report played.
                                    May be repeated.
          --prune                   With --unused: take them out of their cassettes.
          --report FORMAT=FILE      Write a report for CI: junit, sarif, markdown or
                                    json. May be repeated.

        Everywhere:
          --help                    Print the help of the command (-h does, too).
          --version                 Print the version.

        A PATH is a cassette, a folder of them, or an OpenAPI document. Everything is
        read strictly; each problem is a line FILE:LINE:COLUMN: error|warning: MESSAGE.
        Exits 65 when there is an error, 0 when there are only warnings.

        Of an OpenAPI document it names examples that break their own schemas, which are
        not served, schemas that cannot be used, and answers that cannot be made.

        --older-than 90d makes an error of each cassette with recordings that were made
        before, at the oldest of them, and a warning of those that do not say when they
        were made.

        Tests that run with CASSETTE_REPORT=FILE in the environment append a line each
        to FILE: what they played, missed, and answered approximately. --unused FILE
        then names the recordings that none of them played, and exits 1 if there are
        any; --prune takes them out, and leaves the rest of each file as it is written.
        Run all tests: what a test plays that did not run counts as unused. A cassette
        that no test opened is named and left alone, and nothing is pruned when a test
        failed.

        Examples:
          # a folder and its fixtures
          mockserver check cassettes
          # and none that is too old
          mockserver check cassettes --older-than 90d
          # a specification
          mockserver check openapi.yaml
          # for code scanning
          mockserver check --report sarif=check.sarif cassettes
          # after all tests
          mockserver check --unused run.jsonl --prune Tests

        """)
  }
}
