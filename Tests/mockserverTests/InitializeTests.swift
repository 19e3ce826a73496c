import Foundation
import TestSupport
import Testing

/// The command `init`.
@Suite(.enabled(if: Executable.path != nil, "the command is not next to the tests"))
struct InitializeTests {
  @Test func `init writes a cassette, a fixture and a README without problems, and prints the next two commands`()
    throws
  {
    try Scratch.with { folder in
      let result = try Executable.run(["init"], folder: folder)
      #expect(result.status == 0)
      #expect(
        result.output == """
          created cassettes/example.json
          created cassettes/fixtures/status.json
          created cassettes/README.md
          Serve them:         mockserver
          In a second shell:  curl http://127.0.0.1:8080/users/ada

          """)
      let checked = try Executable.run(["check", "cassettes"], folder: folder)
      #expect(checked.output == "mockserver: 2 recordings in 1 cassette, 1 fixture: no problems\n")
      let listed = try Executable.run(["list"], folder: folder).output
      for request in ["/users/ada", "/users ", "/status"] { #expect(listed.contains(request), "\(listed)") }
      let readme = try String(contentsOfFile: "\(folder)/cassettes/README.md", encoding: .utf8)
      #expect(readme.contains("`mockserver`\n"))
    }
  }

  @Test(arguments: ["example.json", "README.md", "fixtures/status.json"])
  func `init writes nothing if one of its files exists`(file: String) throws {
    try Scratch.with { folder in
      let own = "\(folder)/my mocks/\(file)"
      try FileManager.default.createDirectory(
        at: URL(filePath: own).deletingLastPathComponent(), withIntermediateDirectories: true)
      try Scratch.write("mine", to: own)
      let result = try Executable.run(["init", "my mocks"], folder: folder)
      #expect(result.status == 64)
      #expect(result.error.contains("my mocks/\(file) already exists, and nothing was written"))
      #expect(result.error.contains("Serve it: mockserver --cassettes 'my mocks'\n"))
      #expect(try String(contentsOfFile: own, encoding: .utf8) == "mine")
      let files = try FileManager.default.subpathsOfDirectory(atPath: "\(folder)/my mocks")
      #expect(files.filter { $0 != "fixtures" } == [file])
    }
  }

  @Test func `a server without cassettes suggests init`() throws {
    try Scratch.with { folder in
      let result = try Executable.run([], folder: folder)
      #expect(result.status == 66)
      #expect(result.error.contains("Create a first one: mockserver init\n"))
    }
  }
}
