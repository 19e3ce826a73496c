import Cassettes
import Foundation
import Testing

@testable import CassetteRecording

/// The `$schema` of new cassettes.
@Suite struct SchemaReferenceTests {
  private let root = FileManager.default.temporaryDirectory.appending(path: "schema-\(UUID())").path

  private func make(_ files: String...) throws {
    for file in files {
      let url = URL(filePath: "\(root)/\(file)")
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("{}".utf8).write(to: url)
    }
  }

  private func remove() { try? FileManager.default.removeItem(atPath: root) }

  @Test func `the nearest schema above the file counts, whether its folder is there or not`() throws {
    defer { remove() }
    try make("cassette.schema.json", "Tests/Unit/Cassettes/a.json", "Tests/UI/cassette.schema.json", ".git/HEAD")
    #expect(SchemaReference.path(from: "\(root)/Tests/Unit/Cassettes/b.json") == "../../../cassette.schema.json")
    #expect(SchemaReference.path(from: "\(root)/Tests/UI/Cassettes/New/b.json") == "../../cassette.schema.json")
    #expect(SchemaReference.path(from: "\(root)/b.json") == "cassette.schema.json")
  }

  @Test func `without one it is its place at the root of the repository, or beside the file`() throws {
    defer { remove() }
    try make("Tests/Cassettes/a.json")
    #expect(SchemaReference.path(from: "\(root)/Tests/Cassettes/b.json") == "cassette.schema.json")
    // Of a worktree it is a file.
    try make(".git")
    #expect(SchemaReference.path(from: "\(root)/Tests/Cassettes/b.json") == "../../cassette.schema.json")
  }

  @Test func `a file that is there keeps what it has, and no name is put into it`() throws {
    defer { remove() }
    try make("a.json")
    let path = "\(root)/a.json"
    try CassetteFile.write(Cassette(name: "a"), to: path)
    #expect(try RecordingFile.read(path).cassette.schema == nil)
    #expect(try RecordingFile.read("\(root)/new.json").cassette.schema == "cassette.schema.json")
  }
}
