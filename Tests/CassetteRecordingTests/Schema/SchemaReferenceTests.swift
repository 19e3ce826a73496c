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

  @Test func `a new cassette names the nearest schema above it, also in a missing folder`() throws {
    defer { remove() }
    try make("cassette.schema.json", "Tests/Unit/Cassettes/a.json", "Tests/UI/cassette.schema.json", ".git/HEAD")
    #expect(SchemaReference.path(from: "\(root)/Tests/Unit/Cassettes/b.json") == "../../../cassette.schema.json")
    #expect(SchemaReference.path(from: "\(root)/Tests/UI/Cassettes/New/b.json") == "../../cassette.schema.json")
    #expect(SchemaReference.path(from: "\(root)/b.json") == "cassette.schema.json")
  }

  @Test func `a new cassette names no schema outside of its repository`() throws {
    defer { remove() }
    // In a worktree, `.git` is a file. The schema above it belongs to another repository.
    try make("cassette.schema.json", "repository/.git", "repository/Tests/Cassettes/a.json")
    #expect(SchemaReference.path(from: "\(root)/repository/Tests/Cassettes/b.json") == nil)
  }

  @Test func `an existing cassette gets no schema, and a new one does`() throws {
    defer { remove() }
    try make("a.json", "cassette.schema.json")
    let path = "\(root)/a.json"
    try CassetteFile.write(Cassette(name: "a"), to: path)
    #expect(try RecordingFile.read(path).cassette.schema == nil)
    #expect(try RecordingFile.read("\(root)/new.json").cassette.schema == "cassette.schema.json")
  }
}
