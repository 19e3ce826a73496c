import CassetteJSON
import TestSupport
import Testing

@Suite struct JSONStringTests {
  @Test(arguments: [
    ("", ""), ("abc", "abc"), (#"\"\\\/"#, "\"\\/"), (#"\b\f\n\r\t"#, "\u{8}\u{c}\n\r\t"),
    (#"\u0041\u00e9\u65e5"#, "Aé日"),
    (#"\ud83d\ude00!"#, "😀!"), ("é日😀", "é日😀"), (#"\u0000"#, "\0"),
  ])
  func `escape sequences are decoded`(_ content: String, _ text: String) {
    #expect(decode(content.utf8) == text)
  }

  @Test(arguments: [#"\ud800"#, #"\ude00"#, #"\ud800x"#, #"\ud800\u0041"#, #"\u12"#, #"\"#])
  func `unpaired surrogates and broken escapes are not decoded`(_ content: String) {
    #expect(decode(content.utf8) == nil)
  }

  @Test func `only characters that must be escaped are escaped`() {
    let written = String(decoding: JSONString.encode("a\"b\\c/d\n\t\r\u{8}\u{c}\u{1f}\u{7f}é😀"), as: UTF8.self)
    #expect(written == "\"a\\\"b\\\\c/d\\n\\t\\r\\b\\f\\u001f\u{7f}é😀\"")
  }

  @Test func `an encoded string is decoded to the same string`() throws {
    var random = Seeded(8)
    for _ in 0..<500 {
      let scalars = (0..<Int.random(in: 0..<30, using: &random)).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: 0..<0x300, using: &random) * [1, 1, 90].randomElement(using: &random)!)
      }
      let text = String(String.UnicodeScalarView(scalars))
      let bytes = JSONString.encode(text)
      try validate(bytes)
      #expect(decode(bytes.dropFirst().dropLast()) == text)
    }
  }
}
