import CassetteHTTP
import Testing

struct MediaTypeTests {
  @Test func `a media type is parsed without regard to case, with its parameters in order`() throws {
    let type = try #require(MediaType(" Text/HTML ; Charset=\"UTF-8\";; boundary=\"a\\\"b c\" "))
    #expect(type.type == "text")
    #expect(type.subtype == "html")
    #expect(type.charset == "utf-8")
    #expect(type.parameter("BOUNDARY") == "a\"b c")
    #expect(type.description == "text/html; charset=UTF-8; boundary=\"a\\\"b c\"")
    #expect(MediaType(type.description) == type)
  }

  @Test(arguments: [
    "", "text", "text/", "/html", "text /html", "text/html; a", "text/html; a=", "text/html a=b", "text/html; a=\"b",
    "*,*",
  ])
  func `a string without type and subtype is not a media type`(text: String) {
    #expect(MediaType(text) == nil)
  }

  @Test(arguments: [
    ("application/json", true, true), ("application/vnd.github+json; charset=utf-8", true, true),
    ("text/json", true, true),
    ("text/plain", false, true), ("image/svg+xml", false, true), ("application/javascript", false, true),
    ("application/x-www-form-urlencoded", false, true), ("application/octet-stream", false, false),
    ("image/png", false, false),
    ("application/jsonp", false, false),
  ])
  func `JSON and text media types are recognized`(text: String, isJSON: Bool, isText: Bool) throws {
    let type = try #require(MediaType(text))
    #expect(type.isJSON == isJSON)
    #expect(type.isText == isText)
  }

  @Test(arguments: [
    ("json", "application/json"), (".JSON", "application/json"), ("a/b.c/page.html", "text/html; charset=utf-8"),
    ("photo.jpeg", "image/jpeg"), ("bin", "application/octet-stream"), ("app.wasm", "application/wasm"),
  ])
  func `a known file extension has a media type`(name: String, type: String) {
    #expect(MediaType.forFileExtension(name) == type)
  }

  @Test(arguments: ["", "unknown", "a.", "json.d"])
  func `an unknown file extension has no media type`(name: String) {
    #expect(MediaType.forFileExtension(name) == nil)
  }
}
