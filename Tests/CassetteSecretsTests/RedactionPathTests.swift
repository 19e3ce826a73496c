import CassetteJSON
import CassetteSecrets
import Testing

struct RedactionPathTests {
  @Test(arguments: [
    ("$", "$", true), ("$", "$.a[0]", true), ("$.a", "$.a", true), ("$.a", "$.a.b[2]", true), ("$.a", "$.b.a", false),
    ("$.a[*].b", "$.a[3].b", true), ("$.a[*].b", "$.a.c.b", false), ("$.a.b", "$.a", false),
    ("$..iban", "$.iban", true), ("$..iban", "$.a[1].b.iban", true), ("$..iban", "$.a.iban.country", true),
    ("$..iban", "$.a.ibans", false), ("$..iban", "$", false), ("$.a..b[*].c", "$.a.b[0].c", true),
    ("$.a..b[*].c", "$.a.x.b.b[0].c.d", true), ("$.a..b[*].c", "$.x.a.b[0].c", false),
    ("$.a..b[*].c", "$.a.b.x.c", false), ("$..a..b", "$.x.a.y[0].b", true), ("$..a..b", "$.b.a", false),
    ("$..[*].id", "$.a[7].id", true), ("$..[*].id", "$.a.id", false), ("$..[0]", "$.a[0]", true),
    ("$..[\"a..b[*]\"]", "$.x[\"a..b[*]\"]", true), ("$[\"a.b\"].c", "$[\"a.b\"].c", true),
    ("$..[\"a\\\"]\"]", "$.x[\"a\\\"]\"]", true),
  ])
  func `a path covers what lies at it and below it`(path: String, value: String, covers: Bool) throws {
    let place = try #require(JSONPath(value))
    #expect(try #require(RedactionPath(path)).covers(place.steps) == covers)
  }

  @Test(arguments: ["", "a", "$a", "$.", "$..", "$...a", "$.a..", "$[", "$[*", "$..[", "$.a[x]", "$[\"a]", "$.a b"])
  func `what is no path is none`(text: String) {
    #expect(RedactionPath(text) == nil)
  }

  @Test func `many descents into a deep value take no time`() throws {
    let path = try #require(RedactionPath("$" + String(repeating: "..a", count: 40) + "..b"))
    let place = Array(repeating: JSONPath.Step.member("a"), count: 400)
    #expect(!path.covers(place) && path.covers(place + [.member("b")]))
  }
}
