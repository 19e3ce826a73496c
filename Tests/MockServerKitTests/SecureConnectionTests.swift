import CassetteHTTP
import Cassettes
import MockServerWire
import ServerTestSupport
import Testing

@testable import MockServerKit
@testable import MockServerSockets

/// TLS connections: requests, ends, and failed handshakes.
struct SecureConnectionTests {
  private let certificates: Certificates
  private let trust: TLSContext

  init() throws {
    certificates = try Certificates()
    trust = try certificates.trust()
  }

  private func served(
    _ kind: LoopKind, _ recordings: [String], _ configure: (inout MockServer.Configuration) -> Void = { _ in }
  ) throws -> Served {
    let security = try certificates.security()
    return try Served(kind, recordings) {
      $0.security = security
      configure(&$0)
    }
  }

  private func client(_ served: Served, receiveBuffer: Int32? = nil) throws -> WireClient {
    try WireClient(served.url, receiveBuffer: receiveBuffer, security: trust)
  }

  @Test(arguments: LoopKind.allCases)
  func `requests in one TLS record or in many records are answered in order`(kind: LoopKind) throws {
    let served = try served(kind, (0..<20).map { Served.recording("GET /\($0)", "answer \($0)") })
    let client = try client(served)
    let requests = (0..<20).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }
    client.send(requests.joined())
    for number in 0..<20 { #expect(try client.answer().text == "answer \(number)") }
    for byte in requests.joined().utf8 { client.send([byte]) }
    for number in 0..<20 { #expect(try client.answer().text == "answer \(number)") }
  }

  @Test(arguments: LoopKind.allCases)
  func `a slow reader receives every answer over TLS`(kind: LoopKind) throws {
    let text = String((0..<300_000).map { _ in Character("x") })
    let served = try served(kind, [Served.recording("GET /a", text)])
    let client = try client(served, receiveBuffer: 4096)
    for _ in 0..<20 { client.request("GET /a") }
    for _ in 0..<20 { #expect(try client.answer().body.count == text.count) }
  }

  @Test(arguments: LoopKind.allCases)
  func `a large request over TLS is read completely`(kind: LoopKind) throws {
    let served = try served(kind, [Served.recording("GET /a", "after")])
    let client = try client(served)
    client.request("POST /b", body: [UInt8](repeating: 120, count: 2 << 20))
    #expect(try client.answer().status == 404)
    #expect(try client.ask("GET /a").text == "after")
  }

  @Test(arguments: LoopKind.allCases)
  func `chunks of a stream are sent one by one over TLS, and pipelined requests wait`(kind: LoopKind) throws {
    let stream =
      "{\"request\":{\"method\":\"GET\",\"url\":\"/s\"},\"response\":{\"status\":200,\"headers\":"
      + "[[\"Content-Type\",\"text/event-stream\"]],\"body\":{\"chunks\":["
      + "{\"after\":0,\"text\":\"one\"},{\"after\":0.05,\"text\":\"two\"}]}}}"
    let served = try served(kind, [stream, Served.recording("GET /a", "after")])
    let client = try client(served)
    client.request("GET /s")
    client.request("GET /a")
    #expect(try client.answer().text == "onetwo")
    #expect(try client.answer().text == "after")
  }

  @Test(arguments: LoopKind.allCases)
  func `a client that closed its sending side still receives its answer over TLS`(kind: LoopKind) throws {
    let text = String((0..<900_000).map { _ in Character("x") })
    let served = try served(kind, [Served.recording("GET /a", text)])
    let client = try client(served, receiveBuffer: 4096)
    client.request("GET /a")
    client.endSending()
    #expect(try client.answer().body.count == text.count)
    #expect(client.readToEnd().end == .ended)
  }

  @Test(arguments: LoopKind.allCases)
  func `an incomplete request over TLS is refused with 400`(kind: LoopKind) throws {
    let served = try served(kind, [])
    let client = try client(served)
    client.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nbody")
    client.endSending()
    #expect(try client.answer().status == 400)
  }

  @Test(arguments: LoopKind.allCases)
  func `a closed connection ends with a TLS close notification`(kind: LoopKind) throws {
    let served = try served(kind, [Served.recording("GET /a", "all")])
    let client = try client(served)
    client.request("GET /a", ["Connection": "close"])
    let (text, end) = client.readToEnd()
    #expect(text.hasSuffix("all"))
    #expect(end == .ended)
  }

  @Test(arguments: LoopKind.allCases)
  func `a reset fault ends a TLS connection without a close notification`(kind: LoopKind) throws {
    let served = try served(kind, [Served.recording("GET /a", "all")]) { $0.faults = [.reset(on: "/a")] }
    let client = try client(served)
    client.request("GET /a")
    let (text, end) = client.readToEnd()
    #expect(text.isEmpty && end == .reset)
  }

  @Test(arguments: LoopKind.allCases)
  func `a client that is still sending over TLS receives the refusal of its body`(kind: LoopKind) throws {
    let served = try served(kind, []) { $0.limits.body = 1000 }
    let client = try client(served)
    client.request("POST /a", body: [UInt8](repeating: 120, count: 1 << 20))
    #expect(try client.answer().status == 413)
  }

  @Test(arguments: LoopKind.allCases)
  func `a client that sends no handshake is disconnected after the timeout and does not delay others`(kind: LoopKind)
    throws
  {
    let served = try served(kind, [Served.recording("GET /a", "a")]) { $0.headTimeout = .seconds(2) }
    let silent = try (0..<8).map { _ in try WireClient(served.url) }
    #expect(try client(served).ask("GET /a").text == "a")
    for client in silent { #expect(client.readToEnd().end != .timedOut) }
    #expect(served.tells(of: "handshake-refused", "did not finish the TLS handshake in time"))
  }

  @Test(arguments: LoopKind.allCases)
  func `bytes that are not TLS end only their own connection`(kind: LoopKind) throws {
    let served = try served(kind, [Served.recording("GET /a", "a")])
    var random = SystemRandomNumberGenerator()
    for length in [1, 5, 100, 70_000] {
      let client = try WireClient(served.url)
      client.send((0..<length).map { _ in UInt8.random(in: 0...255, using: &random) })
      client.endSending()
      #expect(client.readToEnd().end != .timedOut)
    }
    #expect(try client(served).ask("GET /a").text == "a")
  }

  @Test func `stop does not wait for unfinished handshakes`() throws {
    let served = try served(.platform, [Served.recording("GET /a", "a")])
    let silent = try WireClient(served.url)
    #expect(try client(served).ask("GET /a").text == "a")
    let summary = served.server.stop(within: .seconds(60))
    #expect(summary?.finished == true)
    #expect(silent.readToEnd().end != .timedOut)
  }

  @Test func `the inspector's port uses the certificate of the server`() throws {
    let served = try served(.platform, [])
    let location = try #require(try client(served).ask("GET /__mock/").headers["Location"])
    #expect(location == "\(try served.inspector)/__mock/" && location.hasPrefix("https://"))
    let client = try WireClient(served.inspector, security: trust)
    let own: HTTPHeaders = ["Host": String(location.dropFirst(8).prefix { $0 != "/" }), "Origin": try served.inspector]
    #expect(try client.ask("GET /__mock/health", own).status == 200)
    #expect(try client.ask("GET /__mock/health", ["Origin": served.url]).status == 403)
  }
}
