import CassetteJSON
import Testing

@Suite struct JSONCoverageTests {
  @Test(arguments: [
    ("$", #"{"a":["x"]}"#, true), ("$.a", #"{"a":"x"}"#, true), ("$.a", #"{"a":{"b":[1,2,"x"]}}"#, true),
    ("$.a", #"{"b":{"a":"x"}}"#, false), ("$.a[*].b", #"{"a":[1,{"b":"x"}]}"#, true),
    ("$.a[*].b", #"{"a":{"c":{"b":"x"}}}"#, true), ("$.a.b", #"{"a":"x"}"#, false),
    ("$..iban", #"{"iban":"x"}"#, true), ("$..iban", #"{"a":[1,{"b":{"iban":"x"}}]}"#, true),
    ("$..iban", #"{"a":{"iban":{"country":"x"}}}"#, true), ("$..iban", #"{"a":{"ibans":"x"}}"#, false),
    ("$..iban", #""x""#, false), ("$.a..b[*].c", #"{"a":{"x":{"b":{"b":[{"c":{"d":"x"}}]}}}}"#, true),
    ("$.a..b[*].c", #"{"x":{"a":{"b":[{"c":"x"}]}}}"#, false), ("$..a..b", #"{"x":{"a":{"y":[{"b":"x"}]}}}"#, true),
    ("$..a..b", #"{"b":{"a":"x"}}"#, false), ("$..[0]", #"{"a":["x"]}"#, true),
    (#"$..["a..b[*]"]"#, #"{"x":{"a..b[*]":"x"}}"#, true),
    ("$[?@.kind=='key'].value", #"[{"kind":"key","value":"x"}]"#, true),
    ("$[?@.kind=='key'].value", #"[{"kind":"name","value":"x"}]"#, false), ("$.a[-1]", #"{"a":[1,"x"]}"#, true),
  ])
  func `a path covers the value at the path and all values below it`(path: String, text: String, covers: Bool) throws {
    let tree = try #require(JSONTree(Array(text.utf8)))
    // The value is the last x, including the quote before it.
    let value = try #require(Array(text.utf8).lastIndex(of: UInt8(ascii: "x"))) - 1
    let coverage = JSONCoverage([try JSONQuery(path)], of: tree, undecidedIsAll: false)
    #expect((coverage.query(covering: value) != nil) == covers)
  }

  @Test func `a path with 40 descendant segments is evaluated on a deep value in linear time`() throws {
    let query = try JSONQuery("$" + String(repeating: "..a", count: 40) + "..b")
    let deep = String(repeating: #"{"a":"#, count: 400)
    for (leaf, covers) in [("1", false), (#"{"b":1}"#, true)] {
      let text = Array((deep + leaf + String(repeating: "}", count: 400)).utf8)
      let place = try #require(text.firstIndex(of: UInt8(ascii: "1")))
      let coverage = JSONCoverage([query], of: try #require(JSONTree(text)), undecidedIsAll: false)
      #expect((coverage.query(covering: place) != nil) == covers)
    }
  }

  @Test func `a path that exceeds its budget covers nothing, or everything if undecidedIsAll`() throws {
    let query = try JSONQuery("$[?count($[?count($.*) > 0]) < 0]")
    let tree = try #require(JSONTree(Array("[\(String(repeating: "0,", count: 4_000))3]".utf8)))
    #expect(JSONCoverage([query], of: tree, undecidedIsAll: false).query(covering: 5) == nil)
    #expect(JSONCoverage([query], of: tree, undecidedIsAll: true).query(covering: 5) == query)
  }
}
