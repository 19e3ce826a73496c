import Foundation
import TestSupport
import Testing

@testable import MockServerKit

@Suite struct FileWritersTests {
  private static let old = Date(timeIntervalSince1970: 1_000_000)

  /// Creates a file with an old modification date.
  private func file(in folder: ScratchFolder) throws -> String {
    let path = folder.path("half.json")
    try Data("{".utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.modificationDate: Self.old], ofItemAtPath: path)
    return path
  }

  @Test func `a file counts as being written until its writer is idle for the patience`() throws {
    let path = try file(in: ScratchFolder())
    for (patience, isWritten) in [(UInt64.max, true), (0, false)] {
      let writers = FileWriters(patience: patience)
      #expect(!writers.activity(of: path).isWritten)
      writers.note(path, isWritten: true)
      #expect(writers.activity(of: path).isWritten == isWritten)
      #expect(writers.activity(of: path).changes == 1)
    }
  }

  @Test func `a file that was closed or replaced does not count as being written`() throws {
    let path = try file(in: ScratchFolder())
    let writers = FileWriters(patience: .max)
    writers.note(path, isWritten: true)
    writers.note(path, isWritten: false)
    #expect(!writers.activity(of: path).isWritten)
  }
}
