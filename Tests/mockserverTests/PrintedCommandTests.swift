import Foundation
import TestSupport
import Testing

/// Commands in messages quote file names, so that a shell can run them.
struct PrintedCommandTests {
  private static let cassette = """
    {"cassette": 1, "origin": "http://127.0.0.1:9", "interactions": [{"id": "a",
      "request": {"method": "GET", "url": "/a"}, "recorded": {"at": "2020-01-01T00:00:00Z"},
      "response": {"status": 200, "body": {"text": "a"}}}]}
    """

  private static let commands = [
    ["check", "--older-than", "1d", "--", "FILE"], ["verify", "--", "FILE"], ["import", "--", "FILE"],
    ["simulate", "--", "FILE"], ["serve", "--", "FILE"], ["import", "--into", "new", "--", "FILE"],
    ["proxy", "--offline", "--cassette=MISSING"],
    ["check", "--", "BROKEN"], ["list", "--", "BROKEN"],
  ]

  @Test(arguments: commands, ["-x", "--x", "-it's $(touch hit) \"x\""])
  func `commands printed in messages quote unusual file names for the shell`(command: [String], folder: String) throws {
    try Scratch.with { scratch in
      let file = "\(folder)/a.json"
      try FileManager.default.createDirectory(atPath: "\(scratch)/\(folder)", withIntermediateDirectories: true)
      try Scratch.write(Self.cassette, to: "\(scratch)/\(file)")
      try Scratch.write("{\"log\": {}}", to: "\(scratch)/\(folder)/b.json")
      let arguments = command.map {
        $0.replacing("FILE", with: file).replacing("BROKEN", with: "\(folder)/b.json").replacing(
          "MISSING", with: "\(folder)/c.json")
      }
      let result = try Executable.run(arguments, folder: scratch)
      let text = result.output + result.error
      let printed = text.split(separator: "\n").flatMap { line in
        line.ranges(of: "mockserver ").map { String(line[$0.lowerBound...]) }
      }.filter { line in ["a.json", "b.json", "c.json"].contains { line.contains($0) } }
      #expect(!printed.isEmpty, "\(text)")
      for line in printed {
        // The words of the command as a shell parses them.
        let end = line.firstIndex(of: ";") ?? line.endIndex
        let words = try ChildProcess.run(
          "/bin/sh", ["-c", "mockserver() { for word; do printf '%s\\n' \"$word\"; done; }; \(line[..<end])"],
          folder: scratch)
        let named = words.output.split(separator: "\n").filter { $0.hasSuffix(".json") }
        #expect(!named.isEmpty && named.allSatisfy { $0.hasPrefix("./\(folder)/") }, "\(line): \(words)")
      }
      #expect(!FileManager.default.fileExists(atPath: "\(scratch)/hit"))
    }
  }
}
