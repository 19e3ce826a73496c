import CassetteJSON
import TestSupport
import Testing

@Suite struct JSONDifferenceTests {
  private func between(_ sent: String, _ recorded: String) -> [JSONDifference] {
    JSONDifference.between(Array(sent.utf8), Array(recorded.utf8))
  }

  @Test(arguments: [
    (#"{"a":1,"b":2}"#, #"{ "b": 2, "a": 1.0 }"#), ("[1e2]", "[100]"), ("0.10", "1e-1"), ("-0", "0.0"),
    (#""\u0041""#, #""A""#), (#""\ud800""#, #""\uD800""#), ("not json", "not json"), ("", ""),
    (#"{"a":1,"a":2}"#, #"{"a":1, "a":2}"#), ("18446744073709551616", "18446744073709551616.0"),
  ])
  func `different spellings of the same JSON value are equal`(_ sent: String, _ recorded: String) {
    #expect(between(sent, recorded).isEmpty)
    #expect(JSONDifference.equal(Array(sent.utf8), Array(recorded.utf8)))
  }

  @Test(
    arguments: [
      ("1", "2", "$", "1", "2"), (#"{"a":1}"#, #"{"a":"1"}"#, "$.a", "1", "\"1\""),
      (#"{"a":[1,{"b":2}]}"#, #"{"a":[1,{"b":3}]}"#, "$.a[1].b", "2", "3"),
      (#"{"b c":1}"#, #"{}"#, "$[\"b c\"]", "1", nil), (#"{}"#, #"{"x":null}"#, "$.x", nil, "null"),
      ("[1]", "[1,[2]]", "$[1]", nil, "[2]"),
      ("9007199254740993", "9007199254740992", "$", "9007199254740993", "9007199254740992"),
      ("null", "false", "$", "null", "false"), ("{}", "[]", "$", "{}", "[]"), ("plain", "{}", "$", "plain", "{}"),
      (#"{"a":1,"a":2}"#, #"{"a":1,"a":3}"#, "$.a", "2", "3"),
      ("1e99999999999", "1e99999999998", "$", "1e99999999999", "1e99999999998"),
    ] as [(String, String, String, String?, String?)])
  func `a difference has its path and both values`(
    _ sent: String, _ recorded: String, _ path: String, _ left: String?, _ right: String?
  ) {
    let found = between(sent, recorded)
    #expect(found.count == 1)
    #expect(found.first?.path == path)
    #expect(found.first?.sent == left)
    #expect(found.first?.recorded == right)
    #expect(!JSONDifference.equal(Array(sent.utf8), Array(recorded.utf8)))
  }

  @Test func `a long value in a difference is shortened at a character boundary`() throws {
    let difference = try #require(between("\"" + String(repeating: "é", count: 200) + "\"", "1").first)
    #expect(difference.sent?.hasSuffix("é…") == true)
    #expect(try #require(difference.sent).utf8.count < 130)
  }

  @Test func `at most 100 differences are returned`() {
    let left = "[" + (0..<500).map(String.init).joined(separator: ",") + "]"
    #expect(between(left, "[]").count == 100)
  }

  @Test(arguments: 0..<20)
  func `a restyled value equals the original`(_ seed: Int) {
    var json = RandomJSON(random: Seeded(UInt64(seed)), space: ["", " ", "\n"])
    for _ in 0..<20 {
      let text = Array(json.value().utf8)
      let styled = JSONStyle.indent4.rendered(text)
      #expect(JSONDifference.equal(text, styled))
    }
  }
}
