import CassetteMaintenance
import Cassettes
import Foundation
import ServerTestSupport
import TestSupport
import Testing

@testable import MockServerConsole
@testable import mockserver

/// The built command, in a separate process.
@Suite(.enabled(if: Executable.path != nil, "the command is not next to the tests"))
struct CommandTests {
  @Test func `--version prints one line with the version`() throws {
    let result = try Executable.run(["--version"])
    #expect(result.status == 0)
    #expect(result.output == "mockserver \(MockServerConsole.version)\n")
    #expect(result.error == "")
  }

  @Test func `help goes to standard output without color in a pipe`() throws {
    let result = try Executable.run(["help", "serve"])
    #expect(result.status == 0)
    #expect(result.output == Help.page(of: Manual.serve, .plain))
  }

  @Test func `the command schema prints the schema of cassettes`() throws {
    let result = try Executable.run(["schema"])
    #expect(result.status == 0)
    #expect(result.output == CassetteSchema.text)
  }

  @Test func `an unknown option exits 64 with the nearest one`() throws {
    let result = try Executable.run(["--prot", "80"])
    #expect(result.status == 64)
    #expect(result.output == "")
    #expect(
      result.error
        == "mockserver: error: unknown option \"--prot\"\n  Did you mean \"--port\"? See: mockserver help serve\n")
  }

  @Test func `an invalid cassette exits 65 with its file and line in serve, list and check`() throws {
    try Scratch.with { folder in
      let text = Scratch.cassette.replacing("\"status\": 204", with: "\"statsu\": 204")
      try Scratch.write(text, to: "\(folder)/bad.json")
      let place = "\(folder)/bad.json:11:"
      let served = try Executable.run(["--cassettes", folder, "--port", "0"])
      #expect(served.status == 65)
      #expect(served.output == "")
      #expect(served.error.hasPrefix("mockserver: error: \(place)"))
      #expect(served.error.contains("\"status\""))
      #expect(served.error.hasSuffix("\n  To list all problems: mockserver check \(folder)\n"))

      let listed = try Executable.run(["list", folder])
      #expect(listed.status == 65)

      let checked = try Executable.run(["check", folder])
      #expect(checked.status == 65)
      #expect(checked.output.hasPrefix(place))
      #expect(checked.output.contains(": error: "))
    }
  }

  @Test func `list reports files that the server skips`() throws {
    try Scratch.with { folder in
      try Scratch.write("{}", to: "\(folder)/other.json")
      let listed = try Executable.run(["list", folder])
      #expect(listed.status == 0)
      #expect(listed.error == "\(folder)/other.json:1:1: warning: has no \"cassette\" key and was skipped\n")
    }
  }

  @Test func `check counts the recordings of a folder without problems`() throws {
    try Scratch.with { folder in
      try Scratch.write(Scratch.cassette, to: "\(folder)/example.json")
      let result = try Executable.run(["check", folder])
      #expect(result.status == 0)
      #expect(result.output.hasSuffix("mockserver: 3 recordings in 1 cassette, 0 fixtures: no problems\n"))
    }
  }

  @Test func `a missing cassettes folder exits 66 with a command to type`() throws {
    try Scratch.with { folder in
      for command in [[], ["list"]] {
        let result = try Executable.run(command, folder: folder)
        #expect(result.status == 66)
        #expect(result.error.hasPrefix("mockserver: error: there is no folder ./cassettes\n"))
        #expect(result.error.contains("mockserver \(command.first ?? "--cassettes") DIR"))
        #expect(result.error.contains("\n  Or record some: mockserver record --upstream URL") == command.isEmpty)
      }
      let named = try Executable.run(["--cassettes", "\(folder)/none"])
      #expect(named.status == 66)
      #expect(named.error.contains("contains no files.\n  Or record some: mockserver record --upstream URL"))
      #expect(try Executable.run(["check", "\(folder)/none"]).status == 66)
    }
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `a server prints its address when ready and a summary when it is stopped`(signal: Int32) throws {
    try Scratch.with { folder in
      try Scratch.write(Scratch.cassette, to: "\(folder)/example.json")
      let server = try RunningServer(["--cassettes", folder, "--port", "0", "--log", "none"])
      let port = try #require(server.port)
      #expect(
        server.ready
          == "mockserver: listening on http://127.0.0.1:\(port) (3 recordings in 1 cassette, 0 fixtures)\n")

      #expect(try WireClient.get("/users/kean", port: port).hasPrefix("HTTP/1.1 200 "))
      let miss = try WireClient.get("/nobody", port: port)
      #expect(miss.hasPrefix("HTTP/1.1 404 "))
      #expect(miss.contains("Mockserver-Miss: 1\r\n"))

      let second = try Executable.run(["--cassettes", folder, "--port", "\(port)"])
      #expect(second.status == 69)
      #expect(second.output == "")
      #expect(
        second.error == """
          mockserver: error: port \(port) on 127.0.0.1 is already in use
            Stop the program that uses it, or choose a free port: --port 0

          """)

      server.signal(signal)
      let end = server.end()
      #expect(end.status == 0)
      #expect(end.output == "")
      #expect(
        end.error == """
          mockserver: 2 requests, 1 miss, 2 of 3 recordings never played
            example/get-search
            example/post-slow

          """)
    }
  }

  @Test func `a signal right after the ready line stops the server with a summary`() throws {
    try Scratch.with { folder in
      try Scratch.write(Scratch.cassette, to: "\(folder)/example.json")
      let server = try RunningServer(["--cassettes", folder, "--port", "0"])
      server.signal(SIGTERM)
      let end = server.end()
      #expect(end.status == 0)
      #expect(end.error == "mockserver: 0 requests, 0 misses, 3 of 3 recordings never played\n")
    }
  }

  @Test func `an IPv6 address is printed in brackets`() throws {
    try Scratch.with { folder in
      try Scratch.write(Scratch.cassette, to: "\(folder)/example.json")
      let server = try RunningServer(["--cassettes", folder, "--port", "0", "--host", "::1"])
      // Without IPv6 on this machine the server exits 69.
      guard server.ready != "" else { return #expect(server.end().status == 69) }
      #expect(server.ready.hasPrefix("mockserver: listening on http://[::1]:"))
      server.signal(SIGTERM)
      #expect(server.end().status == 0)
    }
  }
}
