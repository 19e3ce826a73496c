import TestSupport
import Testing

/// The program that the plugin starts, compared with the command.
@Suite(.enabled(if: Executable.path != nil && Executable.tool != nil, "the programs are not next to the tests"))
struct PluginToolTests {
  @Test(arguments: [
    "list FOLDER", "list FOLDER --json", "list FOLDER --fixtures none", "list none", "list --jsn", "list --help",
    "check FOLDER", "check FOLDER/bad.json", "check FOLDER --older-than 90d", "check", "check --prune FOLDER",
    "check --help", "--version",
  ])
  func `the plugin's tool prints the same output as the command, with the same exit code`(words: String) throws {
    try Scratch.with { folder in
      try Scratch.write(Scratch.cassette, to: "\(folder)/good.json")
      try Scratch.write(
        Scratch.cassette.replacing("\"status\": 204", with: "\"statsu\": 204"), to: "\(folder)/bad.json")
      let arguments = words.replacing("FOLDER", with: folder).split(separator: " ").map(String.init)
      let said = try Executable.run(arguments)
      let tool = try ChildProcess.run(try #require(Executable.tool), arguments)
      #expect(tool.status == said.status)
      #expect(tool.output == said.output)
      #expect(tool.error == said.error)
    }
  }

  @Test func `the plugin's tool exits 64 for commands other than list and check`() throws {
    #expect(try ChildProcess.run(try #require(Executable.tool), ["serve"]).status == 64)
  }
}
