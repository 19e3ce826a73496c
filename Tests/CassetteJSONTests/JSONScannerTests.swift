import CassetteJSON
import CassetteSystem
import TestSupport
import Testing

@Suite struct JSONScannerTests {
  @Test(arguments: [
    "null", "true", "false", "0", "-0", "12", "-1.5", "1e5", "1E-5", "0.0e+0", #""""#, #""a""#, "[]", "{}", "[ ]",
    "{ }",
    " [1 , 2]\r\n\t", #"{"a":1,"a":2}"#, #"{"":[{}]}"#, #""\"\\\/\b\f\n\r\t\u00aF""#, "\"é日😀\u{7f}\"", #""\ud800""#,
    #""a plain string that is longer than one word""#, #"[[[[[[[[1]]]]]]]]"#,
  ])
  func `JSON allowed by RFC 8259 is valid and skipped`(_ text: String) throws {
    let bytes = Array(text.utf8)
    try validate(bytes)
    // The word-wise scan must not depend on the bytes after the value.
    let padded = bytes + Array(", and more text after it".utf8)
    var end = 0
    try JSONScanner.skipValue(in: padded.span, at: &end)
    #expect(end <= bytes.count)
  }

  @Test(arguments: [
    ("", 0), (" ", 1), ("tru", 0), ("nul", 0), ("True", 0), ("01", 0), ("-", 1), ("+1", 0), (".5", 0), ("1.", 2),
    ("1e", 2), ("1e+", 3), ("0x10", 1), ("NaN", 0), ("'a'", 0), ("\"a", 2), ("\"\\x\"", 1), ("\"\\u12g4\"", 1),
    ("\"\\u12", 1), ("\"a\nb\"", 2), ("\"a\u{0}b\"", 2), ("[", 1), ("[1", 2), ("[1,]", 3), ("[,1]", 1), ("[1 2]", 3),
    ("[1}", 2), ("{", 1), ("{1:2}", 1), ("{\"a\"}", 4), ("{\"a\":}", 5), ("{\"a\":1,}", 7), ("{\"a\":1 \"b\":2}", 7),
    ("{\"a\":1]", 6), ("1 2", 2), ("[]]", 2), ("// no", 0), ("\u{feff}1", 0), ("\u{c}1", 0),
    ("\"0123456789abcdef\n\"", 17),
  ])
  func `invalid JSON is an error with its offset`(_ text: String, _ offset: Int) {
    let bytes = Array(text.utf8)
    let error = #expect(throws: JSONTextError.self) { try validate(bytes) }
    #expect(error?.offset == offset)
  }

  @Test(arguments: [
    [0x80], [0xc0, 0xaf], [0xc3], [0xe0, 0x9f, 0xbf], [0xed, 0xa0, 0x80], [0xf0, 0x8f, 0xbf, 0xbf],
    [0xf4, 0x90, 0x80, 0x80], [0xff], [0xe2, 0x82], [0xf8, 0x88, 0x80, 0x80, 0x80],
  ])
  func `invalid UTF-8 is an error with its offset`(_ broken: [UInt8]) {
    for before in 0..<9 {
      let text = [0x22] + [UInt8](repeating: 0x61, count: before) + broken + [0x22]
      let error = #expect(throws: JSONTextError.self) { try validate(text) }
      #expect(error?.offset == before + 1)
    }
  }

  @Test func `512 levels of nesting are valid and 513 are not`() throws {
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")] {
      let levels = open.count == 6 ? 256 : 512
      let inner = open == "[" ? "" : "0"
      let deep = Array((String(repeating: open, count: levels) + inner + String(repeating: close, count: levels)).utf8)
      try validate(deep)
      let deeper = [UInt8(ascii: "[")] + deep + [UInt8(ascii: "]")]
      #expect(throws: JSONTextError.self) { try validate(deeper) }
    }
  }

  @Test func `a wrong closing bracket is found at any depth beyond 64 levels`() throws {
    var random = Seeded(65)
    for _ in 0..<200 {
      let isObject = (0..<Int.random(in: 60..<300, using: &random)).map { _ in Bool.random(using: &random) }
      let text =
        isObject.map { $0 ? "{\"a\":" : "[" }.joined() + "1" + isObject.reversed().map { $0 ? "}" : "]" }.joined()
      try validate(Array(text.utf8))
      let level = Int.random(in: 0..<isObject.count, using: &random)
      var broken = Array(text.utf8)
      let place = broken.count - 1 - level
      broken[place] = isObject[level] ? UInt8(ascii: "]") : UInt8(ascii: "}")
      let error = #expect(throws: JSONTextError.self) { try validate(broken) }
      #expect(error?.offset == place)
    }
  }

  @Test(arguments: 0..<40)
  func `random JSON is valid, and a truncated part of it is not`(_ seed: Int) throws {
    var json = RandomJSON(random: Seeded(UInt64(seed)), space: ["", " ", "\n  ", "\t", "\r\n", "\n            "])
    for _ in 0..<50 {
      let bytes = Array(json.value().utf8)
      try validate(bytes)
      guard let first = bytes.first, first == 0x7b || first == 0x5b || first == 0x22 else { continue }
      let part = Array(bytes.dropLast(Int.random(in: 1...bytes.count, using: &json.random)))
      #expect(throws: JSONTextError.self) { try validate(part) }
    }
  }

  @Test func `lines and columns are counted as in editors`() {
    let bytes = Array("a\nbé日x\n\n😀y".utf8)
    let places = [
      (0, 1, 1), (1, 1, 2), (2, 2, 1), (5, 2, 3), (8, 2, 4), (10, 3, 1), (11, 4, 1), (15, 4, 2), (16, 4, 3),
    ]
    for (offset, line, column) in places {
      #expect(place(offset, in: bytes) == (line, column))
    }
  }
}
