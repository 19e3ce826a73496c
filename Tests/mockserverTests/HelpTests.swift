import CassetteMaintenance
import Foundation
import Testing

@testable import MockServerConsole
@testable import mockserver

struct HelpTests {
  @Test(arguments: Manual.commands.map(\.name))
  func `the help page of a command contains each option with its value and default`(name: Command.Name) throws {
    let command = try #require(Manual.commands.first { $0.name == name })
    let page = Help.page(of: command, .plain)
    for option in command.options + Manual.everywhere {
      #expect(page.contains(option.synopsis))
      // Lines are wrapped at spaces, so both strings are compared with single spaces.
      let text = page.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(text.contains(option.help))
      if let standard = option.standard { #expect(text.contains("Default: \(standard).")) }
    }
    for example in command.examples { #expect(page.contains(example.line)) }
    #expect(page.contains("Usage:\n  \(command.usage)\n"))
  }

  @Test func `the overview has four examples and four groups of commands, and no internal commands`() {
    let text = Help.overview(.plain)
    let titles = text.split(separator: "\n").filter { $0.hasSuffix(":") && !$0.hasPrefix(" ") }
    #expect(titles == ["Examples:", "Serve and record:", "Edit and check:", "Team:", "A running server:"])
    #expect(Manual.firstExamples.count == 4)
    for (line, _) in Manual.firstExamples { #expect(text.contains("\n  \(line)\n")) }
    for command in Manual.commands where command.name != .help {
      #expect(text.contains("\n  \(command.name.rawValue) "))
    }
    for word in ["textconv", "--loop", "--max-head"] { #expect(!text.contains(word)) }
    #expect(text.split(separator: "\n").count <= 50)
  }

  @Test func `help all contains the page of every command and every exit code`() throws {
    let text = Help.all(.plain)
    for command in Manual.commands {
      #expect(text.contains("\nmockserver \(command.name.rawValue)\n\n\(Help.page(of: command, .plain))"))
    }
    for code in ExitCode.allCases { #expect(text.contains("\n  \(code.rawValue) ")) }
    guard case .helpAll = try Intent(["help", "all"]) else { return #expect(Bool(false), "help all is not parsed") }
  }

  @Test func `the page Serving names every option of serve, every command and every exit code`() throws {
    let file = URL(filePath: #filePath).appending(path: "../../../Sources/MockServerKit/MockServerKit.docc/Serving.md")
    let page = try String(contentsOf: file.standardized, encoding: .utf8)
    for option in Manual.serve.options + Manual.everywhere { #expect(page.contains(option.flag), "\(option.flag)") }
    for command in Manual.commands where command.name != .serve {
      #expect(page.contains("mockserver \(command.name.rawValue)") || command.name == .reset, "\(command.name)")
    }
    for code in ExitCode.allCases { #expect(page.contains("\n| \(code.rawValue) | ")) }
  }

  @Test(arguments: [Help.overview(.plain), Help.all(.plain)] + Manual.commands.map { Help.page(of: $0, .plain) })
  func `no line of the help is longer than 80 characters`(text: String) {
    for line in text.split(separator: "\n") { #expect(line.count <= 80) }
  }

  @Test func `the help has colors only with a color style`() {
    #expect(!Help.overview(.plain).contains("\u{1B}"))
    #expect(Help.overview(Style(colors: true)).contains("\u{1B}[1mExamples:"))
  }

  @Test func `the help page of check has the expected layout`() {
    #expect(
      Help.page(of: Manual.check, .plain) == """
        Report the problems of cassettes and fixtures.

        Usage:
          mockserver check [OPTIONS] PATH...

        Options:
          --older-than AGE          Report recordings older than this: 90d, 12w.
          --unused FILE             List recordings that no test in this report played.
                                    May be repeated.
          --prune                   With --unused: remove these recordings from their
                                    cassettes.
          --report FORMAT=FILE      Write a report for CI: junit, sarif, markdown or
                                    json. May be repeated.

        Everywhere:
          --help                    Print the help of the command (-h does, too).
          --version                 Print the version.

        A PATH is a cassette, a folder of cassettes, or an OpenAPI document. Files are
        read strictly; each problem is a line FILE:LINE:COLUMN: error|warning: MESSAGE.
        Exits 65 if a file has an error, 0 if there are only warnings.

        For an OpenAPI document it reports examples that violate their own schemas and
        are not served, unusable schemas, and responses that cannot be generated.

        --older-than 90d reports an error for each cassette with older recordings, at
        the oldest of them, and then exits 1; and a warning for each cassette with
        recordings without a date.

        Tests that run with CASSETTE_REPORT=FILE in the environment append one line each
        to FILE: the recordings they played, missed, and answered approximately.
        --unused FILE lists the recordings that no test played, and exits 1 if there are
        any; --prune removes them, and keeps the rest of each file unchanged. Run all
        tests first: recordings of tests that did not run count as unused. A cassette
        that no test opened is reported but not pruned, and nothing is pruned if a test
        failed.

        Examples:
          # check a folder and its fixtures
          mockserver check cassettes
          # also report old recordings
          mockserver check cassettes --older-than 90d
          # check a specification
          mockserver check openapi.yaml
          # write a report for code scanning
          mockserver check --report sarif=check.sarif cassettes
          # prune after running all tests
          mockserver check --unused run.jsonl --prune Tests

        """)
  }
}
