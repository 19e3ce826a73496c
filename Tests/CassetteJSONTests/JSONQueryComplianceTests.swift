import CassetteJSON
import CassettePatterns
import Foundation
import Testing

private let corpora = ProcessInfo.processInfo.environment["CORPORA"]

/// The compliance suite of RFC 9535, in the folder that `CORPORA` names.
@Suite(.enabled(if: corpora != nil, "CORPORA names no folder"))
struct JSONQueryComplianceTests {
  @Test func `every case of the compliance suite selects the suite's nodes or is refused`() throws {
    let file = URL(filePath: try #require(corpora)).appending(path: "jsonpath/cts-visible.json")
    let suite = try #require(JSONValue(Array(try Data(contentsOf: file))))
    let cases = try #require(suite["tests"]).elements
    try #require(cases.count > 300)
    for test in cases {
      let name = try #require(test["name"]?.string)
      let selector = try #require(test["selector"]?.string)
      guard test["invalid_selector"] == nil else {
        #expect(throws: JSONQuery.Problem.self, "\(name): \(selector)") { try JSONQuery(selector) }
        continue
      }
      try check(test, name, selector)
    }
  }

  private func check(_ test: JSONValue, _ name: String, _ selector: String) throws {
    let document = try #require(test.members.first { $0.name == "document" }?.value)
    let tree = try #require(JSONTree(document.bytes))
    var budget = MatchingBudget()
    let query = try JSONQuery(selector)
    let nodes = try #require(query.nodes(in: tree, &budget), "\(name)")
    let values = nodes.map { tree.canonical($0) }
    let paths = nodes.map { tree.path(to: $0.range.lowerBound)?.normalized }
    func canonical(_ value: JSONValue) throws -> [[UInt8]] {
      try value.elements.map { element in
        let tree = try #require(JSONTree(element.bytes))
        return tree.canonical(tree.root)
      }
    }
    let wanted = try test["results"]?.elements.map(canonical) ?? [canonical(try #require(test["result"]))]
    let wantedPaths = test["results_paths"]?.elements.map(\.strings) ?? [test["result_paths"]?.strings ?? []]
    #expect(wanted.contains(values), "\(name): \(selector)")
    #expect(wantedPaths.contains(paths.compactMap(\.self)), "\(name): \(paths)")
    // The set of places equals the set of nodes.
    let places = Set(try #require(query.places(in: tree, &budget)).map(\.range.lowerBound))
    #expect(places == Set(nodes.map(\.range.lowerBound)), "\(name): \(selector)")
  }
}
