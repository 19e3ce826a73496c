import Foundation
import TestSupport
import Testing

struct FormatsTests {
  private static let har = #"""
    {"log": {"version": "1.2", "entries": [
      {"request": {"method": "GET", "url": "https://api.example.com/a", "headers": [
         {"name": "Authorization", "value": "Bearer abcdef123456"}]},
       "response": {"status": 200, "headers": [], "content": {"text": "hello"}}},
      {"request": {"method": "GET", "url": "https://api.example.com/b", "headers": []},
       "response": {"status": 0, "headers": [], "content": {}}}
    ]}}
    """#

  @Test func `a HAR is imported, passes check and scan, and is exported in each format`() throws {
    try Scratch.with { folder in
      try Scratch.write(Self.har, to: "\(folder)/a.har")
      let imported = try Executable.run(["import", "a.har", "--into", "cassettes"], folder: folder)
      #expect(imported.status == 1, "one entry is skipped: \(imported.error)")
      #expect(imported.output.contains("a.har  HAR            1        1         0  cassettes/a.json"))
      #expect(imported.output.contains("a.har:5: skipped entry 1: status 0"))
      #expect(imported.error.isEmpty, "no progress is printed to a pipe")
      #expect(try Executable.run(["check", "cassettes"], folder: folder).status == 0)
      #expect(try Executable.run(["scan", "cassettes"], folder: folder).status == 0)
      for format in ["har", "wiremock", "curl"] {
        let exported = try Executable.run(["export", "cassettes/a.json", "--to", format], folder: folder)
        #expect(exported.status == 0 && exported.output.contains("{{secret:1}}") == (format != "wiremock"))
      }
      let written = try Executable.run(["export", "cassettes/a.json", "--output", "b.har"], folder: folder)
      #expect(written.status == 0 && written.output.isEmpty)
      #expect(try Executable.run(["import", "b.har", "--into", "cassettes"], folder: folder).status == 0)
    }
  }

  @Test(arguments: ["mappings", ".", "./mappings/"])
  func `a folder of mappings without a name is imported into recordings.json`(
    path: String
  ) throws {
    try Scratch.with { folder in
      try FileManager.default.createDirectory(atPath: "\(folder)/mappings", withIntermediateDirectories: true)
      let mapping = #"{"request": {"method": "GET", "urlPath": "/a"}, "response": {"status": 200, "body": "a"}}"#
      try Scratch.write(mapping, to: "\(folder)/mappings/a.json")
      let imported = try Executable.run(["import", path, "--into", "x"], folder: folder)
      #expect(imported.status == 0, "\(imported.output)\(imported.error)")
      #expect(imported.output.contains(" x/recordings.json"), "\(imported.output)")
    }
  }

  @Test(
    arguments: [
      ("", 0, nil), (#", "comment": "x""#, 0, nil),
      (#", "mine": 1"#, 1, "a.har:2: left out: mine, which is not imported\n"),
      (
        #", "mine": 1}, {"request": {"method": "GET", "url": "http://a.example/b"}, "response": {"status": 200, "content": {"text": "b"}}, "mine": 2"#,
        1, "a.har:2: left out: mine, which is not imported (2 times, first occurrence)\n"
      ),
    ] as [(String, Int32, String?)])
  func `an import exits 0 if everything was imported, and 1 if something was left out`(
    more: String, code: Int32, said: String?
  ) throws {
    try Scratch.with { folder in
      let entry =
        #"{"request": {"method": "GET", "url": "http://a.example/a"}, "response": {"status": 200, "content": {"text": "a"}}\#(more)}"#
      try Scratch.write("{\"log\": {\"entries\": [\n\(entry)]}}", to: "\(folder)/a.har")
      let result = try Executable.run(["import", "a.har", "--into", "x"], folder: folder)
      #expect(result.status == code, "\(result.output)\(result.error)")
      #expect(said.map { result.output.hasSuffix($0) } ?? !result.output.contains("left out"), "\(result.output)")
      #expect(FileManager.default.fileExists(atPath: "\(folder)/x/a.json"), "the known members are imported")
    }
  }

  @Test(arguments: [
    (["import", "a.har"], 64, "--into DIR"), (["import", "--into", "x"], 64, "import needs FILE"),
    (["import", "a.har", "--into", "x", "--from", "hra"], 64, "Did you mean \"har\"?"),
    (["import", "a.har", "--into", "x", "--redact", "a"], 64, "header:NAME"),
    (["import", "b.har", "--into", "x"], 66, "Did you mean a.har?"),
    (["import", "bad.har", "--into", "x"], 65, "bad.har:1:9"),
    (["import", "none.har", "--into", "x"], 65, "no recording could be imported"),
    (["export", "a.har"], 65, "a.har:1"),
    (["export", "b.json"], 66, "no such file"), (["scan", "b.json"], 66, "no such file"),
  ])
  func `an import, export or scan that fails has the exit code and message of its cause`(
    arguments: [String], code: Int32, said: String
  ) throws {
    try Scratch.with { folder in
      try Scratch.write(Self.har, to: "\(folder)/a.har")
      try Scratch.write("{\"log\": x}", to: "\(folder)/bad.har")
      try Scratch.write("{\"log\": {\"entries\": [{}]}}", to: "\(folder)/none.har")
      let result = try Executable.run(arguments, folder: folder)
      #expect(result.status == code, "\(result.output)\(result.error)")
      #expect(result.error.contains(said), "\(result.error)")
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/x"))
    }
  }

  @Test(arguments: ["a.json", "./a.json", "../in/a.json", "link.json"])
  func `an export does not replace the cassette it reads`(output: String) throws {
    try Scratch.with { folder in
      try Scratch.write(Scratch.cassette, to: "\(folder)/in/a.json")
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/in/link.json", withDestinationPath: "a.json")
      let result = try Executable.run(["export", "a.json", "--output", output], folder: "\(folder)/in")
      #expect(result.status == 64 && result.error.contains("is the exported cassette itself"), "\(result.error)")
      #expect(try String(contentsOfFile: "\(folder)/in/a.json", encoding: .utf8) == Scratch.cassette)
    }
  }

  @Test func `scan reads hidden files, but not the folders of git, builds and packages`() throws {
    try Scratch.with { folder in
      let line = "API_TOKEN=q8Zx3Lm9Rt5Vw2Kp7Yn4\n"
      for name in [".env", ".config/a", ".git/config", ".build/a", "node_modules/a"] {
        try Scratch.write(line, to: "\(folder)/in/\(name)")
      }
      let result = try Executable.run(["scan", "in"], folder: folder)
      let files = result.output.split(separator: "\n").map { String($0.prefix { $0 != ":" }) }
      #expect(files == ["in/.config/a", "in/.env"], "\(result.output)")
      #expect(result.error.contains("in 2 files"))
    }
  }

  @Test func `scan prints file and line of a secret, and exits 1`() throws {
    try Scratch.with { folder in
      try Scratch.write(Self.har, to: "\(folder)/in/a.har")
      let result = try Executable.run(["scan", "in"], folder: folder)
      #expect(result.status == 1)
      #expect(result.output == "in/a.har:3: secret: the field Authorization in the clear\n")
      #expect(result.error.contains("import the file again to remove a secret; --keep PLACE accepts"))
      #expect(!result.error.contains("--keep-opaque"))
      #expect(try Executable.run(["scan", "in", "--keep", "header:Authorization"], folder: folder).status == 0)
    }
  }

  @Test func `an import redacts a token by its shape, and lists its kind and line`() throws {
    try Scratch.with { folder in
      let token = "ghp_" + String(repeating: "a1B2", count: 9)
      try Scratch.write(Self.har.replacing("hello", with: "{\\\"x\\\":\\\"\(token)\\\"}"), to: "\(folder)/a.har")
      let result = try Executable.run(["import", "a.har", "--into", "x"], folder: folder)
      #expect(result.status == 1, "an entry is skipped: \(result.error)")
      #expect(result.output.contains("a.har:2: removed: possible GitHub token\n"), "\(result.output)")
      #expect(result.output.contains("a.har:2: removed: authorization\n"), "\(result.output)")
      #expect(!result.output.contains(token) && !result.error.contains(token))
      #expect(try !String(contentsOfFile: "\(folder)/x/a.json", encoding: .utf8).contains(token))
    }
  }
}
