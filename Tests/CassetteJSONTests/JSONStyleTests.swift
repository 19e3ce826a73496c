import CassetteJSON
import TestSupport
import Testing

@Suite struct JSONStyleTests {
  private let sample = #" { "a" : [ 1 , {"b":[ ],"c":{ }} ] , "d" : "x : , y" } "#

  @Test(arguments: [
    (JSONStyle.compact, #"{"a":[1,{"b":[],"c":{}}],"d":"x : , y"}"#),
    (.spaced, #"{"a": [1, {"b": [], "c": {}}], "d": "x : , y"}"#),
    (
      .indent2,
      """
      {
        "a": [
          1,
          {
            "b": [],
            "c": {}
          }
        ],
        "d": "x : , y"
      }
      """
    ),
    (
      .indent4,
      """
      {
          "a": [
              1,
              {
                  "b": [],
                  "c": {}
              }
          ],
          "d": "x : , y"
      }
      """
    ),
  ])
  func `a style lays out tokens like JavaScript or Python, and is detected`(_ style: JSONStyle, _ expected: String)
    throws
  {
    let output = style.rendered(Array(sample.utf8))
    #expect(String(decoding: output, as: UTF8.self) == expected)
    for newline in [false, true] {
      let found = try #require(detect(output + (newline ? [0x0a] : [])))
      #expect(found == (style, newline: newline))
    }
  }

  @Test(arguments: [
    "", " 1", "1 ", "1\r\n", "1\n\n", "{ }", "[1,2, 3]", "{\"a\" :1}", "{\n   \"a\": 1\n}", "{\n\t\"a\": 1\n}",
    "{\r\n  \"a\": 1\r\n}",
    "nope", "{\"a\":1}{\"b\":2}", "\u{feff}{}", "{\n  \"a\": []\n }",
  ])
  func `an irregular layout has no style`(_ text: String) {
    #expect(detect(Array(text.utf8)) == nil)
  }

  @Test(arguments: ["1", "\"a\"", "[]", "{}", "null"])
  func `a single token is detected as compact`(_ text: String) throws {
    #expect(try #require(detect(Array(text.utf8))) == (.compact, newline: false))
  }

  @Test(arguments: 0..<40)
  func `restyling changes only white space`(_ seed: Int) throws {
    var json = RandomJSON(random: Seeded(UInt64(seed)), space: ["", " ", "\n  ", "\t", "\r\n", "   \n      "])
    for _ in 0..<30 {
      let text = Array(json.value().utf8)
      let compact = JSONStyle.compact.rendered(text)
      for style in JSONStyle.allCases {
        let styled = style.rendered(text)
        try validate(styled)
        let back = JSONStyle.compact.rendered(styled)
        #expect(back == compact)
        let found = try #require(detect(styled))
        let again = found.0.rendered(text)
        #expect(again == styled)
      }
    }
  }

  @Test func `restyling invalid JSON changes only white space`() {
    func told(_ bytes: [UInt8]) -> [UInt8] { bytes.filter { ![0x20, 0x09, 0x0a, 0x0d].contains($0) } }
    var random = Seeded(3)
    for _ in 0..<500 {
      let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
        Array("{}[]\",:\\ \n1a".utf8).randomElement(using: &random) ?? 0
      }
      for style in JSONStyle.allCases {
        #expect(told(style.rendered(bytes)) == told(bytes))
      }
    }
  }
}
