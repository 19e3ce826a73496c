import CassetteSystem
import Testing

@testable import Cassettes

@Suite struct EngineTests {
  private static let product = #".product(name: "CassetteEngines", package: "mockserver")"#

  @Test(arguments: [
    (
      "template", 4, 29,
      """
      {"cassette": 1, "interactions": [
        {"request": {"method": "GET", "url": "/"},
         "response": {"status": 200,
                      "template": true, "body": {"text": "{{now}}"}}}]}
      """
    ),
    ("resource", 1, 29, #"{"cassette": 1, "resource": {"path": "/todos"}, "interactions": []}"#),
    (
      "schema", 3, 33,
      """
      {"cassette": 1, "interactions": [
        {"request": {"method": "POST", "url": "/"},
         "match": {"body": {"schema": {"type": "object"}}},
         "response": {"status": 200}}]}
      """
    ),
  ])
  func `a cassette that needs an engine is refused without it, with its place and the product to add`(
    key: String, line: Int, column: Int, text: String
  ) throws {
    var reader = CassetteFileReader(file: "a.json", folder: nil, collects: true)
    reader.engines = Engines()
    try reader.read(Array(text.utf8).span)
    let problem = try #require(reader.problems.first)
    #expect(problem.message == "\"\(key)\" needs CassetteEngines, which is not linked")
    #expect(problem.suggestion?.contains(Self.product) == true)
    #expect((problem.line, problem.column) == (line, column))
    // The engines linked into this process accept the same text.
    #expect(CassetteFile.problems(bytes: Array(text.utf8), name: "a", file: nil).isEmpty)
  }
}
