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

  @Test func `the nearest schema above a new cassette is named, also if the cassette's folder does not exist`() throws {
    defer { remove() }
    try make("cassette.schema.json", "Tests/Unit/Cassettes/a.json", "Tests/UI/cassette.schema.json", ".git/HEAD")
    #expect(SchemaReference.path(from: "\(root)/Tests/Unit/Cassettes/b.json") == "../../../cassette.schema.json")
    #expect(SchemaReference.path(from: "\(root)/Tests/UI/Cassettes/New/b.json") == "../../cassette.schema.json")
    #expect(SchemaReference.path(from: "\(root)/b.json") == "cassette.schema.json")
  }

  @Test func `without a saved schema in the repository, a new cassette names none`() throws {
    defer { remove() }
    // In a worktree, `.git` is a file. The schema above it belongs to another repository.
    try make("cassette.schema.json", "repository/.git", "repository/Tests/Cassettes/a.json")
    #expect(SchemaReference.path(from: "\(root)/repository/Tests/Cassettes/b.json") == nil)
  }

  @Test func `only a new cassette gets the name of the schema`() throws {
    defer { remove() }
    try make("a.json", "cassette.schema.json")
    let path = "\(root)/a.json"
    try CassetteFile.write(Cassette(name: "a"), to: path)
    #expect(try RecordingFile.read(path).cassette.schema == nil)
    #expect(try RecordingFile.read("\(root)/new.json").cassette.schema == "cassette.schema.json")
  }
}
