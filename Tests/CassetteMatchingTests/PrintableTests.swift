import TestSupport
import Testing

@testable import CassetteMatching
@testable import CassettePlayback
@testable import Cassettes

@Suite struct PrintableTests {
  @Test(arguments: [
    ("/a?b=c \"é😀\\", "/a?b=c \"é😀\\"), ("\u{1b}[2J", "\\u{1b}[2J"), ("a\r\nb", "a\\u{d}\\u{a}b"),
    ("\u{7f}", "\\u{7f}"),
    ("\u{9b}31m", "\\u{9b}31m"), ("\u{202e}gpj", "\\u{202e}gpj"), ("\u{2067}\u{2028}", "\\u{2067}\\u{2028}"),
  ])
  func `control and direction characters are escaped in messages`(_ text: String, _ shown: String) {
    #expect(Printable.escaped(text) == shown)
    #expect(CassetteError(file: text, message: text, suggestion: text).description == "\(shown): \(shown), \(shown)")
    #expect(Mismatch(part: "path", sent: text, recorded: nil).description == "path: sent \"\(shown)\", not recorded")
    #expect(Mismatch(part: "body.\(text)", sent: nil, recorded: text).description.hasSuffix("recorded \(shown)"))
  }

  @Test func `an id with control characters adds no line to the explanation of a miss`() throws {
    let deck = Exchange.deck([Exchange.recorded("GET /a", id: "a\u{1b}[2J\n")])
    let miss = try deck.miss(Exchange.request("GET /b"))
    #expect(!miss.text.contains("\u{1b}"))
    #expect(miss.text.contains("a\\u{1b}[2J\\u{a}"))
    #expect(miss.text.split(separator: "\n").count == 5)
  }
}
