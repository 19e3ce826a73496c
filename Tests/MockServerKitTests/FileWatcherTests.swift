import Foundation
import ServerTestSupport
import Testing

@testable import MockServerKit

/// Changed files are served without a restart.
@Suite struct FileWatcherTests {
  private func serve(_ files: [String: String]) throws -> Served { try Served(.platform, files) { $0.watches = true } }

  private func cassette(_ line: String, _ text: String) -> String { Served.cassette([Served.recording(line, text)]) }

  /// True if a path is answered with the text within a few seconds.
  private func becomes(_ served: Served, _ path: String, _ text: String) throws -> Bool {
    let client = try served.client()
    return try eventually { try client.ask("GET \(path)").text == text }
  }

  @Test(arguments: LoopKind.allCases)
  func `a changed cassette is served`(kind: LoopKind) throws {
    let served = try Served(kind, ["a.json": cassette("GET /a", "old")]) { $0.watches = true }
    #expect(try served.ask("GET /a").text == "old")
    try served.write(cassette("GET /a", "new!"), to: "a.json")
    #expect(try becomes(served, "/a", "new!"))
    #expect(served.tells(of: "reload"))
  }

  @Test func `new files and folders are served, and removed files are not`() throws {
    let served = try serve(["a.json": cassette("GET /a", "a")])
    try served.write(cassette("GET /b", "b"), to: "b.json")
    #expect(try becomes(served, "/b", "b"))
    try served.write(cassette("GET /c", "c"), to: "sub/c.json")
    #expect(try becomes(served, "/c", "c"))
    try served.write(cassette("GET /d", "d"), to: "sub/d.json")
    #expect(try becomes(served, "/d", "d"))
    try served.write("f", to: "fixtures/deep/f.txt")
    #expect(try becomes(served, "/deep/f", "f"))
    try served.remove("a.json")
    let client = try served.client()
    #expect(try eventually { try client.ask("GET /a").status == 404 })
    #expect(try client.ask("GET /b").text == "b")
  }

  @Test func `a changed body file is served`() throws {
    let interaction =
      "{\"request\":{\"method\":\"GET\",\"url\":\"/a\"},\"response\":{\"status\":200,\"body\":{\"file\":\"bodies/a.txt\"}}}"
    let served = try serve(["a.json": Served.cassette([interaction]), "bodies/a.txt": "old"])
    #expect(try served.ask("GET /a").text == "old")
    try served.write("new!", to: "bodies/a.txt")
    #expect(try becomes(served, "/a", "new!"))
  }

  @Test(arguments: LoopKind.allCases)
  func `a fixture that is edited in place is served in whole versions only`(kind: LoopKind) throws {
    let versions = (0..<6).map { String(repeating: "\($0)", count: 2_000) }
    let served = try Served(kind, ["fixtures/a.txt": versions[0]]) { $0.watches = true }
    let client = try served.client()
    var seen: Set<String> = []
    func look() throws { seen.insert(try client.ask("GET /a").text) }
    try look()
    for version in versions.dropFirst() {
      let file = try #require(FileHandle(forWritingAtPath: "\(served.folder)/fixtures/a.txt"))
      try file.truncate(atOffset: 0)
      // The previous edit may be reported only now.
      for _ in 0..<10 { try look() }
      // Pauses like an editor in the middle of writing, so that changes are reported meanwhile.
      for part in [version.prefix(700), version.dropFirst(700).prefix(800), version.dropFirst(1_500)] {
        for _ in 0..<20 {
          try look()
          _ = poll(nil, 0, 3)
        }
        try file.write(contentsOf: Data(part.utf8))
      }
      try file.close()
      if version.first != "3" { #expect(try eventually { try client.ask("GET /a").text == version }) }
      try look()
    }
    #expect(seen.isSubset(of: versions), "\(seen.map { "\($0.count) bytes" })")
    #expect(seen.contains(versions[5]))
  }

  @Test func `a broken edit is reported with its place, and the last valid version is served`() throws {
    let served = try serve(["a.json": cassette("GET /a", "old"), "b.json": cassette("GET /b", "b")])
    let broken = cassette("GET /a", "new!").replacing("\"response\"", with: "\"respnse\"")
    try served.write(broken, to: "a.json")
    #expect(served.tells(of: "file-broken", "\(served.folder)/a.json:2:"))
    #expect(try served.ask("GET /a").text == "old")
    try served.write(cassette("GET /a", "mended"), to: "a.json")
    #expect(try becomes(served, "/a", "mended"))
    #expect(try served.ask("GET /b").text == "b")
  }

  @Test func `a file that changes continuously does not delay the reload of other files`() throws {
    let served = try serve(["a.json": cassette("GET /a", "old")])
    try served.write(cassette("GET /a", "new!"), to: "a.json")
    let client = try served.client()
    var count = 0
    #expect(
      try eventually {
        count += 1
        try served.write("\(count)", to: "noise.log")
        return try client.ask("GET /a").text == "new!"
      })
  }

  @Test func `a single cassette file that is replaced is loaded again`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "single-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let file = URL(filePath: "\(folder)/a.json")
    try Data(cassette("GET /a", "old").utf8).write(to: file)
    let served = try Served(.platform) {
      $0.cassettes = [file.path]
      $0.watches = true
    }
    #expect(try served.ask("GET /a").text == "old")
    try Data(cassette("GET /a", "new!").utf8).write(to: file, options: .atomic)
    #expect(try becomes(served, "/a", "new!"))
  }

  @Test(arguments: LoopKind.allCases)
  func `while cassettes change, every request is answered from one whole version`(kind: LoopKind) throws {
    func cassette(_ version: Int) -> String {
      // The version is the number of recordings before `GET /a`, so that its index differs in each version.
      Served.cassette(
        (0..<version).map { Served.recording("GET /\($0)", "x") } + [Served.recording("GET /a", "\(version)")])
    }
    let served = try Served(kind, ["a.json": cassette(9)]) { $0.watches = true }
    let client = try served.client()
    for version in [1, 30, 2, 9, 0] {
      try served.write(cassette(version), to: "a.json.new")
      try FileManager.default.removeItem(atPath: "\(served.folder)/a.json")
      try FileManager.default.moveItem(atPath: "\(served.folder)/a.json.new", toPath: "\(served.folder)/a.json")
      let isServed = try eventually {
        client.send(
          String(repeating: "GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /a?x HTTP/1.1\r\nHost: x\r\n\r\n", count: 20))
        let answers = try (0..<40).map { _ in try client.answer() }
        #expect(answers.allSatisfy { ["0", "1", "2", "9", "30"].contains($0.text) || $0.status == 404 })
        return answers[38].text == "\(version)"
      }
      #expect(isServed)
    }
  }
}
