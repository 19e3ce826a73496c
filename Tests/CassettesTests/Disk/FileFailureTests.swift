import Foundation
import TestSupport
import Testing

@testable import Cassettes

/// What is said where a file cannot be written.
@Suite struct FileFailureTests {
  @Test(arguments: [
    (EROFS, "name a writable place"), (ENOSPC, "free some space"), (EACCES, "the permission"),
    (ENOENT, "mkdir -p some/folder"),
  ])
  func `the remedy is that of the reason`(code: Int32, remedy: String) {
    errno = code
    let error = CassetteError(.system("write", "some/folder/a.json"), of: "a.json")
    #expect(error.description.contains(String(cString: strerror(code))))
    #expect(error.suggestion?.contains(remedy) == true, "\(error)")
  }

  @Test func `Foundation's errors have the words of the system's`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.path("none/a.json")
    let error = #expect(throws: (any Error).self) { try Data().write(to: URL(filePath: path)) }
    let failure = FileFailure.foundation(try #require(error), "write", path)
    #expect(failure.message == "cannot write \(path): No such file or directory")
    #expect(failure.remedy == "create the folder first: mkdir -p \(scratch.path("none"))")
  }
}
