import Foundation
import TestSupport
import Testing

/// Endless files, and named pipes without a writer, as arguments of commands.
struct UnreadableFileTests {
  private static let commands: [[String]] = [
    ["import", "FILE", "--into", "out"], ["import", "FILE", "--into", "out", "--from", "har"],
    ["import", "FILE", "--into", "out", "--from", "wiremock"],
    ["import", "FILE", "--into", "out", "--from", "postman"],
    ["check", "FILE"], ["list", "FILE"], ["scan", "FILE"], ["export", "FILE"], ["diff", "FILE", "FILE"],
    ["git", "textconv", "FILE"], ["git", "merge", "FILE", "FILE", "FILE"], ["git", "resolve", "--ours", "FILE"],
    ["serve", "--cassettes", "FILE", "--port", "0"], ["serve", "--openapi", "FILE", "--port", "0"],
    ["serve", "--cassettes", ".", "--port", "0", "--tls-cert", "FILE", "--tls-key", "FILE"],
    ["verify", "FILE", "--openapi", "FILE"], ["generate", "openapi", "FILE"], ["simulate", "FILE"],
    ["refresh", "FILE"],
  ]

  @Test(.timeLimit(.minutes(2)), arguments: commands)
  func `a named pipe and an endless device are refused at once`(command: [String]) throws {
    try Scratch.with { folder in
      let pipe = "\(folder)/pipe.json"
      #expect(mkfifo(pipe, 0o600) == 0)
      for file in [pipe, "/dev/zero"] {
        let result = try Executable.run(command.map { $0 == "FILE" ? file : $0 }, folder: folder)
        #expect((1...100).contains(result.status), "\(command) \(result.status): \(result.error)")
        #expect(!result.error.isEmpty || !result.output.isEmpty)
      }
    }
  }

  @Test func `standard input and process substitution are read like files`() throws {
    guard let path = Executable.path else { throw Executable.Missing() }
    try Scratch.with { folder in
      try Scratch.write(Scratch.cassette, to: "\(folder)/a.json")
      let script =
        "cat a.json | \"$0\" diff /dev/stdin a.json && \"$0\" diff <(cat a.json) a.json && \"$0\" list /dev/stdin < a.json"
      let result = try ChildProcess.run("/bin/bash", ["-c", script, path], folder: folder)
      #expect(result.status == 0, "\(result.error)")
    }
  }

  @Test(.timeLimit(.minutes(2)), arguments: [SIGTERM, SIGINT])
  func `a signal ends a command that reads standard input`(signal: Int32) throws {
    guard let path = Executable.path else { throw Executable.Missing() }
    try Scratch.with { folder in
      #expect(mkfifo("\(folder)/pipe", 0o600) == 0)
      // The pipe is opened for reading and writing, so that it never ends and never has data.
      let process = try ChildProcess(
        "/bin/sh", ["-c", "exec 0<>pipe; echo ready; exec \"$0\" check /dev/stdin", path], folder: folder)
      _ = process.nextOutput()
      process.signal(signal)
      #expect(process.end().status == signal)
    }
  }
}
