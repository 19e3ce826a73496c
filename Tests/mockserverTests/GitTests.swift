import Cassettes
import Foundation
import MockServerConsole
import TestSupport
import Testing

struct GitTests {
  /// A clone in which two branches, `ours` and `theirs`, changed a cassette.
  private struct Clone {
    let folder: String
    let cassettes: String
    private static let nobody = [
      "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1",
      "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@a.test", "GIT_COMMITTER_NAME": "a",
      "GIT_COMMITTER_EMAIL": "a@a.test",
    ]

    init(
      _ folder: String, base: String, ours: String, theirs: String, in cassettes: String = "Tests/Cassettes"
    ) throws {
      (self.folder, self.cassettes) = (folder, cassettes)
      try git("init", "-q", "-b", "ours")
      try FileManager.default.createDirectory(atPath: "\(folder)/\(cassettes)", withIntermediateDirectories: true)
      try Scratch.write(base, to: cassette)
      #expect(try mockserver("git", "install", "--", cassettes).status == 0)
      try git("add", ".")
      try git("commit", "-q", "-m", "base")
      try git("checkout", "-q", "-b", "theirs")
      try Scratch.write(theirs, to: cassette)
      try git("commit", "-q", "-a", "-m", "theirs")
      try git("checkout", "-q", "ours")
      try Scratch.write(ours, to: cassette)
      try git("commit", "-q", "-a", "-m", "ours")
    }

    var cassette: String { "\(folder)/\(cassettes)/github.json" }

    @discardableResult
    func git(_ arguments: String...) throws -> ChildProcess.Result {
      try ChildProcess.run("/usr/bin/env", ["git"] + arguments, environment: Self.nobody, folder: folder)
    }

    func mockserver(_ arguments: String...) throws -> ChildProcess.Result {
      try Executable.run(arguments, environment: Self.nobody, folder: folder)
    }
  }

  private static func file(_ urls: (String, Int)...) -> String {
    let list = urls.map { url, status in
      """
          { "id": "get\(url.replacing("/", with: "-"))", "request": { "method": "GET", "url": "\(url)" },
            "response": { "status": \(status) } }
      """
    }
    return "{\n  \"cassette\": 1,\n  \"interactions\": [\n\(list.joined(separator: ",\n"))\n  ]\n}\n"
  }

  @Test func `branches that record different requests merge without a conflict`() throws {
    try Scratch.with { folder in
      let clone = try Clone(
        folder, base: Self.file(("/a", 200)), ours: Self.file(("/a", 200), ("/b", 200)),
        theirs: Self.file(("/a", 200), ("/c", 200)))
      #expect(try clone.git("merge", "-q", "theirs").status == 0)
      #expect(try CassetteFile.read(path: clone.cassette).interactions.map(\.url) == ["/a", "/b", "/c"])
    }
  }

  @Test func `a recording changed on both branches is a conflict until git resolve`() throws {
    try Scratch.with { folder in
      let clone = try Clone(
        folder, base: Self.file(("/a", 200)), ours: Self.file(("/a", 201)), theirs: Self.file(("/a", 404)))
      let merge = try clone.git("merge", "theirs")
      #expect(merge.status == 1)
      #expect(
        merge.error.contains(
          "Tests/Cassettes/github.json: GET /a (\"get-a\") was changed on both sides: response.status: 201 → 404"))
      #expect(try CassetteFile.read(path: clone.cassette).interactions.map(\.status) == [201, 404])
      let check = try clone.mockserver("check", "Tests/Cassettes")
      #expect(check.status == 65)
      #expect(check.output.contains("GET /a (\"get-a\") was changed on both sides; this is their version"))
      #expect(try clone.mockserver("git", "resolve", "--theirs", clone.cassette).status == 0)
      #expect(try clone.mockserver("check", "Tests/Cassettes").status == 0)
      #expect(try CassetteFile.read(path: clone.cassette).interactions.map(\.status) == [404])
    }
  }

  @Test(arguments: ["-x", "--x y", "$(touch ran)"])
  func `a folder with an unusual name is shown and merged, and the printed command resolves its conflict`(
    name: String
  ) throws {
    try Scratch.with { folder in
      let clone = try Clone(
        folder, base: Self.file(("/a", 200)), ours: Self.file(("/a", 201)), theirs: Self.file(("/a", 404)), in: name)
      try Scratch.write(Self.file(("/a", 302)), to: clone.cassette)
      let shown = try clone.git("diff", "--textconv")
      #expect(shown.status == 0 && shown.output.contains("302"), "\(shown)")
      try clone.git("checkout", "-q", ".")
      let merge = try clone.git("merge", "theirs")
      #expect(merge.status == 1 && merge.error.contains("was changed on both sides"), "\(merge)")
      let word = try #require(merge.error.split(separator: "--both ").last?.split(separator: ", or edit it").first)
      let resolve = "\"$0\" git resolve --theirs \(word) && git add \(word)"
      let program = try #require(Executable.path)
      #expect(try ChildProcess.run("/bin/sh", ["-c", resolve, program], folder: folder).status == 0)
      #expect(try CassetteFile.read(path: clone.cassette).interactions.map(\.status) == [404])
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/ran"))
    }
  }

  @Test func `git install changes nothing the second time, and reports that`() throws {
    try Scratch.with { folder in
      let file = Self.file(("/a", 200))
      let clone = try Clone(folder, base: file, ours: Self.file(("/a", 201)), theirs: Self.file(("/a", 202)))
      let again = try clone.mockserver("git", "install", "Tests/Cassettes")
      #expect(again.status == 0)
      #expect(again.output.contains(".gitattributes is up to date"))
      #expect(again.output.split(separator: "\n").filter { $0.hasPrefix("git config is up to date") }.count == 3)
      #expect(try clone.git("status", "--porcelain").output.isEmpty)
    }
  }

  @Test func `git install adds two lines for a folder of any name, which apply only to this folder`() throws {
    try Scratch.with { folder in
      let file = Self.file(("/a", 200))
      let clone = try Clone(folder, base: file, ours: Self.file(("/a", 201)), theirs: Self.file(("/a", 202)))
      let attributes = "\(folder)/.gitattributes"
      let old = try String(contentsOfFile: attributes, encoding: .utf8)
      for name in ["new\nline", "x\n* merge=binary", "[a]*", "$(touch ran)", "a b"] {
        try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
        #expect(try clone.mockserver("git", "install", name).status == 0)
        #expect(try clone.git("check-attr", "merge", "--", "\(name)/a.json").output.hasSuffix("merge: cassette\n"))
      }
      let lines = try String(contentsOfFile: attributes, encoding: .utf8).dropFirst(old.count).split(separator: "\n")
      #expect(lines.count == 10 && lines.allSatisfy { $0.hasPrefix("/") })
      #expect(lines.count { $0.hasSuffix("/**/*.json merge=cassette diff=cassette") } == 5)
      #expect(lines.count { $0.hasSuffix("/**/bodies/** -text") } == 5)
      #expect(try clone.git("check-attr", "merge", "--", "a/a.json").output.hasSuffix("unspecified\n"))
      for outside in ["/etc", "../..", "missing/../../x"] {
        #expect(try clone.mockserver("git", "install", outside).status == 66)
      }
    }
  }

  @Test(arguments: [true, false])
  func `a checkout with core.autocrlf keeps the line ends of body files`(isInstalled: Bool) throws {
    try Scratch.with { folder in
      let file = Self.file(("/a", 200))
      let clone = try Clone(folder, base: file, ours: Self.file(("/a", 201)), theirs: Self.file(("/a", 202)))
      let path = "\(clone.cassettes)/bodies/x/a.txt"
      try CassetteFileFolder(folder).write(Array("one\ntwo\n".utf8), to: path)
      // One of the two .gitattributes files is sufficient.
      try FileManager.default.removeItem(
        atPath: isInstalled ? "\(folder)/\(clone.cassettes)/bodies/.gitattributes" : "\(folder)/.gitattributes")
      try clone.git("add", "-A")
      try clone.git("commit", "-q", "-m", "bodies")
      try FileManager.default.removeItem(atPath: "\(folder)/\(path)")
      try clone.git("-c", "core.autocrlf=true", "checkout", "--", path)
      #expect(try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8) == "one\ntwo\n")
    }
  }

  @Test func `git install does not follow a symbolic link named .gitattributes`() throws {
    try Scratch.with { folder in
      let clone = try Clone(
        folder, base: Self.file(("/a", 200)), ours: Self.file(("/a", 201)), theirs: Self.file(("/a", 202)))
      let target = "\(folder)/target"
      try Data("mine\n".utf8).write(to: URL(filePath: target))
      try FileManager.default.removeItem(atPath: "\(folder)/.gitattributes")
      try FileManager.default.createSymbolicLink(atPath: "\(folder)/.gitattributes", withDestinationPath: target)
      let result = try clone.mockserver("git", "install")
      #expect(result.status == 66)
      #expect(result.error.contains("symbolic link"))
      #expect(try String(contentsOfFile: target, encoding: .utf8) == "mine\n")
    }
  }

  @Test func `git diff shows a heading for each interaction`() throws {
    try Scratch.with { folder in
      let clone = try Clone(
        folder, base: Self.file(("/a", 200)), ours: Self.file(("/a", 201)), theirs: Self.file(("/a", 202)))
      let diff = try clone.git("diff", "theirs", "ours").output
      #expect(diff.contains("-# GET /a → 202  (\"get-a\")"))
      #expect(diff.contains("+# GET /a → 201  (\"get-a\")"))
    }
  }

  @Test func `diff prints added recordings and exits 1, or exits 65 for an invalid file`() throws {
    try Scratch.with { folder in
      try Scratch.write(Self.file(("/a", 200)), to: "\(folder)/old/a.json")
      try Scratch.write(Self.file(("/a", 200), ("/b", 204)), to: "\(folder)/new/a.json")
      let diff = try Executable.run(["diff", "\(folder)/old", "\(folder)/new"])
      #expect(diff.status == 1)
      #expect(diff.output == "a.json\n+ GET /b  204  (\"get-b\")\n")
      #expect(try Executable.run(["diff", "\(folder)/old", "\(folder)/old"]).status == 0)
      try Scratch.write("{ broken", to: "\(folder)/bad.json")
      let broken = try Executable.run(["diff", "\(folder)/bad.json", "\(folder)/new/a.json"])
      #expect(broken.status == 65 && broken.error.contains("\(folder)/bad.json:1:3:"), "\(broken.error)")
      #expect(broken.error.contains("mockserver check \(folder)/bad.json"), "\(broken.error)")
      try Scratch.write(#"{"log":{"entries":[]}}"#, to: "\(folder)/a.har")
      let foreign = try Executable.run(["diff", "\(folder)/a.har", "\(folder)/new/a.json"])
      #expect(foreign.error.contains("mockserver import \(folder)/a.har --into"), "\(foreign.error)")
    }
  }

  @Test func `diff compares a copy of a cassette without its body files`() throws {
    try Scratch.with { folder in
      let text = """
        {"cassette":1,"interactions":[{"request":{"method":"GET","url":"/a"},
        "response":{"status":200,"headers":[["X-Api-Key","Zk8vQ2xTw9"]],"body":{"file":"bodies/a.bin"}}}]}
        """
      try Scratch.write(text, to: "\(folder)/old.json")
      try Scratch.write(text.replacing("Zk8vQ2xTw9", with: "Yk8vQ2xTw9"), to: "\(folder)/new.json")
      let diff = try Executable.run(["diff", "\(folder)/old.json", "\(folder)/new.json"])
      #expect(diff.status == 1 && diff.output.contains("X-Api-Key"), "\(diff.error)")
      #expect(!diff.output.contains("k8vQ2xTw9"), "\(diff.output)")
    }
  }

  @Test func `a file that is not a cassette is merged line by line`() throws {
    try Scratch.with { folder in
      let clone = try Clone(
        folder, base: "{\n\"a\": 1,\n\n\n\"b\": 1\n}\n", ours: "{\n\"a\": 2,\n\n\n\"b\": 1\n}\n",
        theirs: "{\n\"a\": 1,\n\n\n\"b\": 2\n}\n")
      #expect(try clone.git("merge", "-q", "theirs").status == 0)
      #expect(try ChildProcess.run("/bin/cat", [clone.cassette]).output == "{\n\"a\": 2,\n\n\n\"b\": 2\n}\n")
    }
  }
}
