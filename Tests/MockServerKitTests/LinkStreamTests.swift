import Cassettes
import Testing

@testable import MockServerKit

struct LinkStreamTests {
  private let origins = OriginRewriter(origins: ["https://api.example.com", "http://shop.test:81"])

  private func rewrite(_ text: String, step: Int) -> String {
    var stream = LinkStream(origins, to: "http://127.0.0.1:8080")
    var output: [UInt8] = []
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: step) {
      output += stream.next(Array(bytes[start..<min(bytes.count, start + step)]))
    }
    return String(decoding: output + stream.end(), as: UTF8.self)
  }

  @Test(arguments: [
    "", "no link at all, https", "{\"next\":\"https://api.example.com/a\",\"b\":\"HTTPS://API.example.com:443/c\"}",
    "https:\\/\\/api.example.com\\/a https://api.example.com.evil/ https://api.example.com:8443/ https://api.example.com",
    "http://shop.test:81/ http://shop.test:810/ http://shop.test/ https://api.example.com. https://api.example.com:",
    #""https:\u002F\u002Fapi.example.com\u002Fa" https:&#x2F;&#x2f;api.example.com "\/\/api.example.com" (//api.example.com)"#,
    "a //api.example.com/ comment, ehttps://api.example.com, '//api.example.com.evil' \"//api.example.com:443\"",
    "https://https://api.example.com/ehttps://apihttps://api.example.co https://api.example.com:44",
  ])
  func `links in a text are rewritten the same for every division into pieces`(text: String) {
    let whole = origins.rewrite(text, to: "http://127.0.0.1:8080")
    for step in [1, 2, 3, 5, 8, 13, 40, 400] { #expect(rewrite(text, step: step) == whole ?? text) }
  }

  @Test func `only bytes that may begin a link are held back`() {
    var stream = LinkStream(origins, to: "http://127.0.0.1:8080")
    #expect(stream.next(Array("data: 1\n\n".utf8)) == Array("data: 1\n\n".utf8))
    #expect(stream.next(Array("see https://api.ex".utf8)) == Array("see ".utf8))
    #expect(stream.next(Array("ample.com/x\n".utf8)) == Array("http://127.0.0.1:8080/x\n".utf8))
  }
}
