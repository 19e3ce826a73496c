import CassetteHTTP
import TestSupport
import Testing

@testable import Cassettes

@Suite struct OriginRewriterTests {
  private let rewriter = OriginRewriter(origins: [
    "https://api.example.com", "http://old.example.com", "http://localhost:9000", "https://[::1]:8443",
  ])

  private func rewrite(_ text: String) -> String? { rewriter.rewrite(text, to: "http://127.0.0.1:80") }

  @Test(
    arguments: [
      ("https://api.example.com", "http://127.0.0.1:80"),
      ("https://api.example.com/a?b#c", "http://127.0.0.1:80/a?b#c"),
      ("https://api.example.com?b", "http://127.0.0.1:80?b"), ("<https://api.example.com>", "<http://127.0.0.1:80>"),
      ("HTTPS://Api.Example.COM/A", "http://127.0.0.1:80/A"),
      ("https://api.example.com:443/a", "http://127.0.0.1:80/a"),
      (#"{"a":"https:\/\/api.example.com\/b"}"#, #"{"a":"http:\/\/127.0.0.1:80\/b"}"#),
      ("http://old.example.com:80/ https://api.example.com/", "http://127.0.0.1:80/ http://127.0.0.1:80/"),
      ("http://localhost:9000/", "http://127.0.0.1:80/"), ("https://[::1]:8443/", "http://127.0.0.1:80/"),
      ("See https://api.example.com.", "See http://127.0.0.1:80."),
      ("https://api.example.com: yes", "http://127.0.0.1:80: yes"),
      ("https://api.example.comhttps://api.example.com", nil),
      ("https://api.example.com,https://api.example.com", "http://127.0.0.1:80,http://127.0.0.1:80"),
      ("x=https://api.example.com&y", "x=http://127.0.0.1:80&y"),
      (#""https:\u002F\u002Fapi.example.com\u002Fa""#, #""http:\u002F\u002F127.0.0.1:80\u002Fa""#),
      (#""{\"a\":\"https:\\/\\/api.example.com\"}""#, #""{\"a\":\"http:\\/\\/127.0.0.1:80\"}""#),
      ("https:&#x2F;&#x2F;api.example.com&#x2F;a", "http:&#x2F;&#x2F;127.0.0.1:80&#x2F;a"),
      ("https:&#47;&#47;api.example.com", "http:&#47;&#47;127.0.0.1:80"),
      ("<a href=\"//api.example.com/a\">", "<a href=\"//127.0.0.1:80/a\">"),
      ("url(//old.example.com:80/a) src='//api.example.com'", "url(//127.0.0.1:80/a) src='//127.0.0.1:80'"),
      (#"{"a":"\/\/api.example.com\/b"}"#, #"{"a":"\/\/127.0.0.1:80\/b"}"#),
    ] as [(String, String?)])
  func `a recorded origin is replaced by the address of the mock server`(text: String, rewritten: String?) {
    #expect(rewrite(text) == rewritten)
  }

  @Test(arguments: [
    "", "https://", ":", "://", "https:/api.example.com", "api.example.com/a", "http://api.example.com/a",
    "https://api.example.com.evil.example/a", "https://api.example.com-x/", "https://api.example.com:8443/",
    "https://api.example.com:4433/", "https://api.example.comx", "https://my.api.example.com",
    "https://api.example.com@evil.example/",
    "https://user@api.example.com/", "shttps://api.example.com", "https://api.example.co", "http://localhost/",
    "http://localhost:90001/",
    "https:\\/\\", "https:\\/\\/api.example.co",
    "//api.example.com is a comment", "x //api.example.com", "\"//api.example.com.evil.example\"",
    "\"/api.example.com\"",
  ])
  func `text that only resembles a recorded origin is not rewritten`(text: String) { #expect(rewrite(text) == nil) }

  @Test(
    arguments: [
      ("Location", "//api.example.com/a", "//127.0.0.1:80/a"),
      ("Link", "<//api.example.com/2>; rel=next", "<//127.0.0.1:80/2>; rel=next"),
      ("refresh", "5; url=https://api.example.com/a", "5; url=http://127.0.0.1:80/a"),
      ("Refresh", "5; url=//api.example.com", "5; url=//127.0.0.1:80"), ("X-Origin", "https://api.example.com", nil),
      ("Set-Cookie", "a=1; Domain=example.com; Path=/; HttpOnly", "a=1; Path=/; HttpOnly"),
      ("set-cookie", "a=1;domain=.API.example.com;path=/", "a=1;path=/"),
      ("Set-Cookie", "a=1; Secure; SameSite=None; Partitioned; Max-Age=9", "a=1; Max-Age=9"),
      ("Set-Cookie", "a=1; SameSite=Lax; Domain=other.example", nil), ("Set-Cookie", "a=1; Path=/", nil),
      ("Set-Cookie", "__Host-a=1; Path=/; Secure; SameSite=None", nil),
      ("Set-Cookie", "__Secure-a=1; Domain=example.com; Secure", "__Secure-a=1; Secure"),
    ] as [(String, String, String?)])
  func `links and cookie attributes in response fields are rewritten for the mock server`(
    name: String, value: String, rewritten: String?
  ) {
    let field = HTTPHeaders.Field(name: name, value: value)
    #expect(rewriter.rewrite(field, to: "http://127.0.0.1:80")?.value == rewritten)
  }

  @Test func `a cookie over https keeps Secure, and a domain that covers the mock server stays`() {
    let field = HTTPHeaders.Field(name: "Set-Cookie", value: "a=1; Secure; SameSite=None; Domain=example.com")
    #expect(rewriter.rewrite(field, to: "https://127.0.0.1:80")?.value == "a=1; Secure; SameSite=None")
    #expect(rewriter.rewrite(field, to: "https://mock.example.com:80") == nil)
  }

  @Test func `without recorded origins no text is rewritten`() {
    #expect(OriginRewriter(origins: []).rewrite("https://a", to: "http://b") == nil)
  }

  @Test(arguments: 0..<30)
  func `in random text every recorded origin is replaced and other text stays`(seed: UInt64) {
    var random = Seeded(seed)
    let words = [
      ("https://api.example.com/a", "http://127.0.0.1:80/a"),
      ("\"http:\\/\\/old.example.com\"", "\"http:\\/\\/127.0.0.1:80\""),
      ("https://api.example.com:443", "http://127.0.0.1:80"), ("https://other.example", nil), ("://", nil),
      ("é\u{0}", nil),
      ("https:", nil), ("//api.example.com", nil), ("\\/\\/", nil), ("", nil),
    ]
    let chosen = (0..<40).compactMap { _ in words.randomElement(using: &random) }
    let text = chosen.map(\.0).joined(separator: " ")
    let expected = chosen.map { $0.1 ?? $0.0 }.joined(separator: " ")
    #expect((rewrite(text) ?? text) == expected)
  }
}
