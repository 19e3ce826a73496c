import CassetteJSON
import Testing

@Suite struct JSONPathTests {
  @Test(
    arguments: [
      ("$", []), ("$.a", [.member("a")]), ("$[0]", [.element(0)]),
      ("$.a[0][\"b c\"].d_1", [.member("a"), .element(0), .member("b c"), .member("d_1")]),
      ("$[\"\"]", [.member("")]), ("$[\"a\\\"b\"].é", [.member("a\"b"), .member("é")]),
    ] as [(String, [JSONPath.Step])])
  func `a path is written and read`(_ text: String, _ steps: [JSONPath.Step]) {
    #expect(JSONPath(steps).description == text)
    #expect(JSONPath(text)?.steps == steps)
  }

  @Test(arguments: [
    "", "a", "$a", "$.", "$..a", "$[", "$[]", "$[-1]", "$[a]", "$[1", "$[\"a]", "$[\"a\"", "$.a b",
    "$[99999999999999999999]",
  ])
  func `what is no path is refused`(_ text: String) {
    #expect(JSONPath(text) == nil)
  }
}
