import CassetteHTTP
import Cassettes
import Foundation
import ServerTestSupport
import TestSupport
import Testing

@testable import MockServerKit
@testable import MockServerSockets
@testable import MockServerUpstream

/// A forward proxy: each request names its origin, and one cassette holds them all.
struct ProxyTests {
  private func origin(_ name: String) throws -> LoopbackOrigin {
    try LoopbackOrigin { _ in
      [.text("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: \(name.utf8.count)\r\n\r\n\(name)")]
    }
  }

  private func proxy(
    _ kind: LoopKind = .platform, mode: CassetteMode = .record, files: [String: String] = [:], only: [String] = [],
    authority: LocalAuthority? = nil, _ configure: (inout RecordingSettings) -> Void = { _ in }
  ) throws -> Served {
    var proxy = ProxySettings()
    proxy.origins = try only.map { try UpstreamOrigin($0) }
    proxy.authority = authority
    return try Served(kind, files) { configuration in
      configuration.proxy = proxy
      configuration.log = .requests
      var settings = RecordingSettings(upstream: nil, cassette: "\(configuration.cassettes[0])/a.json")
      settings.mode = mode
      settings.named = proxy.origins
      configure(&settings)
      configuration.recording = settings
    }
  }

  private func cassette(of served: Served) throws -> Cassette {
    served.server.stop()
    _ = try served.server.saveRecording()
    return try CassetteFile.read(path: "\(served.folder)/a.json")
  }

  /// Requests a URL through the proxy.
  private func ask(_ served: Served, _ url: String, _ headers: HTTPHeaders = [:]) throws -> WireClient.Answer {
    try served.ask("GET \(url)", headers)
  }

  @Test(arguments: LoopKind.allCases)
  func `the same path of two origins is recorded twice, and played for its own origin`(kind: LoopKind) throws {
    let (one, two) = (try origin("one"), try origin("two"))
    let served = try proxy(kind)
    #expect(try ask(served, "\(one.url)/a").text == "one")
    #expect(try ask(served, "\(two.url)/a").text == "two")
    #expect(one.requests.map(\.target) == ["/a"])
    let recorded = try cassette(of: served)
    #expect(recorded.interactions.map { $0.url } == ["/a", "\(two.url)/a"])
    let text = String(decoding: try CassetteFile.bytes(of: recorded), as: UTF8.self)
    let again = try proxy(kind, mode: .recordMissing, files: ["a.json": text])
    let three = try origin("three")
    #expect(try ask(again, "\(two.url)/a").text == "two")
    #expect(try ask(again, "\(one.url)/a").text == "one")
    #expect(try ask(again, "\(three.url)/a").text == "three")
    #expect((one.requests.count, two.requests.count, three.requests.count) == (1, 1, 1))
  }

  @Test func `a miss names the origin of the request and of the nearest recording`() throws {
    let files = [
      "a.json": Served.cassette([Served.recording("GET /a", "one")], origin: "http://one.test")
    ]
    let served = try Served(.platform, files) { $0.proxy = ProxySettings() }
    #expect(try ask(served, "http://one.test/a").text == "one")
    let miss = try ask(served, "http://two.test/a")
    #expect(miss.status == 404)
    #expect(miss.text.contains("GET http://two.test/a was never recorded"))
    #expect(miss.text.contains(#"origin: sent \"http://two.test\", recorded \"http://one.test\""#))
    #expect(miss.text.contains(#"set \"url\": \"http://two.test/a\""#))
  }

  @Test func `a proxy does not rewrite links, and does not forward its own credentials`() throws {
    let origin = try LoopbackOrigin { request in
      let link = "http://\(request.value(of: "Host") ?? "")/b"
      return [.text("HTTP/1.1 302 Found\r\nLocation: \(link)\r\nContent-Length: 0\r\n\r\n")]
    }
    let served = try proxy()
    let answer = try ask(
      served, "\(origin.url)/a", [("Proxy-Authorization", "Basic c2VjcmV0"), ("Proxy-Connection", "keep-alive")])
    #expect(answer.headers["Location"] == "\(origin.url)/b")
    let asked = try #require(origin.requests.first)
    #expect(asked.value(of: "Proxy-Authorization") == nil)
    #expect(asked.value(of: "Proxy-Connection") == nil)
    let recorded = try #require(try cassette(of: served).interactions.first)
    #expect(!recorded.requestHeaders.contains("Proxy-Authorization"))
    #expect(recorded.response?.headers["Location"] == "\(origin.url)/b")
  }

  @Test func `a request to the proxy's own address explains how to use the proxy`() throws {
    let served = try proxy()
    let byName = served.url.replacing("127.0.0.1", with: "localhost")
    for url in ["/users", "\(served.url)/users", "\(byName)/users"] {
      let answer = try ask(served, url)
      #expect(answer.status == 400)
      #expect(answer.text.contains("HTTP_PROXY=\(served.url)"))
    }
    #expect(try ask(served, "/__mock/health").status == 200)
  }

  @Test func `a link-local address is refused unless it is named as an origin`() throws {
    let served = try proxy()
    let answer = try ask(served, "http://169.254.169.254/latest")
    #expect(answer.status == 502)
    #expect(answer.text.contains("--origin http://169.254.169.254"))
    let named = try UpstreamOrigin("http://169.254.169.254")
    #expect(named.refusal(of: try SocketAddress(host: "169.254.169.254", port: 80), isNamed: true) == nil)
  }

  @Test func `a proxy with named origins refuses requests to other origins`() throws {
    let (one, two) = (try origin("one"), try origin("two"))
    let served = try proxy(only: [one.url])
    #expect(try ask(served, "\(one.url)/a").text == "one")
    let answer = try ask(served, "\(two.url)/a")
    #expect(answer.status == 403)
    #expect(answer.text.contains("--origin \(two.url)"))
    #expect(two.requests.isEmpty)
    #expect(served.tells(of: "handshake-refused", "refused: \(two.url) is not one of this proxy's origins"))
  }

  @Test func `the log and the explanation of a miss contain the full URL`() throws {
    let one = try origin("one")
    let served = try proxy()
    #expect(try ask(served, "\(one.url)/a").text == "one")
    #expect(served.log.waits(for: "1 GET \(one.url)/a 200 recorded"))
    let text = String(decoding: try CassetteFile.bytes(of: try cassette(of: served)), as: UTF8.self)
    let offline = try Served(.platform, ["a.json": text]) { $0.proxy = ProxySettings() }
    let miss = try ask(offline, "http://other.test/a?b=1")
    #expect(miss.status == 404)
    #expect(miss.text.contains("GET http://other.test/a?b=1 was never recorded"))
    #expect(miss.text.contains(#"origin: sent \"http://other.test\", recorded \"\#(one.url)\""#))
    // Without the origin, the suggested recording would belong to the first origin.
    #expect(miss.text.contains(#"\"url\": \"http://other.test/a?b=1\""#))
    #expect(try ask(offline, "\(one.url)/a").text == "one")
  }

  @Test(arguments: LoopKind.allCases)
  func `plain HTTP in a CONNECT tunnel is recorded`(kind: LoopKind) throws {
    let origin = try origin("plain")
    let served = try proxy(kind)
    let client = try served.client()
    client.send("CONNECT \(origin.url.dropFirst(7)) HTTP/1.1\r\nHost: x\r\n\r\n")
    // A response to CONNECT has no body, like a response to HEAD (RFC 9110 §9.3.6).
    #expect(try client.answer(toHead: true).status == 200)
    #expect(try client.ask("GET /a").text == "plain")
    #expect(try client.ask("GET /b").text == "plain")
    #expect(origin.requests.map(\.target) == ["/a", "/b"])
    #expect(try cassette(of: served).interactions.map(\.url) == ["/a", "/b"])
  }

  @Test func `CONNECT without a certificate authority is refused with 501 and the reason`() throws {
    let served = try proxy()
    let client = try served.client()
    client.send("CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\n\r\n")
    let answer = try client.answer()
    #expect(answer.status == 501)
    #expect(answer.text.contains("https through this proxy is not possible"))
  }

  @Test(.enabled(if: Curl.isInstalled, "curl is not installed"), arguments: LoopKind.allCases)
  func `https is recorded through a tunnel if the client trusts the authority`(kind: LoopKind) throws {
    let certificates = try Certificates()
    let authority = try LocalAuthority(name: "a proxy of tests")
    let scratch = try ScratchFolder()
    let trusted = scratch.path("ca.pem")
    try Data(authority.text).write(to: URL(filePath: trusted))
    let security = try certificates.security()
    let upstream = try Served(kind, [Served.recording("GET /a", "secret garden")]) { $0.security = security }
    let trust = try certificates.trust()
    let served = try proxy(kind, authority: authority) { settings in
      settings.secure = { descriptor, host throws(SecurityError) in try trust.connect(descriptor, to: host) }
    }
    let url = upstream.url.replacing("127.0.0.1", with: "localhost")
    let proxied = ["--noproxy", "", "--proxy", served.url]
    #expect(try Curl.run(proxied + ["\(url)/a"]).code == 60)
    let result = try Curl.run(proxied + ["--cacert", trusted, "\(url)/a", "\(url)/a"])
    #expect(result.code == 0)
    #expect(result.text == "secret gardensecret garden")
    #expect(try cassette(of: served).interactions.map(\.url) == ["/a", "/a"])
  }
}
