import CassetteEngines
import CassetteJSON
import CassettePatterns
import Foundation
import Testing

private let corpora = ProcessInfo.processInfo.environment["CORPORA"]

/// The required tests of the official JSON Schema suite, in the folder named by `CORPORA`.
@Suite(.enabled(if: corpora != nil, "CORPORA names no folder"))
struct JSONSchemaSuiteTests {
  @Test(arguments: [("draft2020-12", JSONSchema.Draft.draft2020, 600), ("draft7", .draft7, 450)])
  func `every value of the suite is valid or invalid as the suite expects`(
    _ name: String, _ draft: JSONSchema.Draft, least: Int
  ) throws {
    let folder = URL(filePath: try #require(corpora)).appending(path: "jsonschema")
    let other = try read(folder.appending(path: "other-documents.json")).elements.map {
      "\($0["file"]?.string ?? "") \($0["description"]?.string ?? "")"
    }
    var count = 0
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: name).path())
    for file in files.sorted() where file.hasSuffix(".json") {
      for group in try read(folder.appending(path: "\(name)/\(file)")).elements {
        let title = "\(name)/\(file) \(group["description"]?.string ?? "")"
        if other.contains(title) { continue }
        count += try check(group, title, draft, isFormat: file == "format.json")
      }
    }
    #expect(count > least)
  }

  private func read(_ file: URL) throws -> JSONValue { try #require(JSONValue(Array(try Data(contentsOf: file)))) }

  private func check(_ group: JSONValue, _ title: String, _ draft: JSONSchema.Draft, isFormat: Bool) throws -> Int {
    let text = try #require(group["schema"]).bytes
    guard let schema = try attempt(title, { try JSONSchema(text, draft: draft) }) else { return 0 }
    let tests = try #require(group["tests"]).elements
    for test in tests {
      let description = test["description"]?.string ?? ""
      // This implementation checks formats. In the suite they are annotations.
      if isFormat, description.hasSuffix("is only an annotation by default") { continue }
      let data = try #require(test.members.first { $0.name == "data" }).value
      let tree = try #require(JSONTree(data.bytes))
      var budget = MatchingBudget()
      let violations = schema.violations(of: tree, &budget)
      #expect(violations?.isEmpty == test["valid"]?.isTrue, "\(title): \(description) \(violations ?? [])")
    }
    return tests.count
  }

  private func attempt(_ title: String, _ make: () throws -> JSONSchema) throws -> JSONSchema? {
    do { return try make() } catch {
      Issue.record("\(title): \(error)")
      return nil
    }
  }
}
