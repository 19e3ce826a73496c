import CassetteHTTP
import Cassettes
import Foundation
import TestSupport
import Testing

@testable import MockServerKit
@testable import MockServerUpstream

/// Blocking requests to an upstream, on the calling thread.
struct UpstreamCallerTests {
  private func ask(
    _ path: String = "/", method: HTTPMethod = .get, _ headers: HTTPHeaders = [], seconds: Double = 10,
    _ steps: @escaping @Sendable (LoopbackOrigin.Request) -> [LoopbackOrigin.Step]
  ) throws -> (answer: UpstreamCaller.Answer, asked: LoopbackOrigin.Request?) {
    let origin = try LoopbackOrigin(steps)
    let caller = UpstreamCaller(to: try UpstreamOrigin(origin.url), isNamed: true, silenceSeconds: seconds)
    let request = HTTPRequest(method: method, target: try #require(HTTPTarget(path)), headers: headers)
    return (try caller.ask(request), origin.requests.first)
  }

  @Test func `a response has its fields, trailers, body and times, and the request is sent unchanged`() throws {
    let (answer, asked) = try ask("/a?b=%20", ["X-A": "1", "Accept-Encoding": "lzma, gzip"]) { _ in
      [
        .text(
          "HTTP/1.1 200 Fine\r\nX-B: 2\r\nx-b: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nT: 1\r\n\r\n")
      ]
    }
    #expect(asked?.target == "/a?b=%20")
    #expect(asked?.value(of: "X-A") == "1")
    #expect(asked?.value(of: "Accept-Encoding") == "gzip")
    #expect(asked?.value(of: "Host")?.hasPrefix("127.0.0.1:") == true)
    #expect(answer.response.status == 200)
    #expect(answer.response.reason == "Fine")
    #expect(answer.response.headers.values(of: "X-B") == ["2", "3"])
    #expect(try answer.response.body?.bytes() == Array("abc".utf8))
    #expect(answer.response.trailers["T"] == "1")
    #expect(answer.facts.at?.hasSuffix("Z") == true)
    #expect((answer.facts.total ?? -1) >= (answer.facts.firstByte ?? 0))
  }

  @Test func `a redirect is returned and not followed`() throws {
    let (answer, _) = try ask { _ in [.text("HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n")] }
    #expect(answer.response.status == 302)
    #expect(answer.response.body == nil)
  }

  @Test func `a gzip body is decoded`() throws {
    // "hello" in gzip.
    let coded: [UInt8] = [
      0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 7, 0, 0x86, 0xa6, 0x10, 0x36, 5, 0, 0, 0,
    ]
    let (answer, _) = try ask { _ in
      [.text("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(coded.count)\r\n\r\n"), .send(coded)]
    }
    #expect(try answer.response.body?.bytes() == Array("hello".utf8))
    #expect(!answer.response.headers.contains("Content-Encoding"))
  }

  @Test func `a stream of events is returned without its body`() throws {
    let (answer, _) = try ask { _ in
      [.text("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n"), .silence]
    }
    #expect(answer.isStream)
    #expect(answer.response.body == nil)
  }

  @Test func `a response to HEAD has no body`() throws {
    let (answer, asked) = try ask(method: .head) { _ in [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")] }
    #expect(asked?.method == "HEAD")
    #expect(answer.response.headers["Content-Length"] == "9")
    #expect(answer.response.body == nil)
  }

  @Test(arguments: [
    ("", "the connection ended without a response"),
    ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", "ended before"),
    ("SSH-2.0-OpenSSH\r\n", "a response must begin with HTTP/1.1"),
    ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", "the body is longer than"),
  ])
  func `an invalid or incomplete response throws a failure with the reason`(text: String, words: String) throws {
    let failure = #expect(throws: UpstreamCaller.Failure.self) {
      try ask { _ in text.isEmpty ? [] : [.text(text)] }
    }
    #expect(failure?.description.contains(words) == true, "\(String(describing: failure))")
  }

  @Test func `a silent upstream throws a failure after the time limit`() throws {
    let failure = #expect(throws: UpstreamCaller.Failure.self) { try ask(seconds: 0.05) { _ in [.silence] } }
    #expect(failure?.description == "it sent nothing for 0.05 s")
  }

  @Test func `an unreachable upstream, or https without TLS, throws a failure`() throws {
    let origin = try LoopbackOrigin { _ in [] }
    let url = origin.url
    let caller = UpstreamCaller(to: try UpstreamOrigin("http://127.0.0.1:9"), isNamed: true)
    let request = HTTPRequest(target: try #require(HTTPTarget("/")))
    #expect(throws: UpstreamCaller.Failure.self) { try caller.ask(request) }
    let secure = UpstreamCaller(to: try UpstreamOrigin(url.replacing("http:", with: "https:")), isNamed: true)
    let failure = #expect(throws: UpstreamCaller.Failure.self) { try secure.ask(request) }
    #expect(failure?.description == "https is not available here")
  }

  @Test(arguments: ["http://169.254.169.254", "http://[fd00:ec2::254]", "http://[fe80::1]"])
  func `a link-local or metadata address that is not named with --origin is refused`(url: String) throws {
    let caller = UpstreamCaller(to: try UpstreamOrigin(url), isNamed: false, silenceSeconds: 1)
    let request = HTTPRequest(target: try #require(HTTPTarget("/")))
    let failure = #expect(throws: UpstreamCaller.Failure.self) { try caller.ask(request) }
    #expect(failure?.description.contains("name it with --origin") == true)
  }

  @Test func `a connection that the upstream closed is replaced`() throws {
    // The origin closes the connection after each answer without Connection: close.
    let origin = try LoopbackOrigin { _ in [.text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")] }
    let caller = UpstreamCaller(to: try UpstreamOrigin(origin.url), isNamed: true)
    let request = HTTPRequest(target: try #require(HTTPTarget("/")))
    for _ in 0..<3 { #expect(try caller.ask(request).response.status == 200) }
    #expect(origin.requests.count == 3)
  }

  @Test func `a connection is reused for the next request`() throws {
    // The server accepts one connection: a request on a second connection would wait.
    let served = try Served(.platform, [Served.recording("GET /", "a")]) {
      $0.loops = 1
      $0.connections = 1
    }
    let caller = UpstreamCaller(to: try UpstreamOrigin(served.url), isNamed: true, silenceSeconds: 60)
    let request = HTTPRequest(target: try #require(HTTPTarget("/")))
    for _ in 0..<3 { #expect(try caller.ask(request).response.status == 200) }
  }
}
