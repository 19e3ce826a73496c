import CassetteHTTP
import Testing

struct HTTPTargetTests {
  struct Parts: Equatable {
    var form: HTTPTarget.Form
    var scheme: String?
    var authority: String?
    var path: String
    var query: String?
  }

  @Test(arguments: [
    ("/", Parts(form: .origin, path: "/")),
    ("/a%2Fb//c?x=1?&y", Parts(form: .origin, path: "/a%2Fb//c", query: "x=1?&y")),
    ("/?", Parts(form: .origin, path: "/", query: "")),
    ("//host/a", Parts(form: .origin, path: "//host/a")),
    ("*", Parts(form: .asterisk, path: "*")),
    ("http://a.test", Parts(form: .absolute, scheme: "http", authority: "a.test", path: "/")),
    ("http://a.test?q", Parts(form: .absolute, scheme: "http", authority: "a.test", path: "/", query: "q")),
    (
      "HTTPS://me:x@a.test:8/b/?c=/",
      Parts(form: .absolute, scheme: "HTTPS", authority: "me:x@a.test:8", path: "/b/", query: "c=/")
    ),
    ("http://[::1]:80/é", Parts(form: .absolute, scheme: "http", authority: "[::1]:80", path: "/é")),
    ("a.test:443", Parts(form: .authority, authority: "a.test:443", path: "")),
  ])
  func `a target is split into its parts without decoding`(text: String, parts: Parts) throws {
    let target = try #require(HTTPTarget(text))
    let seen = Parts(
      form: target.form, scheme: target.scheme, authority: target.authority, path: target.path, query: target.query)
    #expect(seen == parts)
    #expect(target.text == text)
    #expect(target.description == text)
  }

  @Test(arguments: [
    "", "a", "?a", "/a b", "/a\r\n", "/#a", "/\u{7F}", "**", "http:", "http:/", "http://", "http://:80", "http://@",
    "ftp://a/",
    "http://a b/", "http://a:x/", "a:", ":80", "a:b", "http://a[b]/",
  ])
  func `a string in none of the four forms is not a target`(text: String) {
    #expect(HTTPTarget(text) == nil)
  }
}

struct QueryItemTests {
  @Test(arguments: [
    ("", []),
    ("a", [QueryItem(name: "a", value: nil)]),
    ("a=", [QueryItem(name: "a", value: "")]),
    ("=b", [QueryItem(name: "", value: "b")]),
    (
      "a=1&b=2&a=3",
      [QueryItem(name: "a", value: "1"), QueryItem(name: "b", value: "2"), QueryItem(name: "a", value: "3")]
    ),
    ("&&a=b=c&", [QueryItem(name: "a", value: "b=c")]),
    ("q=new+york%2Bcity", [QueryItem(name: "q", value: "new york+city")]),
    ("%C3%A9=%E2%82%AC", [QueryItem(name: "é", value: "€")]),
    ("a=%zz%4&%=%4", [QueryItem(name: "a", value: "%zz%4"), QueryItem(name: "%", value: "%4")]),
    ("a=%E9", [QueryItem(name: "a", value: "é")]),
  ])
  func `a query is parsed like an HTML form`(raw: String, items: [QueryItem]) {
    #expect(QueryItem.parse(raw) == items)
  }

  @Test(arguments: [("%41%7a%7A", "Azz"), ("a+b", "a+b"), ("%", "%"), ("%%41", "%A"), ("%4%41", "%4A"), ("%00", "\0")])
  func `an invalid percent escape is left unchanged`(raw: String, text: String) {
    #expect(PercentEncoding.decodeText(raw.utf8) == text)
    #expect(PercentEncoding.decode(raw.utf8) == Array(text.utf8))
  }
}
