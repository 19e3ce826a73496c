import TestSupport
import Testing

struct UnusedTests {
  private static let cassette = """
    {
      "cassette": 1,

      "interactions": [
        { "id": "a", "request": { "method": "GET", "url": "/a" }, "response": { "status": 200 } },
        { "id": "b", "request": { "method": "GET", "url": "/b?token=s3cr3t-0123456789abcdef" },
          "response": { "status": 200 } },
        { "id": "c", "request": { "method": "GET",   "url": "/c" }, "response": { "status": 200 } }
      ]
    }

    """

  private static func line(_ test: String, _ file: String, _ played: [String], failed: Bool = false) -> String {
    let ids = played.map { "\"\($0)\"" }.joined(separator: ",")
    return "{\"test\":\"\(test)\",\"failed\":\(failed),\"cassettes\":[{\"file\":\"\(file)\",\"played\":[\(ids)]}],"
      + "\"missed\":[],\"approximate\":[]}\n"
  }

  private static func read(_ path: String) throws -> String { try ChildProcess.run("/bin/cat", [path]).output }

  /// Returns the path of a scratch folder without symbolic links, as in the report of a test run.
  private static func real(_ folder: String) throws -> String {
    try ChildProcess.run("/bin/pwd", ["-P"], folder: folder).output.split(separator: "\n").first.map(String.init)
      ?? folder
  }

  @Test func `check --unused reports the recordings that no test played, and --prune removes only them`() throws {
    try Scratch.with { scratch in
      let folder = try Self.real(scratch)
      let file = "\(folder)/Cassettes/github.json"
      try Scratch.write(Self.cassette, to: file)
      try Scratch.write(
        Self.line("one", file, ["a"]) + Self.line("two", file, ["c", "a"]), to: "\(folder)/run.jsonl")
      let check = try Executable.run(
        ["check", "--unused", "run.jsonl", "--report", "json=out.json", "Cassettes"], folder: folder)
      #expect(check.status == 1)
      #expect(check.output.hasPrefix("Cassettes/github.json:6:5: warning: GET /b?token="))
      #expect(check.output.contains("(\"b\") was not played by any test"))
      #expect(!check.output.contains("s3cr3t"))
      #expect(check.output.split(separator: "\n").count == 1)
      #expect(check.error == "mockserver: 2 tests: 1 recording not played\n")
      #expect(try Self.read("\(folder)/out.json").contains("\"warnings\":1"))

      #expect(
        try Executable.run(["check", "--unused", "run.jsonl", "--prune", "Cassettes"], folder: folder).status == 0)
      let lines = Self.cassette.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(
        try Self.read(file)
          == lines.filter { !$0.contains("\"b\"") && !$0.hasPrefix("      \"resp") }.joined(separator: "\n"))
      #expect(try Executable.run(["check", "--unused", "run.jsonl", "Cassettes"], folder: folder).status == 0)
    }
  }

  @Test(arguments: [true, false])
  func `--prune removes nothing if a test failed or its process was killed`(wasKilled: Bool) throws {
    try Scratch.with { scratch in
      let folder = try Self.real(scratch)
      let file = "\(folder)/Cassettes/github.json"
      try Scratch.write(Self.cassette, to: file)
      let line = Self.line("one", file, ["a"], failed: !wasKilled)
      try Scratch.write(line + (wasKilled ? "{\"test\":\"tw\n" : ""), to: "\(folder)/run.jsonl")
      let prune = try Executable.run(["check", "--unused", "run.jsonl", "--prune", "Cassettes"], folder: folder)
      #expect(prune.status == 1)
      #expect(prune.error.contains("nothing was pruned: 1 test failed"))
      #expect(try Self.read(file) == Self.cassette)
    }
  }

  @Test func `--prune does not change a cassette that no test opened`() throws {
    try Scratch.with { scratch in
      let folder = try Self.real(scratch)
      try Scratch.write(Self.cassette, to: "\(folder)/Cassettes/github.json")
      try Scratch.write(Self.line("one", "/elsewhere/other.json", ["a"]), to: "\(folder)/run.jsonl")
      let prune = try Executable.run(["check", "--unused", "run.jsonl", "--prune", "Cassettes"], folder: folder)
      #expect(prune.status == 1)
      #expect(prune.error.contains("Cassettes/github.json was not opened by any test"))
      #expect(try Self.read("\(folder)/Cassettes/github.json") == Self.cassette)
    }
  }

  @Test func `check and scan write a report in each format`() throws {
    try Scratch.with { folder in
      try Scratch.write(Self.cassette, to: "\(folder)/a.json")
      for (command, format) in [("check", "junit"), ("check", "sarif"), ("scan", "markdown"), ("scan", "json")] {
        let run = try Executable.run([command, "--report", "\(format)=\(command).\(format)", "a.json"], folder: folder)
        #expect(run.status != 64, "\(run.error)")
        #expect(try !Self.read("\(folder)/\(command).\(format)").isEmpty)
      }
      #expect(try Executable.run(["check", "--report", "html=x", "a.json"], folder: folder).status == 64)
    }
  }
}
