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
    ] as [(String, String?)])
  func `a recorded origin becomes the address that was asked`(text: String, rewritten: String?) {
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
  ])
  func `what is somebody else's is left alone`(text: String) { #expect(rewrite(text) == nil) }

  @Test func `without recorded origins nothing is rewritten`() {
    #expect(OriginRewriter(origins: []).rewrite("https://a", to: "http://b") == nil)
  }

  @Test(arguments: 0..<30)
  func `in any text every origin is replaced and nothing else is`(seed: UInt64) {
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
