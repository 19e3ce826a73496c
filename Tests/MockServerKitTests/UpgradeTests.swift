import CassetteHTTP
import CassetteSystem
import Cassettes
import Foundation
import MockServerSockets
import ServerTestSupport
import TestSupport
import Testing

@testable import MockServerKit
@testable import MockServerUpstream

/// A recorder relays upgraded connections, and does not record responses of proxies or networks.
struct UpgradeTests {
  private static let switching =
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
  private static let asking: HTTPHeaders = [
    ("Connection", "keep-alive, Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
  ]

  /// Starts a server that records from an origin; without an origin it is a proxy.
  private func record(
    _ kind: LoopKind = .platform, from origin: LoopbackOrigin? = nil, at url: String? = nil,
    mode: CassetteMode = .record, files: [String: String] = [:],
    _ configure: (inout RecordingSettings) -> Void = { _ in }
  ) throws -> Served {
    let upstream = try (origin?.url ?? url).map { try UpstreamOrigin($0) }
    return try Served(kind, files) { configuration in
      if upstream == nil { configuration.proxy = ProxySettings() }
      var settings = RecordingSettings(upstream: upstream, cassette: "\(configuration.cassettes[0])/a.json")
      settings.mode = mode
      configure(&settings)
      configuration.recording = settings
      configuration.log = .requests
    }
  }

  private func recorded(_ served: Served) throws -> [String] {
    served.server.stop()
    _ = try served.server.saveRecording()
    guard FileManager.default.fileExists(atPath: "\(served.folder)/a.json") else { return [] }
    return try CassetteFile.read(path: "\(served.folder)/a.json").interactions.map { "\($0.url) \($0.status ?? 0)" }
  }

  private func echo() throws -> LoopbackOrigin {
    try LoopbackOrigin { request in
      request.value(of: "Upgrade") == nil
        ? [.text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")] : [.text(Self.switching + "first"), .echo]
    }
  }

  @Test(arguments: LoopKind.allCases, [true, false])
  func `an upgraded connection is relayed, and is not recorded`(kind: LoopKind, asProxy: Bool) throws {
    let origin = try echo()
    let served = try record(kind, from: asProxy ? nil : origin)
    let base = asProxy ? origin.url : ""
    for _ in 0..<2 {
      let client = try served.client()
      client.request("GET \(base)/chat", Self.asking)
      // The payload fits into the socket buffers, because this client does not read while it sends.
      let payload = String(repeating: "0123456789", count: 1_000)
      client.send(payload)
      client.endSending()
      #expect(String(decoding: client.bytesToEnd(), as: UTF8.self) == Self.switching + "first" + payload)
    }
    #expect(origin.requests.first?.value(of: "Upgrade") == "websocket")
    #expect(origin.requests.first?.value(of: "Connection") == "Upgrade")
    #expect(try served.ask("GET \(base)/plain").text == "ok")
    #expect(try recorded(served) == ["/plain 200"])
    let lines = served.log.text.split(separator: "\n").filter { $0.contains("requests an upgrade to websocket") }
    #expect(lines.count == 1)
  }

  @Test func `a refused upgrade is relayed and not recorded, and the connection stays open`() throws {
    let origin = try LoopbackOrigin { request in
      let status = request.value(of: "Upgrade") == nil ? "200 OK" : "401 Unauthorized"
      return [.text("HTTP/1.1 \(status)\r\nContent-Length: 2\r\n\r\nno")]
    }
    let served = try record(from: origin)
    let client = try served.client()
    #expect(try client.ask("GET /chat", Self.asking).status == 401)
    #expect(try client.ask("GET /plain").status == 200)
    #expect(try recorded(served) == ["/plain 200"])
  }

  @Test func `an upgrade request is sent to the origin even if its path is recorded`() throws {
    let origin = try echo()
    let files = ["a.json": Served.cassette([Served.recording("GET /chat", "page")])]
    let served = try record(from: origin, mode: .recordMissing, files: files)
    #expect(try served.ask("GET /chat").text == "page")
    let client = try served.client()
    client.request("GET /chat", Self.asking)
    client.endSending()
    #expect(String(decoding: client.bytesToEnd(), as: UTF8.self) == Self.switching + "first")
  }

  @Test(arguments: ["h2c", "TLS/1.0", "HTTP/2.0, h2c"])
  func `an upgrade to another HTTP version is not forwarded, and a 426 to a request without Upgrade is recorded`(
    protocols: String
  ) throws {
    let origin = try LoopbackOrigin { request in
      #expect(request.value(of: "Upgrade") == nil)
      let status = request.target == "/b" ? "426 Upgrade Required" : "200 OK"
      return [.text("HTTP/1.1 \(status)\r\nUpgrade: h2c\r\nContent-Length: 2\r\n\r\nok")]
    }
    let served = try record(from: origin)
    let asking: HTTPHeaders = [("Connection", "Upgrade"), ("Upgrade", protocols)]
    #expect(try served.ask("GET /a", asking).status == 200)
    #expect(try served.ask("GET /b", asking).status == 426)
    #expect(try served.ask("POST /b").status == 426)
    #expect(try recorded(served) == ["/a 200", "/b 426"])
  }

  @Test(
    arguments: [
      ("407 Proxy Authentication Required", "", 502, "answered 407: set its user"),
      ("503 Service Unavailable", "X-Squid-Error: ERR_CONNECT_FAIL 111\r\n", 502, "answered 503 instead of the origin"),
      ("500 Oops", "Proxy-Status: p; Error=dns_error\r\n", 502, "answered 500 instead of the origin"),
      ("502 Bad Gateway", "", 502, "may not be the origin's response"),
      ("504 Gateway Timeout", "", 504, "may not be the origin's response"),
      ("511 Network Authentication Required", "", 511, "not of the origin"),
      ("503 Service Unavailable", "Proxy-Status: p; received-status=503\r\n", 503, nil),
      ("404 Not Found", "", 404, nil),
    ] as [(String, String, Int, String?)])
  func `a response of the proxy instead of the origin is not recorded`(
    line: String, field: String, status: Int, words: String?
  ) throws {
    let proxy = try LoopbackOrigin { _ in [.text("HTTP/1.1 \(line)\r\n\(field)Content-Length: 2\r\n\r\nno")] }
    let (upstream, proxies) = (
      try UpstreamOrigin("http://api.test"), try OutgoingProxies { ["http_proxy": proxy.url][$0] }
    )
    let served = try Served(.platform, [:]) { configuration in
      var settings = RecordingSettings(upstream: upstream, cassette: "\(configuration.cassettes[0])/a.json")
      settings.keepsFailures = true
      settings.proxies = proxies
      configuration.recording = settings
      configuration.log = .requests
    }
    let answer = try served.ask("GET /v")
    #expect(answer.status == status)
    if line.hasPrefix("407") { #expect(answer.text.contains(proxy.url)) }
    #expect(try recorded(served) == (words == nil ? ["/v \(status)"] : []))
    #expect(words.map { served.log.text.contains($0) } ?? true)
    let caller = UpstreamCaller(to: upstream, isNamed: true, proxies: proxies)
    let request = HTTPRequest(target: try #require(HTTPTarget("/v")))
    if words == nil {
      #expect(try caller.ask(request).response.status.code == status)
    } else {
      #expect(throws: UpstreamCaller.Failure.self) { try caller.ask(request) }
    }
  }

  @Test(arguments: LoopKind.allCases, ["GET", "PUT", "POST", "PATCH"])
  func `408 on a reused connection is not recorded, and only idempotent requests are repeated`(
    kind: LoopKind, method: String
  ) throws {
    let line = "\(method) /a"
    let origin = try Served(
      kind,
      [
        Served.recording("GET /first", "ok"), Served.recording(line, "no", status: 408), Served.recording(line, "ok"),
      ])
    let served = try record(kind, at: origin.url)
    let client = try served.client()
    #expect(try client.ask("GET /first").status == 200)
    let isRepeated = ["GET", "PUT"].contains(method)
    #expect(try client.ask(line).status == (isRepeated ? 200 : 408))
    #expect((try origin.admin("journal")["entries"] as? [Any])?.count == (isRepeated ? 3 : 2))
    #expect(try recorded(served) == ["/first 200"] + (isRepeated ? ["/a 200"] : []))
    #expect(served.log.text.contains("408 on a kept connection") == !isRepeated)
  }

  @Test func `408 on a new connection is recorded as the response of the origin`() throws {
    let origin = try LoopbackOrigin { _ in [.text("HTTP/1.1 408 Request Timeout\r\nContent-Length: 2\r\n\r\nno")] }
    let served = try record(from: origin)
    #expect(try served.ask("GET /a").status == 408)
    #expect(origin.requests.count == 1)
    #expect(try recorded(served) == ["/a 408"])
  }

  /// Causes of a missing response, each with its `URLError` code.
  enum Silence: CaseIterable, Sendable {
    case refuses, hasNoName, speaksNoTLS, isSilent

    var code: Int {
      switch self {
      case .refuses: -1004
      case .hasNoName: -1003
      case .speaksNoTLS: -1200
      case .isSilent: -1001
      }
    }
  }

  @Test(arguments: Silence.allCases, [true, false])
  func `a missing response is recorded as a failure only with keepsFailures`(silence: Silence, keeps: Bool) throws {
    let origin = try LoopbackOrigin { _ in silence == .isSilent ? [.silence] : [] }
    // A server without TLS, which answers a TLS handshake with an error response.
    let plain = try Served()
    let upstream: UpstreamOrigin
    switch silence {
    case .refuses: upstream = try UpstreamOrigin("http://127.0.0.1:1")
    case .hasNoName: upstream = try UpstreamOrigin("http://nobody.invalid")
    case .speaksNoTLS: upstream = try UpstreamOrigin(plain.url.replacing("http:", with: "https:"))
    case .isSilent: upstream = try UpstreamOrigin(origin.url)
    }
    let context = try? TLSContext(trusting: nil, identity: nil, isInsecure: true)
    let served = try Served(.platform, [:]) { configuration in
      var settings = RecordingSettings(upstream: upstream, cassette: "\(configuration.cassettes[0])/a.json")
      settings.keepsFailures = keeps
      settings.silenceSeconds = silence == .isSilent ? 0.3 : 60
      settings.lookUp = { host, port in
        silence == .hasNoName ? ([], EAI_NONAME) : ((try? [SocketAddress(host: host, port: port)]) ?? [], 0)
      }
      if let context {
        settings.secure = { descriptor, host throws(SecurityError) in try context.connect(descriptor, to: host) }
      }
      configuration.recording = settings
    }
    let status = try served.ask("GET /v").status
    #expect(status == (silence == .isSilent ? 504 : 502))
    served.server.stop()
    _ = try served.server.saveRecording()
    let path = "\(served.folder)/a.json"
    let recorded =
      FileManager.default.fileExists(atPath: path) ? try CassetteFile.read(path: path).interactions : []
    #expect(recorded.map { $0.failure?.code } == (keeps ? [silence.code] : []))
  }
}
