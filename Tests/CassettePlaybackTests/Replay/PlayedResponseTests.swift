import CassetteHTTP
import TestSupport
import Testing

@testable import CassettePlayback
@testable import Cassettes

@Suite struct PlayedResponseTests {
  @Test func `recorded framing fields are not played, except the length of an answer without a body`() throws {
    let framed: HTTPHeaders = [
      "Content-Length": "99", "Transfer-Encoding": "chunked", "Connection": "close", "Keep-Alive": "timeout=5",
      "Trailer": "X", "X": "y",
    ]
    let deck = Exchange.deck([
      Exchange.recorded("GET /a", answer: framed, content: "abc"),
      Exchange.recorded("HEAD /b", answer: framed, content: ""),
      Exchange.recorded("GET /304", status: 304, answer: framed, content: ""),
    ])
    for (line, length) in [("GET /a", 3), ("HEAD /b", 99), ("GET /304", 99)] {
      let response = try deck.response(Exchange.request(line))
      #expect(response.headers.map(\.name) == ["X"], "\(line)")
      #expect(response.length == length, "\(line)")
    }
  }

  @Test func `a recorded HEAD whose rules accept GET has the length of its body for a GET`() throws {
    var recorded = Exchange.recorded("HEAD /a", answer: ["Content-Length": "99"], content: "abc")
    recorded.match.methods = .listed([.head, .get])
    let deck = Exchange.deck([recorded])
    #expect(try deck.response(Exchange.request("GET /a")).length == 3)
    #expect(try deck.response(Exchange.request("HEAD /a")).length == 99)
  }

  @Test func `a recorded reason phrase is played only with its own status`() throws {
    let response = RecordedResponse(
      status: 200, reason: "Fine", headers: ["ETag": "\"1\""], body: .storing(Array("abc".utf8)))
    let deck = Exchange.deck([Interaction(id: "a", method: .get, url: "/a", outcome: .response(response))])
    #expect(try deck.response(Exchange.request("GET /a")).reason == "Fine")
    #expect(try deck.response(Exchange.request("GET /a", ["If-None-Match": "*"])).reason == nil)
    #expect(try deck.response(Exchange.request("GET /a", ["Range": "bytes=0-1"])).reason == nil)
  }

  @Test func `a recorded failure is played as a failure`() throws {
    let failure = RecordedFailure(code: -1001)
    let deck = Exchange.deck([Interaction(id: "a", method: .get, url: "/a", outcome: .failure(failure))])
    let playback = try #require(deck.plan(Exchange.request("GET /a")).playback)
    #expect(try playback.response().failure == failure)
  }

  @Test func `links in fields and text have the base URL, except in compressed or binary bodies`() throws {
    let url = "https://api.example.com/x"
    let deck = Exchange.deck(
      [
        Exchange.recorded(
          "GET /text",
          answer: ["Location": url, "Link": "<\(url)>; rel=next, <\(url)>", "Content-Location": url, "X": url],
          content: "see \(url)"),
        Exchange.recorded("GET /br", answer: ["Content-Encoding": "br"], content: "see \(url)"),
        Exchange.recorded("GET /identity", answer: ["Content-Encoding": "identity"], content: "see \(url)"),
        Exchange.recorded("GET /binary", content: "see \(url)\u{0}"),
        Exchange.recorded("GET /latin", answer: ["Content-Type": "text/html"], content: "see \(url)\u{0}"),
      ], origin: "https://api.example.com")
    let base = "http://127.0.0.1:8080"
    let text = try deck.response(Exchange.request("GET /text"), base: base)
    #expect(text.text == "see \(base)/x")
    #expect(text.headers["Location"] == "\(base)/x")
    #expect(text.headers["Content-Location"] == "\(base)/x")
    #expect(text.headers["Link"] == "<\(base)/x>; rel=next, <\(base)/x>")
    #expect(text.headers["X"] == url)
    #expect(try deck.response(Exchange.request("GET /text"), base: nil).text == "see \(url)")
    #expect(try deck.response(Exchange.request("GET /br"), base: base).text == "see \(url)")
    #expect(try deck.response(Exchange.request("GET /identity"), base: base).text == "see \(base)/x")
    #expect(try deck.response(Exchange.request("GET /binary"), base: base).text == "see \(url)\u{0}")
    #expect(try deck.response(Exchange.request("GET /latin"), base: base).text == "see \(base)/x\u{0}")
    #expect(try deck.response(Exchange.request("HEAD /text"), base: base).length == "see \(base)/x".utf8.count)
  }
}
