import CassetteMaintenance
import Foundation
import MockServerConsole
import TestSupport
import Testing

@testable import mockserver

struct CompletionsTests {
  @Test(arguments: Shell.allCases)
  func `the completion script of every shell contains every command and option`(shell: Shell) {
    let script = shell.completions
    for command in Manual.commands {
      #expect(script.contains(command.name.rawValue))
      for option in command.options + Manual.everywhere {
        // The completion script of fish contains `-l port`.
        #expect(script.contains(option.flag) || script.contains("-l \(option.name) "), "\(option.flag)")
        if case .choice(let choices) = option.kind { #expect(script.contains(choices.joined(separator: " "))) }
      }
    }
  }

  @Test(arguments: Shell.allCases)
  func `every installed shell parses its completion script`(shell: Shell) throws {
    guard
      let path = ["/bin", "/usr/bin", "/usr/local/bin"].map({ "\($0)/\(shell.rawValue)" })
        .first(where: FileManager.default.isExecutableFile(atPath:))
    else { return }
    let result = try ChildProcess.run(path, ["-n", "/dev/stdin"], input: shell.completions)
    #expect(result.status == 0)
    #expect(result.error == "")
  }

  struct Typed: Sendable {
    let words: [String]
    let offered: [String]
  }

  @Test(arguments: [
    Typed(words: ["ch"], offered: ["check"]),
    Typed(words: ["--po"], offered: ["--port"]),
    Typed(words: ["--log", ""], offered: ["requests", "misses", "table", "none"]),
    Typed(words: ["--log", "=", "m"], offered: ["misses"]),
    Typed(words: ["--log", "="], offered: ["requests", "misses", "table", "none"]),
    Typed(words: ["list", "--j"], offered: ["--json"]),
    Typed(words: ["completions", "f"], offered: ["fish"]),
    Typed(words: ["help", "ser"], offered: ["serve"]),
    Typed(words: ["--port", ""], offered: []),
    Typed(words: ["serve", "--max-b"], offered: ["--max-body"]),
  ])
  func `bash completes commands, options and values of options`(typed: Typed) throws {
    let bash = "/bin/bash"
    guard FileManager.default.isExecutableFile(atPath: bash) else { return }
    let words = (["mockserver"] + typed.words).map { "'\($0)'" }.joined(separator: " ")
    let script = """
      \(Shell.bash.completions)
      COMP_WORDS=(\(words)); COMP_CWORD=\(typed.words.count)
      _mockserver
      for word in "${COMPREPLY[@]}"; do echo "$word"; done
      """
    let result = try ChildProcess.run(bash, ["--norc", "-c", script])
    #expect(result.output.split(separator: "\n").map(String.init) == typed.offered)
    #expect(result.error == "")
  }
}
