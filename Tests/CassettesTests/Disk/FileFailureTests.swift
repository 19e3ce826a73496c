import Foundation
import TestSupport
import Testing

@testable import Cassettes

/// Messages and suggestions for files that cannot be written.
@Suite struct FileFailureTests {
  @Test(arguments: [
    (EROFS, "name a writable place"), (ENOSPC, "free some space"), (EACCES, "the permission"),
    (ENOENT, "mkdir -p some/folder"),
  ])
  func `a failed write suggests a remedy for its system error`(code: Int32, remedy: String) {
    errno = code
    let error = CassetteError(.system("write", "some/folder/a.json"), of: "a.json")
    #expect(error.description.contains(String(cString: strerror(code))))
    #expect(error.suggestion?.contains(remedy) == true, "\(error)")
  }

  @Test func `a Foundation error is described in the words of the system error`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.path("none/a.json")
    let error = #expect(throws: (any Error).self) { try Data().write(to: URL(filePath: path)) }
    let failure = FileFailure.foundation(try #require(error), "write", path)
    #expect(failure.message == "cannot write \(path): No such file or directory")
    #expect(failure.remedy == "create the folder first: mkdir -p \(scratch.path("none"))")
  }
}
