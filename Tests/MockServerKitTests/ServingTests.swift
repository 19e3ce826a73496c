import CassetteHTTP
import Foundation
import MockServerWire
import ServerTestSupport
import Testing

@testable import MockServerKit

/// HTTP/1.1 from a client's point of view, over real sockets and both event loops.
@Suite struct ServingTests {
  private static let two = [Served.recording("GET /a", "one"), Served.recording("POST /b", "two")]

  @Test(arguments: LoopKind.allCases)
  func `one connection serves many requests`(kind: LoopKind) throws {
    let served = try Served(kind, Self.two)
    let client = try served.client()
    for _ in 0..<20 {
      let answer = try client.ask("GET /a")
      #expect(answer.status == 200 && answer.text == "one" && answer.version == "HTTP/1.1")
      #expect(answer.headers.contains("Date") && !answer.headers.contains("Connection"))
    }
    #expect(try client.ask("POST /b", body: "x").text == "two")
    #expect(try client.ask("GET /nothing").status == 404)
    #expect(try client.ask("GET /a").text == "one")
  }

  @Test(arguments: LoopKind.allCases)
  func `a hundred pipelined requests are answered in order`(kind: LoopKind) throws {
    let recordings = (0..<100).map { Served.recording("GET /\($0)", "answer \($0)") }
    let served = try Served(kind, recordings)
    let client = try served.client()
    client.send((0..<100).map { "GET /\($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined())
    for number in 0..<100 { #expect(try client.answer().text == "answer \(number)") }
  }

  @Test(arguments: LoopKind.allCases)
  func `a request that arrives byte by byte is answered`(kind: LoopKind) throws {
    let served = try Served(kind, Self.two)
    let client = try served.client()
    for byte in "POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabcGET /a HTTP/1.1\r\nHost: x\r\n\r\n".utf8 {
      client.send([byte])
    }
    #expect(try client.answer().text == "two")
    #expect(try client.answer().text == "one")
  }

  @Test(arguments: LoopKind.allCases)
  func `Connection close and HTTP 1.0 close the connection after the answer`(kind: LoopKind) throws {
    let served = try Served(kind, Self.two)
    for text in [
      "GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "GET /a HTTP/1.0\r\n\r\n",
      "GET /a HTTP/1.1\r\nHost: x\r\nConnection: Close, x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n",
    ] {
      let client = try served.client()
      client.send(text)
      let answer = try client.answer()
      #expect(answer.text == "one")
      #expect(answer.headers["Connection"] == "close")
      let rest = client.readToEnd()
      #expect(rest.text == "" && rest.end == .ended)
    }
  }

  @Test(arguments: LoopKind.allCases)
  func `an HTTP 1.0 client can keep its connection open`(kind: LoopKind) throws {
    let served = try Served(kind, Self.two)
    let client = try served.client()
    for _ in 0..<3 {
      client.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
      let answer = try client.answer()
      #expect(answer.text == "one" && answer.headers["Connection"] == "keep-alive")
    }
  }

  @Test(arguments: LoopKind.allCases)
  func `a client that closed its sending side still receives its answers`(kind: LoopKind) throws {
    let served = try Served(kind, Self.two)
    let client = try served.client()
    client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /a HTTP/1.1\r\nHost: x\r\n\r\n")
    client.endSending()
    #expect(try client.answer().text == "one")
    #expect(try client.answer().text == "one")
    #expect(client.readToEnd().end == .ended)
  }

  @Test(arguments: LoopKind.allCases)
  func `HEAD is answered with the head of GET and no body`(kind: LoopKind) throws {
    let served = try Served(kind, Self.two)
    let client = try served.client()
    for line in ["HEAD /a", "HEAD /nothing", "HEAD /__mock/health", "HEAD /__mock/journal"] {
      let answer = try client.ask(line)
      #expect(answer.headers.contains("Content-Length"), "\(line)")
      #expect(answer.status == (line == "HEAD /nothing" ? 404 : 200), "\(line)")
    }
    #expect(try client.ask("HEAD /a").headers["Content-Length"] == "3")
    #expect(try client.ask("GET /a").text == "one")
  }

  @Test(arguments: LoopKind.allCases)
  func `responses with status 204 and 304 have no body`(kind: LoopKind) throws {
    let served = try Served(
      kind, [Served.recording("DELETE /a", "", status: 204), Served.recording("GET /b", "", status: 304), Self.two[0]])
    let client = try served.client()
    let gone = try client.ask("DELETE /a")
    #expect(gone.status == 204 && !gone.headers.contains("Content-Length"))
    #expect(try client.ask("GET /b").status == 304)
    #expect(try client.ask("GET /a").text == "one")
  }

  private static let largeText = String(repeating: "0123456789abcde\n", count: 5 << 16)
  private static let large = [
    "bodies/large.txt": largeText,
    "test.json": Served.cassette([
      Served.recording("GET /a", "one"),
      "{\"request\":{\"method\":\"GET\",\"url\":\"/large\"},"
        + "\"response\":{\"status\":200,\"body\":{\"file\":\"bodies/large.txt\"}}}",
    ]),
  ]

  @Test(arguments: LoopKind.allCases)
  func `large answers wait for a slow reader without delaying other clients`(kind: LoopKind) throws {
    let served = try Served(kind, Self.large) { $0.loops = 1 }
    let slow = try served.client(receiveBuffer: 32 << 10)
    for _ in 0..<3 { slow.request("GET /large") }
    slow.request("GET /a")
    // The answers exceed the socket's send buffer, so that the loop would block if it waited.
    #expect(try served.ask("GET /a").text == "one")
    for _ in 0..<3 { #expect(try slow.answer().text == Self.largeText) }
    #expect(try slow.answer().text == "one")
  }

  @Test(arguments: LoopKind.allCases)
  func `a client that disconnects during a large answer does not affect other clients`(kind: LoopKind) throws {
    let served = try Served(kind, Self.large)
    for _ in 0..<3 {
      let client = try served.client(receiveBuffer: 4 << 10)
      client.request("GET /large")
      #expect(client.hears(within: 60_000))
      client.close()
    }
    #expect(try served.ask("GET /large").body.count == 5 << 20)
  }

  @Test(arguments: LoopKind.allCases)
  func `a large request body arrives with Content-Length and in chunks`(kind: LoopKind) throws {
    let served = try Served(kind, Self.two)
    let client = try served.client()
    let body = Array(Self.largeText.utf8)
    client.request("POST /b", body: body)
    #expect(try client.answer().text == "two")
    client.send("POST /b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
    for start in stride(from: 0, to: body.count, by: 100_000) {
      let chunk = body[start..<min(start + 100_000, body.count)]
      client.send(Array("\(String(chunk.count, radix: 16));ext=\"a\"\r\n".utf8) + chunk + [13, 10])
    }
    client.send("0\r\nX-Trailer: 1\r\n\r\n")
    #expect(try client.answer().text == "two")
    let entries = try #require(try served.admin("journal")["entries"] as? [[String: Any]])
    #expect(entries.compactMap { $0["bodyBytes"] as? Int } == [body.count, body.count])
  }

  @Test(arguments: LoopKind.allCases)
  func `Expect 100-continue is answered with 100, or with 413 for a body beyond the limit`(kind: LoopKind) throws {
    let served = try Served(kind, Self.two) { $0.limits.body = 1_000 }
    let client = try served.client()
    client.send("POST /b HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
    #expect(try client.answer().status == 100)
    client.send("abc")
    #expect(try client.answer().text == "two")
    client.send("POST /b HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3000\r\n\r\n")
    #expect(try client.answer().status == 413)
  }

  @Test(arguments: LoopKind.allCases)
  func `an absolute request target is answered, and CONNECT is refused with 501`(kind: LoopKind) throws {
    let served = try Served(kind, Self.two)
    #expect(try served.ask("GET http://api.example.com/a", ["Host": "api.example.com"]).text == "one")
    #expect(try served.ask("CONNECT x:443", ["Host": "x:443"]).status == 501)
    #expect(try served.ask("GET /a", ["Upgrade": "h2c", "Connection": "Upgrade, HTTP2-Settings"]).text == "one")
  }

  @Test(arguments: LoopKind.allCases)
  func `sixty clients are served concurrently`(kind: LoopKind) throws {
    let served = try Served(kind, Self.two)
    let clients = try (0..<60).map { _ in try served.client() }
    for _ in 0..<3 {
      for client in clients { client.request("GET /a") }
      for client in clients { #expect(try client.answer().text == "one") }
    }
  }

  @Test(arguments: LoopKind.allCases)
  func `the server listens on an IPv6 address`(kind: LoopKind) throws {
    let served: Served
    do { served = try Served(kind, Self.two) { $0.host = "::1" } } catch MockServer.Failure.cannotListen {
      return  // IPv6 is not available on this machine.
    }
    #expect(served.url.hasPrefix("http://[::1]:"))
    #expect(try served.ask("GET /a").text == "one")
    #expect(try served.ask("GET /__mock/health").status == 200)
  }
}
