import CassetteHTTP
import Cassettes
import TestSupport
import Testing

@Suite struct CassetteFileCheckTests {
  @Test(arguments: [
    ("", "1:1: not JSON: expected a value, but the text ends"),
    ("[]", "1:1: a cassette must be an object"),
    ("{}", "1:1: \"cassette\" is missing, add \"cassette\": 1 as the first member"),
    (#"{"cassette":2}"#, "1:13: \"cassette\" is the version of the format and must be 1"),
    (#"{"cassette":1.0}"#, "1:13: \"cassette\" is the version of the format and must be 1"),
    (#"{"cassette":1,}"#, "1:15: not JSON: a comma before \"}\""),
    (#"{"cassette":1} 2"#, "1:16: unexpected text after the cassette"),
    (#"{"cassette":1,"cassette":1}"#, "1:15: \"cassette\" occurs twice"),
    (#"{"casette":1}"#, "1:2: unknown key \"casette\", did you mean \"cassette\"?"),
    (#"{"cassette":1,"interactions":{}}"#, "1:30: \"interactions\" must be an array"),
    (#"{"cassette":1,"interactions":[1]}"#, "1:31: an interaction must be an object"),
    (#"{"cassette":1,"$schema":1}"#, "1:25: \"$schema\" must be a string"),
  ])
  func `an error in a cassette is reported with line and column`(_ text: String, _ message: String) {
    expectFirst(text, message)
  }

  @Test(arguments: [
    "api.github.com", "https://api.github.com/", "https://api.github.com/v3", "ftp://a", "https://", "https://me@a",
    "https://a?b", "https://a b",
  ])
  func `an origin that is not a scheme and an authority is an error`(_ origin: String) {
    expectFirst(
      #"{"cassette":1,"origin":"\#(origin)"}"#,
      "1:24: \"origin\" must be a scheme and an authority without a path, such as \"https://api.github.com\"")
  }

  @Test(arguments: [
    (#"{"url":"/a"}"#, "2:12: \"method\" is missing"),
    (#"{"method":"GET"}"#, "2:12: \"url\" is missing"),
    (#"{"method":"GE T","url":"/"}"#, "2:22: \"method\" must be a method such as \"GET\""),
    (#"{"method":"","url":"/"}"#, "2:22: \"method\" must be a method such as \"GET\""),
    (
      #"{"method":"GET","url":"a"}"#,
      "2:34: \"url\" must be \"/path?query\" or an absolute URL, without spaces and without \"#\""
    ),
    (
      #"{"method":"GET","url":"/a b"}"#,
      "2:34: \"url\" must be \"/path?query\" or an absolute URL, without spaces and without \"#\""
    ),
    (
      #"{"method":"GET","url":"/a\u000d"}"#,
      "2:34: \"url\" must be \"/path?query\" or an absolute URL, without spaces and without \"#\""
    ),
    (#"{"method":"GET","uri":"/a"}"#, "2:28: unknown key \"uri\", did you mean \"url\"?"),
    (
      #"{"method":"GET","url":"/","headers":{"A":"b"}}"#,
      "2:48: \"headers\" must be an array of pairs, write [[\"Name\", \"value\"]] to keep the order and repeated fields"
    ),
    (
      #"{"method":"GET","url":"/","headers":[["A"]]}"#,
      "2:49: a header field must be a pair of strings, [\"Name\", \"value\"]"
    ),
    (
      #"{"method":"GET","url":"/","headers":[["A","b","c"]]}"#,
      "2:49: the third string of a header field must be \"latin1\", and the value must have no characters above U+00FF"
    ),
    (
      #"{"method":"GET","url":"/","headers":[["A","b\r\nC: d"]]}"#,
      "2:49: a header field value must not contain a line break or NUL"
    ),
    (
      #"{"method":"GET","url":"/","headers":[["A b","c"]]}"#,
      "2:50: a header field's name must be a token (RFC 9110 §5.6.2), such as \"Accept\""
    ),
    (#"{"method":"GET","url":"/","headers":[["","c"]]}"#, "2:50: a header field must have a name"),
    (#"{"method":"GET","url":"/","headers":[["A" "c"]]}"#, "2:54: not JSON: expected \",\" or \"]\""),
  ])
  func `an error in a request is reported with line and column`(_ request: String, _ message: String) {
    expectFirst(cassette(request: request), message)
  }

  @Test(arguments: [
    ("{}", "3:12: \"status\" is missing"),
    (#"{"status":99}"#, "3:22: \"status\" must be a whole number from 200 to 999"),
    (#"{"status":100}"#, "3:22: \"status\" must be final: 200 to 999"),
    (#"{"status":199}"#, "3:22: \"status\" must be final: 200 to 999"),
    (#"{"status":1000}"#, "3:22: \"status\" must be a whole number from 200 to 999"),
    (#"{"status":200.0}"#, "3:22: \"status\" must be a whole number from 200 to 999"),
    (#"{"status":2e2}"#, "3:22: \"status\" must be a whole number from 200 to 999"),
    (#"{"status":"200"}"#, "3:22: \"status\" must be a whole number from 200 to 999"),
    (#"{"status":200,"reason":"a\nb"}"#, "3:35: \"reason\" must be a phrase without line breaks"),
    (#"{"status":200,"body":"hi"}"#, "3:33: \"body\" must be an object, write {\"text\": \"hi\"}"),
    (#"{"status":200,"body":[1]}"#, "3:33: \"body\" must be an object, write {\"json\": [1]}"),
    (
      #"{"status":200,"body":"\#(String(repeating: "x", count: 50))"}"#,
      "3:33: \"body\" must be an object, write {\"text\": \"…\"}"
    ),
    (#"{"status":200,"body":{"a":1}}"#, "3:34: unknown key \"a\", write {\"json\": {…}}"),
    (
      #"{"status":200,"body":{"chunks":[{"after":86400,"text":""},{"after":86401,"text":""}]}}"#,
      "3:79: \"after\" must be at most 86400 seconds"
    ),
    (
      #"{"status":200,"body":{}}"#,
      "3:33: \"body\" must have exactly one of \"json\", \"text\", \"base64\", \"file\" and \"chunks\""
    ),
    (
      #"{"status":200,"body":{"text":"","json":1}}"#,
      "3:33: \"body\" must have exactly one of \"json\", \"text\", \"base64\", \"file\" and \"chunks\""
    ),
    (#"{"status":200,"body":{"txt":""}}"#, "3:34: unknown key \"txt\", did you mean \"text\"?"),
    (#"{"status":200,"body":{"text":"","newline":true}}"#, "3:33: \"style\" and \"newline\" require \"json\""),
    (#"{"status":200,"body":{"text":"","end":"reset"}}"#, "3:33: \"end\" requires \"chunks\""),
    (
      #"{"status":200,"body":{"json":1,"style":"compct"}}"#,
      "3:51: \"style\" must be one of \"compact\", \"spaced\", \"indent2\", \"indent4\", did you mean \"compact\"?"
    ),
    (#"{"status":200,"body":{"json":1,"newline":1}}"#, "3:53: \"newline\" must be true or false"),
    (#"{"status":200,"body":{"json":[1,]}}"#, "3:44: not JSON: expected a value"),
    (
      #"{"status":200,"body":{"text":"\ud800"}}"#,
      "3:41: \"text\" contains half of a surrogate pair, which is not a character"
    ),
    (#"{"status":200,"body":{"text":["a",1]}}"#, "3:46: \"text\" must be a string"),
    (#"{"status":200,"body":{"base64":"AAA"}}"#, "3:43: \"base64\" is not base64 (RFC 4648 §4)"),
    (#"{"status":200,"body":{"base64":["AA", "A B"]}}"#, "3:43: \"base64\" is not base64 (RFC 4648 §4)"),
    (#"{"status":200,"body":{"base64":"AAB="}}"#, "3:43: \"base64\" is not base64 (RFC 4648 §4)"),
    (#"{"status":200,"body":{"file":"../a"}}"#, "3:41: \"file\" must not leave the cassette's folder"),
    (#"{"status":200,"body":{"file":"a/../../b"}}"#, "3:41: \"file\" must not leave the cassette's folder"),
    (#"{"status":200,"body":{"file":"/etc/passwd"}}"#, "3:41: \"file\" must be relative to the cassette's folder"),
    (#"{"status":200,"body":{"file":"a//b"}}"#, "3:41: \"file\" must be a plain path such as \"bodies/logo.png\""),
    (#"{"status":200,"body":{"chunks":[{}]}}"#, "3:44: a chunk must have exactly one of \"text\" and \"base64\""),
    (
      #"{"status":200,"body":{"chunks":[{"after":-1,"text":""}]}}"#,
      "3:53: \"after\" must be a number of seconds, zero or more"
    ),
    (
      #"{"status":200,"body":{"chunks":[{"after":1e999,"text":""}]}}"#,
      "3:53: \"after\" must be a number of seconds, zero or more"
    ),
    (
      #"{"status":200,"body":{"chunks":[{"aftr":1,"text":""}]}}"#, "3:45: unknown key \"aftr\", did you mean \"after\"?"
    ),
  ])
  func `an error in a response is reported with line and column`(_ response: String, _ message: String) {
    expectFirst(cassette(response: response), message)
  }

  @Test(arguments: [
    (#""failure":{"code":-1001}"#, "2:1: \"response\" and \"failure\" must not occur together"),
    (#""id":"""#, "4:6: \"id\" is empty, omit it: an id is derived from the request"),
    (#""id":1"#, "4:6: \"id\" must be a string"),
    (#""respnse":{}"#, "4:1: unknown key \"respnse\", did you mean \"response\"?"),
    (#""xyz":{}"#, "4:1: unknown key \"xyz\""),
    (#""match":{"header":{}}"#, "4:10: unknown key \"header\", did you mean \"headers\"?"),
    (#""match":{"body":{"jsn":{}}}"#, "4:18: unknown key \"jsn\", did you mean \"json\"?"),
    (#""match":{"query":{"q":{"matchs":"a"}}}"#, "4:24: unknown key \"matchs\", did you mean \"matches\"?"),
    (#""replay":{"repat":"once"}"#, "4:11: unknown key \"repat\", did you mean \"repeat\"?"),
    (
      #""replay":{"repeat":"onse"}"#,
      "4:20: \"repeat\" must be one of \"last\", \"once\", \"loop\", \"first\", did you mean \"once\"?"
    ),
    (#""recorded":{"at":"yesterday"}"#, "4:18: \"at\" must be a time such as \"2026-11-21T01:00:00Z\" (RFC 3339)"),
    (#""recorded":{"total":"1"}"#, "4:21: \"total\" must be a number of seconds"),
  ])
  func `an error in an interaction is reported with line and column`(_ more: String, _ message: String) {
    expectFirst(cassette(more: more), message)
  }

  @Test func `a failure without a response needs a code or a known name`() {
    expectFirst(
      cassette(response: nil, more: #""failure":{"name":"timdOut"}"#),
      "3:19: \"timdOut\" is not the name of a URLError code, and \"code\" is missing, did you mean \"timedOut\"?")
    expectFirst(
      cassette(response: nil, more: #""failure":{}"#), "3:11: \"failure\" must have a \"code\" or a \"name\"")
    expectFirst(cassette(response: nil), "2:1: \"response\" is missing")
    expectFirst(cassette(request: nil), "2:1: \"request\" is missing")
  }

  @Test func `an id that occurs twice is an error`() {
    let one = #"{"id":"a","request":{"method":"GET","url":"/"},"response":{"status":200}}"#
    let other = one.replacing(#""a""#, with: #""\u0061""#)
    expectFirst(
      "{\"cassette\":1,\"interactions\":[\(one),\n\(other)]}",
      "2:7: the id \"a\" occurs twice, omit it: an id is derived from the request")
  }

  @Test func `checking continues after an error, and stops at invalid JSON`() {
    let text = """
      {
        "cassette": 1,
        "origin": "nowhere",
        "interactions": [
          { "request": { "url": "/" }, "response": { "status": 7, "boddy": [{}] } },
          { "request": { "method": "GET", "url": "/" }, "response": { "status": 200, "headers": [["Trailer", "x"]] } },
          { "request": oops }
        ]
      }
      """
    #expect(
      problems(text) == [
        "test.json:3:13: \"origin\" must be a scheme and an authority without a path, such as \"https://api.github.com\"",
        "test.json:5:18: \"method\" is missing",
        "test.json:5:58: \"status\" must be a whole number from 200 to 999",
        "test.json:5:61: unknown key \"boddy\", did you mean \"body\"?",
        "test.json:6:93: warning: \"Trailer\" is derived on replay; remove it",
        "test.json:7:18: not JSON: expected a value",
      ])
  }

  @Test(arguments: [
    ("GET", 200, "Content-Length", true), ("HEAD", 200, "Content-Length", false), ("GET", 304, "content-length", false),
    ("GET", 200, "transfer-ENCODING", true), ("HEAD", 200, "Connection", true), ("GET", 304, "Keep-Alive", true),
    ("GET", 200, "Trailer", true), ("GET", 200, "Content-Lengths", false), ("GET", 200, "Xontent-Length", false),
  ])
  func `a recorded field that frames the body is a warning`(
    _ method: String, _ status: Int, _ name: String, _ warns: Bool
  )
    throws
  {
    let text = cassette(
      request: #"{"method":"\#(method)","url":"/"}"#, response: #"{"status":\#(status),"headers":[["\#(name)","1"]]}"#)
    let cassette = try read(text)
    #expect(cassette.warnings.count == (warns ? 1 : 0))
    #expect(cassette.warnings.allSatisfy { $0.severity == .warning })
    #expect(cassette.interactions.first?.response?.headers[name] == "1")
  }

  @Test(arguments: [("close", 0), ("complete", 1)])
  func `the Content-Length of an incomplete body is not a warning`(_ end: String, _ count: Int) throws {
    let body = #"{"chunks":[{"after":0,"text":"a"}],"end":"\#(end)"}"#
    let text = cassette(
      request: #"{"method":"GET","url":"/"}"#,
      response: #"{"status":200,"headers":[["Content-Length","9"]],"body":\#(body)}"#)
    #expect(try read(text).warnings.count == count)
  }

  @Test func `problems beyond the first hundred are counted`() {
    let found = problems(
      "{\"cassette\":1,\"interactions\":[\(Array(repeating: "1", count: 250).joined(separator: ","))]}")
    #expect(found.count == 101)
    #expect(found.last == "test.json: 150 more like these")
  }

  @Test func `a truncated cassette and a cassette with an invalid byte have problems`() throws {
    let bytes = Array(documentedCassette.utf8)
    let end = try #require(bytes.lastIndex(of: UInt8(ascii: "}")))
    for length in 0..<end {
      #expect(!CassetteFile.problems(bytes: Array(bytes[..<length]), name: "test", file: nil).isEmpty)
    }
    for place in bytes.indices {
      var broken = bytes
      broken[place] = 0xff
      #expect(!CassetteFile.problems(bytes: broken, name: "test", file: nil).isEmpty)
    }
  }

  private func expectFirst(_ text: String, _ message: String, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(problems(text).first == "test.json:" + message, sourceLocation: sourceLocation)
    let error = #expect(throws: CassetteError.self, sourceLocation: sourceLocation) { try read(text) }
    #expect(error?.description == "test.json:" + message, sourceLocation: sourceLocation)
  }
}
