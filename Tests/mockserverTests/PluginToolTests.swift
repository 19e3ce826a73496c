import TestSupport
import Testing

/// The program that the plugin starts, beside the command.
@Suite(.enabled(if: Executable.path != nil && Executable.tool != nil, "the programs are not beside the tests"))
struct PluginToolTests {
  @Test(arguments: [
    "list FOLDER", "list FOLDER --json", "list FOLDER --fixtures none", "list none", "list --jsn", "list --help",
    "check FOLDER", "check FOLDER/bad.json", "check FOLDER --older-than 90d", "check", "check --prune FOLDER",
    "check --help", "--version",
  ])
  func `the plugin's tool says what the command says`(words: String) throws {
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

  @Test func `the tool has no other command`() throws {
    #expect(try ChildProcess.run(try #require(Executable.tool), ["serve"]).status == 64)
  }
}
