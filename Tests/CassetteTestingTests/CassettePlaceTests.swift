import Cassettes
import Foundation
import Testing

@testable import CassetteTesting

/// A temporary folder of one test, removed on deinitialization.
private struct Disk: ~Copyable {
  let root = FileManager.default.temporaryDirectory.appending(path: "places-\(UUID().uuidString)").path

  func write(_ paths: String...) throws {
    for path in paths {
      let url = URL(filePath: "\(root)/\(path)")
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("{}".utf8).write(to: url)
    }
  }

  /// Returns the path of a cassette for a test file, relative to the root.
  func find(_ name: String, in folder: String? = nil, from file: String) throws -> String {
    let path = try CassettePlace.find(name, in: folder, filePath: "\(root)/\(file)", holders: ["\(root)/bin"])
    return String(path.dropFirst(root.count + 1))
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }
}

@Suite struct CassettePlaceTests {
  @Test func `a cassette beside the test file takes precedence over one in a bundle`() throws {
    let disk = Disk()
    try disk.write("Tests/AppTests/Cassettes/user.json", "bin/app_AppTests.resources/Cassettes/user.json")
    #expect(try disk.find("user", from: "Tests/AppTests/UserTests.swift") == "Tests/AppTests/Cassettes/user.json")
  }

  @Test(
    arguments: [
      ("user", nil, "bin/app_AppTests.resources/Cassettes/user.json"),
      ("user", nil, "bin/app_AppTests.resources/user.json"),
      ("a/user", nil, "bin/app_AppTests.resources/Cassettes/a/user.json"),
      ("user.json", nil, "bin/app_AppTests.resources/Cassettes/user.json"),
      ("user", "Cassettes/more", "bin/app_AppTests.resources/more/user.json"),
      ("user", "../Shared", "bin/app_AppTests.resources/Shared/user.json"),
      ("user", nil, "bin/my_app_AppTests.resources/Cassettes/user.json"),
      ("user", nil, "bin/app_AppTests.bundle/Cassettes/user.json"),
    ] as [(String, String?, String)])
  func `a cassette is found in the resources of the test's target`(name: String, folder: String?, there: String) throws
  {
    let disk = Disk()
    try disk.write("Tests/AppTests/UserTests.swift", there)
    #expect(try disk.find(name, in: folder, from: "Tests/AppTests/UserTests.swift") == there)
  }

  @Test func `a folder of cassettes is found in the resources of the test's target`() throws {
    let disk = Disk()
    try disk.write("bin/app_AppTests.resources/Cassettes/api/user.json")
    #expect(try disk.find("api", from: "Tests/AppTests/A.swift") == "bin/app_AppTests.resources/Cassettes/api")
  }

  @Test func `a cassette in the resources of another target is not found`() throws {
    let disk = Disk()
    try disk.write("Tests/AppTests/UserTests.swift", "bin/app_OtherTests.resources/Cassettes/user.json")
    #expect(throws: CassetteError.self) { try disk.find("user", from: "Tests/AppTests/UserTests.swift") }
  }

  @Test func `resources are searched without sources although the folder and the target have different names`() throws {
    let disk = Disk()
    try disk.write("bin/app_AppTests.resources/Cassettes/user.json")
    #expect(try disk.find("user", from: "Checks/A.swift") == "bin/app_AppTests.resources/Cassettes/user.json")
  }

  @Test func `a cassette in an absolute folder is not searched in resources`() throws {
    let disk = Disk()
    try disk.write("bin/app_AppTests.resources/Cassettes/user.json")
    #expect(throws: CassetteError.self) {
      try disk.find("user", in: "\(disk.root)/Cassettes", from: "Tests/AppTests/A.swift")
    }
  }

  @Test func `a missing cassette is an error with the searched places, the nearest name and a remedy`() throws {
    let disk = Disk()
    try disk.write("Tests/AppTests/UserTests.swift", "bin/app_AppTests.resources/Cassettes/user.json")
    let error = #expect(throws: CassetteError.self) { try disk.find("usr", from: "Tests/AppTests/UserTests.swift") }
    let text = try #require(error?.description)
    #expect(text.hasPrefix("\(disk.root)/Tests/AppTests/Cassettes/usr.json: the cassette was not found"))
    #expect(text.contains("\(disk.root)/bin/app_AppTests.resources"))
    #expect(text.contains("did you mean \"user\"?"))
    #expect(text.contains("CASSETTE_MODE=record-missing swift test, or write it by hand"))
  }

  @Test func `the error for a missing cassette without sources names the resources setting of the package`() throws {
    let disk = Disk()
    let error = #expect(throws: CassetteError.self) { try disk.find("user", from: "Tests/AppTests/UserTests.swift") }
    #expect(error?.description.contains("resources: [.copy(\"Cassettes\")]") == true)
  }
}
