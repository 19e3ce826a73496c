import CassetteFormats
import CassetteSystem
import Cassettes
import Foundation
import TestSupport
import Testing

struct ImportTransactionTests {
  private func write(_ texts: [String: String], to folder: ScratchFolder) throws {
    for (name, text) in texts {
      let url = URL(filePath: folder.path(name))
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
  }

  @Test func `one invalid file of several refuses the import, and nothing is written`() throws {
    let folder = try ScratchFolder()
    try write(["a.har": Sample.har(Sample.entry()), "b.har": Sample.har(Sample.entry()) + "x"], to: folder)
    #expect(throws: ImportTransaction.Failure.self) {
      try ImportTransaction(into: folder.path("out")).run([folder.path("a.har"), folder.path("b.har")])
    }
    #expect(folder.files == ["a.har", "b.har"])
  }

  @Test func `an existing cassette is kept unless the import replaces it`() throws {
    let folder = try ScratchFolder()
    let mine = #"{"cassette": 1, "interactions": []}"#
    try write(
      ["a.har": Sample.har(Sample.entry()), "out/a.json": mine, "out/bodies/a/old.txt": "mine"], to: folder)
    var transaction = ImportTransaction(into: folder.path("out"))
    let failure = #expect(throws: ImportTransaction.Failure.self) { try transaction.run([folder.path("a.har")]) }
    guard case .exists(let path)? = failure else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(path == folder.path("out/a.json"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == mine)
    transaction.replaces = true
    _ = try transaction.run([folder.path("a.har")])
    #expect(try CassetteFile.read(path: path).interactions.count == 1)
    #expect(folder.files == ["a.har", "out/a.json"])
  }

  @Test func `a cassette that cannot be replaced keeps its body files`() throws {
    let folder = try ScratchFolder()
    let files = ["a.har": Sample.har(Sample.entry()), "out/a.json/folder": "", "out/bodies/a/old.txt": "mine"]
    try write(files, to: folder)
    var transaction = ImportTransaction(into: folder.path("out"))
    transaction.replaces = true
    #expect(throws: ImportTransaction.Failure.self) { try transaction.run([folder.path("a.har")]) }
    #expect(folder.files == files.keys.sorted())
  }

  @Test func `files with the same name are imported under the names of their folders`() throws {
    let folder = try ScratchFolder()
    try write(["x/raw.har": Sample.har(Sample.entry()), "y/raw.har": Sample.har(Sample.entry())], to: folder)
    let reports = try ImportTransaction(into: folder.path("out")).run([
      folder.path("x/raw.har"), folder.path("y/raw.har"),
    ])
    #expect(reports.map(\.cassette) == [folder.path("out/raw.json"), folder.path("out/y-raw.json")])
  }

  @Test func `a long body is imported into a file beside the cassette`() throws {
    let text = String(repeating: "a\n", count: 40_000)
    let content = "{\"size\": 1, \"mimeType\": \"text/plain\", \"text\": \"\(text.replacing("\n", with: "\\n"))\"}"
    let imported = try Imported.of(Sample.har(Sample.entry(url: "https://a.example/long", content: content)))
    #expect(imported.files["bodies/sample/get-long.txt"] == Array(text.utf8))
    #expect(try imported.cassette?.interactions.first?.response?.body?.bytes() == Array(text.utf8))
  }

  @Test func `a secret that only the last response identifies is redacted in the first request`() throws {
    let secret = "a7Fq9ZkLmN3pXw"
    let imported = try Imported.of(
      Sample.har(
        Sample.entry(url: "https://a.example/u/\(secret)?access_token=\(secret)") + ","
          + Sample.entry(content: "{\"text\": \"{\\\"token\\\": \\\"\(secret)\\\"}\"}")))
    for (name, bytes) in imported.files { #expect(!String(decoding: bytes, as: UTF8.self).contains(secret), "\(name)") }
    let kept = try Imported.of(
      Sample.har(Sample.entry(url: "https://a.example/?access_token=\(secret)")), redaction: nil)
    #expect(kept.cassette?.interactions.first?.url == "/?access_token=\(secret)")
  }

  @Test func `a token is redacted by its shape, and listed by its kind and line`() throws {
    let token = "ghp_" + String(repeating: "a1B2", count: 9)
    let other = "ghp" + "_" + String(repeating: "c3D4", count: 9)
    let text = Sample.har(
      [
        Sample.entry(), Sample.entry(content: "{\"text\": \"see \(token)\"}"),
        Sample.entry(url: "http://a.example/\(other)"),
      ]
      .map { "\n\($0)" }.joined(separator: ","))
    let imported = try Imported.of(text)
    #expect(imported.report.imported == 3 && imported.report.skipped.isEmpty && imported.report.leftOut == 0)
    #expect(imported.report.taken.map(\.kind) == ["GitHub token"] && imported.report.taken.first?.count == 2)
    let line = 1 + text[..<(try #require(text.firstRange(of: token)).lowerBound)].count { $0 == "\n" }
    let entry = try #require(imported.report.taken.first).place.line
    #expect(entry > 2 && entry <= line && line - entry < 18)
    for (name, bytes) in imported.files {
      let written = String(decoding: bytes, as: UTF8.self)
      #expect(!written.contains(token) && !written.contains(other), "\(name)")
    }
    #expect(try Imported.of(text, redaction: nil).report.taken.isEmpty)
  }

  @Test func `a recording with a token that cannot be redacted is skipped, and other recordings are imported`() throws {
    let token = "ghp" + "_" + String(repeating: "a1B2", count: 9)
    let text = Sample.har(
      Sample.entry() + ",\n" + Sample.entry(answered: ", {\"name\": \"\(token)\", \"value\": \"x\"}"))
    let imported = try Imported.of(text)
    #expect(imported.report.imported == 1)
    let skip = try #require(imported.report.skipped.first)
    #expect(skip.line > 2 && skip.reason.contains("the name of a response field: a possible GitHub token"))
    #expect(!skip.reason.contains(token))
    for (_, bytes) in imported.files { #expect(!String(decoding: bytes, as: UTF8.self).contains(token)) }
  }

  @Test func `the most frequent origin becomes the origin of the cassette`() throws {
    let urls = ["https://a.example/1", "https://b.example/2", "HTTPS://B.example:443/3"]
    let imported = try Imported.of(Sample.har(urls.map { Sample.entry(url: $0) }.joined(separator: ",")))
    #expect(imported.cassette?.origin == "https://b.example")
    #expect(imported.cassette?.interactions.map(\.url) == ["https://a.example/1", "/2", "/3"])
  }

  @Test(arguments: 1...40)
  func `an incomplete file is refused with the line of its end`(part: Int) throws {
    let whole = Sample.har([Sample.entry(), Sample.entry()].joined(separator: ",\n"))
    let text = String(whole.prefix(max(9, whole.count * part / 41)))
    let failure = #expect(throws: ImportTransaction.Failure.self) { try Imported.of(text) }
    guard case .refused(let error)? = failure else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(error.line >= 1)
  }

  @Test func `every file is read before the first cassette is written`() throws {
    let folder = try ScratchFolder()
    try write(["a.har": Sample.har(Sample.entry()), "b.har": Sample.har(Sample.entry())], to: folder)
    let files = Locked<[String]>([])
    var transaction = ImportTransaction(into: folder.path("out"))
    transaction.willWrite = { files.withLock { $0 = folder.files } }
    _ = try transaction.run([folder.path("a.har"), folder.path("b.har")])
    #expect(files.withLock { $0 } == ["a.har", "b.har"] && folder.files.count == 4)
  }

  /// Imports a HAR, edits the cassette, and imports the HAR again.
  private func replaced(
    _ entries: [String], again: [String]? = nil, _ edit: (inout Cassette) -> Void
  ) throws -> (report: ImportTransaction.Report, cassette: Cassette) {
    let folder = try ScratchFolder()
    try write(["a.har": Sample.har(entries.joined(separator: ","))], to: folder)
    var transaction = ImportTransaction(into: folder.path("out"))
    _ = try transaction.run([folder.path("a.har")])
    var cassette = try CassetteFile.read(path: folder.path("out/a.json"))
    edit(&cassette)
    try CassetteFile.write(cassette, to: folder.path("out/a.json"))
    try write(["a.har": Sample.har((again ?? entries).joined(separator: ","))], to: folder)
    transaction.replaces = true
    let report = try transaction.run([folder.path("a.har")])[0]
    return (report, try CassetteFile.read(path: folder.path("out/a.json")))
  }

  private static let post = Sample.entry(
    method: "POST", fields: #", {"name": "Content-Type", "value": "application/json"}"#,
    postData: #"{"mimeType": "application/json", "text": "{\"id\": 1, \"at\": 1}"}"#)

  @Test func `handwritten rules, notes and ids survive an import that replaces the cassette`() throws {
    let entries = [Sample.entry(), Self.post, Sample.entry(url: "https://api.example.com/b")]
    var before: Cassette?
    let (report, after) = try replaced(
      entries, again: [entries[2], Self.post.replacing(#"\"at\": 1"#, with: #"\"at\": 2"#)]
    ) {
      $0.note = "mine"
      $0.interactions[1].match.ignoresBody = true
      $0.interactions[2].replay.order = .count
      $0.interactions[2].note = "slow"
      $0.interactions[2].id = "my-id"
      before = $0
    }
    let old = try #require(before)
    #expect(after.note == "mine" && report.leftOut == 0)
    #expect(after.interactions.map(\.id) == ["my-id", old.interactions[1].id])
    #expect(after.interactions[0].replay == old.interactions[2].replay && after.interactions[0].note == "slow")
    #expect(after.interactions[1].match == old.interactions[1].match)
  }

  @Test func `a rule whose recording is gone is reported with its line`() throws {
    let entries = [Sample.entry(), Sample.entry(url: "https://api.example.com/b")]
    let (report, _) = try replaced(entries, again: [entries[0]]) { $0.interactions[1].note = "mine" }
    let note = try #require(report.left.first { $0.isLeftOut })
    #expect(note.what.contains("only the replaced cassette has") && note.file.hasSuffix("out/a.json") && note.line > 1)
  }

  @Test func `an import does not replace a cassette that cannot be read`() throws {
    let folder = try ScratchFolder()
    try write(["a.har": Sample.har(Sample.entry()), "out/a.json": #"{"cassette": 1, "#], to: folder)
    var transaction = ImportTransaction(into: folder.path("out"))
    transaction.replaces = true
    #expect(throws: ImportTransaction.Failure.self) { try transaction.run([folder.path("a.har")]) }
    #expect(try String(contentsOfFile: folder.path("out/a.json"), encoding: .utf8) == #"{"cassette": 1, "#)
  }
}
