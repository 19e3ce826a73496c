import Testing

@testable import CassetteEngines

/// RFC 7396.
@Suite struct MergePatchTests {
  @Test(arguments: [
    // Appendix A.
    (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
    (#"{"a":"b"}"#, #"{"a":null}"#, "{}"), (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
    (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
    (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
    (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#), (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
    (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, "null", "null"), (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
    (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#), ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
    ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    // Unchanged members keep their digits and their order.
    (#"{"a":1.0,"b":9007199254740993}"#, #"{"c":1}"#, #"{"a":1.0,"b":9007199254740993,"c":1}"#),
    (#"{"a":1}"#, #"{"a":null,"a":2}"#, #"{"a":2}"#),
  ])
  func `a merge patch changes, adds and removes members`(document: String, patch: String, expected: String) throws {
    var value = try #require(EditableJSON(Array(document.utf8)))
    value.merge(try #require(EditableJSON(Array(patch.utf8))))
    #expect(String(decoding: value.bytes, as: UTF8.self) == expected)
  }
}
