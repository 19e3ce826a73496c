import CassetteJSON
import CassettePatterns
import Testing

@Suite struct JSONPathTests {
  @Test(
    arguments: [
      ("$", "$", []), ("$.a", "$['a']", [.member("a")]), ("$[0]", "$[0]", [.element(0)]),
      (
        "$.a[0][\"b c\"].d_1", "$['a'][0]['b c']['d_1']",
        [.member("a"), .element(0), .member("b c"), .member("d_1")]
      ),
      ("$[\"\"]", "$['']", [.member("")]), ("$[\"a\\\"b\"].é", "$['a\"b']['é']", [.member("a\"b"), .member("é")]),
      ("$[\"a-b\"][\"1\"]", "$['a-b']['1']", [.member("a-b"), .member("1")]),
      ("$[\"it's\\n\"]", "$['it\\'s\\n']", [.member("it's\n")]),
      ("$[\"\\u0001\\\\\"]", "$['\\u0001\\\\']", [.member("\u{1}\\")]),
    ] as [(String, String, [JSONPath.Step])])
  func `a path's description and its normalized form are parsed to the same steps`(
    _ text: String, _ normalized: String, _ steps: [JSONPath.Step]
  ) throws {
    let path = JSONPath(steps)
    #expect(path.description == text)
    #expect(path.normalized == normalized)
    #expect(try JSONQuery(text).plainSteps == steps)
    #expect(try JSONQuery(normalized).plainSteps == steps)
  }

  @Test func `the path at a value's offset selects this value`() throws {
    let text = #"{"a": [1, {"b": [[], "x"]}], "c": 2}"#
    let tree = try #require(JSONTree(Array(text.utf8)))
    var budget = MatchingBudget()
    for node in try #require(JSONQuery("$..*").nodes(in: tree, &budget)) {
      let path = try #require(tree.path(to: node.range.lowerBound))
      let found = try #require(JSONQuery(path.normalized).nodes(in: tree, &budget))
      #expect(found.map(\.range) == [node.range], "\(path)")
    }
    #expect(tree.path(to: 2) == nil)
  }
}
