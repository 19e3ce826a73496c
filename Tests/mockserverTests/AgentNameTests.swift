import Cassettes
import Foundation
import TestSupport
import Testing

/// File names that a coding agent chooses, and folders with unusual names, in calls of `mcp`.
@Suite(.enabled(if: Executable.path != nil)) struct AgentNameTests {
  private struct Call {
    var tool: String
    var arguments: [String: Any]
  }

  /// Runs `mcp` on a folder of cassettes, and returns the text and the success of each call.
  private static func results(
    of calls: [Call], cassettes: String, in folder: String
  ) throws -> [(text: String, isError: Bool)] {
    guard let path = Executable.path else { throw Executable.Missing() }
    let lines = try calls.enumerated().map { number, call in
      let params: [String: Any] = ["name": call.tool, "arguments": call.arguments]
      let line: [String: Any] = ["jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params]
      return String(decoding: try JSONSerialization.data(withJSONObject: line), as: UTF8.self) + "\n"
    }
    let ended = try ChildProcess.run(
      path, ["mcp", "--cassettes=\(cassettes)"], input: lines.joined(), folder: folder)
    #expect(ended.status == 0)
    return try ended.output.split(separator: "\n").map { line in
      let answer = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let result = try #require(answer?["result"] as? [String: Any])
      let text = try #require((result["content"] as? [[String: Any]])?.first?["text"] as? String)
      return (text, try #require(result["isError"] as? Bool))
    }
  }

  private static let names = [
    ".hidden", "-x", "--help", "..", "../out", "/tmp/out", "a/../../out", ".git/config", "a\nb", "a b", "$(touch out)",
    "`touch out`", "a;touch out", "a'b", "a\"b", "a\u{202e}b", "a\0b", "~root",
  ]

  @Test func `the accept tool refuses unusual or unsafe cassette names`() throws {
    try Scratch.with { folder in
      try FileManager.default.createDirectory(atPath: "\(folder)/c", withIntermediateDirectories: false)
      try Scratch.write(Scratch.cassette, to: "\(folder)/c/a.json")
      let miss = Call(tool: "request", arguments: ["path": "/new"])
      func accept(_ name: String) -> Call {
        Call(tool: "accept", arguments: ["request": 1, "how": "copy", "cassette": name])
      }
      let results = try Self.results(
        of: [miss] + Self.names.map(accept) + [accept("made")], cassettes: "c", in: folder)
      #expect(results.count == Self.names.count + 2)
      for (name, result) in zip(Self.names, results.dropFirst()) {
        #expect(result.isError && result.text.contains("name"), "\(name.debugDescription): \(result.text)")
      }
      #expect(results.last?.isError == false)
      #expect(
        try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() == ["c", "c/a.json", "c/made.json"])
    }
  }

  @Test(arguments: ["-x", "--fix", "a b", "$(touch out)", "a\nb", "a;touch out"])
  func `the check tool of an agent reads a folder with an unusual name`(name: String) throws {
    try Scratch.with { folder in
      try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: false)
      try Scratch.write(Scratch.cassette, to: "\(folder)/\(name)/a.json")
      let calls = ["check"].map { Call(tool: $0, arguments: [:]) }
      for result in try Self.results(of: calls, cassettes: name, in: folder) {
        #expect(!result.isError && result.text.contains("\"exitCode\":0"), "\(result.text)")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [name])
    }
  }
}
