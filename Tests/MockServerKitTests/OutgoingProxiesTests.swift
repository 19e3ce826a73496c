import CassetteHTTP
import Cassettes
import Foundation
import ServerTestSupport
import TestSupport
import Testing

@testable import MockServerKit
@testable import MockServerSockets
@testable import MockServerUpstream

/// Proxies for outgoing requests, as named by the environment.
struct OutgoingProxiesTests {
  private func proxy(_ url: String, _ environment: [String: String]) throws -> String? {
    let proxies = try OutgoingProxies { environment[$0] }
    return proxies.proxy(for: try UpstreamOrigin(url)).map { "\($0.origin) \($0.credentials ?? "-")" }
  }

  @Test(
    arguments: [
      ("https://a.test", ["HTTPS_PROXY": "http://p.test:3128"], "http://p.test:3128 -"),
      ("https://a.test", ["HTTPS_PROXY": "p.test:3128/", "https_proxy": "q.test"], "http://q.test -"),
      ("https://a.test", ["HTTPS_PROXY": "http://me:se%40cret@p.test"], "http://p.test Basic bWU6c2VAY3JldA=="),
      ("https://a.test", ["HTTPS_PROXY": "http://me@p.test"], "http://p.test Basic bWU6"),
      ("https://a.test", ["HTTP_PROXY": "http://p.test"], nil),
      ("http://a.test", ["HTTP_PROXY": "http://p.test"], "http://p.test -"),
      ("http://a.test", ["HTTPS_PROXY": "http://p.test"], nil),
      ("http://a.test", ["HTTP_PROXY": "http://p.test", "REQUEST_METHOD": "GET"], nil),
      ("http://a.test", ["http_proxy": "http://p.test", "REQUEST_METHOD": "GET"], "http://p.test -"),
      ("http://a.test", ["HTTP_PROXY": ""], nil),
    ] as [(String, [String: String], String?)])
  func `the proxy is chosen from the environment by the scheme of the origin`(
    url: String, environment: [String: String], expected: String?
  ) throws {
    #expect(try proxy(url, environment) == expected)
  }

  @Test(
    arguments: [
      ("a.test", true), (".test", true), ("test", true), ("b.test, a.test", true), ("b.test a.test", true), ("*", true),
      ("A.TEST", true), ("a.test.", true), ("a.test:80", true), ("a.test:8080", false), ("b.test", false),
      ("ha.test", false), ("", false), ("a.test/", false),
    ])
  func `a host in NO_PROXY is requested without the proxy`(exceptions: String, isDirect: Bool) throws {
    for name in ["NO_PROXY", "no_proxy"] {
      let found = try proxy("http://a.test", ["http_proxy": "http://p.test", name: exceptions])
      #expect((found == nil) == isDirect)
    }
    #expect(try proxy("http://ha.a.test", ["http_proxy": "p.test", "no_proxy": "a.test"]) == nil)
    #expect(try proxy("http://[fd00::1]", ["http_proxy": "p.test", "no_proxy": "fd00::1"]) == nil)
    #expect(try proxy("http://[fd00::1]:81", ["http_proxy": "p.test", "no_proxy": "[fd00::1]:81"]) == nil)
  }

  @Test(
    arguments: [
      ("http://api.a.test", "*.a.test", true), ("http://a.test", "*.a.test:80", true),
      ("http://ba.test", "*.a.test", false), ("http://a.test", "*a.test", false),
      ("http://10.1.2.3", "10.0.0.0/8", true), ("http://11.1.2.3", "10.0.0.0/8", false),
      ("http://10.1.2.3", "10.1.2.0/23", true), ("http://10.1.4.3", "10.1.2.0/23", false),
      ("http://10.1.2.3", "0.0.0.0/0", true), ("http://10.1.2.3", "::/0", false),
      ("http://10.1.2.3", "10.1.2.3/32", true), ("http://10.1.2.3", "10.1.2.3/x", false),
      ("http://10.1.2.3", "10.0.0.0/-1", false), ("http://10.1.2.3", "2.3", false),
      ("http://a.test", "0.0.0.0/0", false),
      ("http://[2001:db8:0:0::1]", "2001:db8::1", true), ("http://[2001:db8::1]", "2001:DB8:0:0:0:0:0:1", true),
      ("http://[2001:db8::1]", "[2001:0db8::1]:80", true), ("http://[2001:db8::1]", "[2001:db8::1]:81", false),
      ("http://[2001:db8::1]", "2001:db8::/32", true), ("http://[2001:db9::1]", "2001:db8::/32", false),
    ])
  func `NO_PROXY matches subdomains, blocks of addresses, and other spellings of an address`(
    url: String, exceptions: String, isDirect: Bool
  ) throws {
    #expect(try (proxy(url, ["http_proxy": "p.test", "no_proxy": exceptions]) == nil) == isDirect)
  }

  @Test(arguments: [
    "http://localhost", "http://127.0.0.1:8080", "http://127.9.9.9", "http://[::1]", "http://a.localhost.",
  ])
  func `a host of this machine is requested without the proxy`(url: String) throws {
    #expect(try proxy(url, ["http_proxy": "http://p.test"]) == nil)
  }

  @Test(arguments: ["https://p.test", "socks5://p.test", "http://p.test/path", "http://p.test:x"])
  func `an unsupported proxy URL throws an error that names its variable`(text: String) {
    let error = #expect(throws: UpstreamOrigin.Problem.self) { try OutgoingProxies { ["https_proxy": text][$0] } }
    #expect(error?.description.contains("https_proxy") == true)
  }

  /// Starts a recorder whose upstream is reached only through a proxy.
  private func record(
    _ kind: LoopKind, _ upstream: String, through proxy: String,
    _ configure: (inout RecordingSettings) -> Void = { _ in }
  ) throws -> Served {
    let (origin, path) = try UpstreamOrigin.withPath(upstream)
    let proxies = try OutgoingProxies { ["http_proxy": proxy, "https_proxy": proxy][$0] }
    return try Served(kind) { configuration in
      var settings = RecordingSettings(upstream: origin, cassette: "\(configuration.cassettes[0])/a.json")
      settings.path = path
      settings.proxies = proxies
      configure(&settings)
      configuration.recording = settings
    }
  }

  private func cassette(of served: Served) throws -> Cassette {
    served.server.stop()
    _ = try served.server.saveRecording()
    return try CassetteFile.read(path: "\(served.folder)/a.json")
  }

  @Test(arguments: LoopKind.allCases)
  func `a proxy receives the absolute URL and its credentials, which are not recorded`(kind: LoopKind) throws {
    let proxy = try LoopbackOrigin { _ in [.text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")]
    }
    let url = proxy.url.replacing("http://", with: "http://me:secret@")
    let served = try record(kind, "http://api.example.test/v2", through: url)
    #expect(try served.ask("GET /a?b=1").text == "ok")
    let asked = try #require(proxy.requests.first)
    #expect(asked.target == "http://api.example.test/v2/a?b=1")
    #expect(asked.value(of: "Host") == "api.example.test")
    #expect(asked.value(of: "Proxy-Authorization") == "Basic bWU6c2VjcmV0")
    let recorded = try cassette(of: served)
    #expect(recorded.origin == "http://api.example.test")
    #expect(recorded.interactions.map(\.url) == ["/a?b=1"])
    #expect(recorded.interactions[0].requestHeaders.contains("Proxy-Authorization") == false)
    // The recording answers the same request.
    let replay = try Served(kind) { $0.cassettes = [served.folder] }
    #expect(try replay.ask("GET /a?b=1").text == "ok")
  }

  @Test func `links, redirects and cookies lead to the recorder if it uses a proxy`() throws {
    let head =
      "HTTP/1.1 302 Found\r\nLocation: http://api.example.test/b\r\nSet-Cookie: a=1; Domain=example.test; Secure\r\n"
      + "Content-Type: text/plain\r\nContent-Length: 25\r\nConnection: close\r\n\r\nhttp://api.example.test/b"
    let proxy = try LoopbackOrigin { _ in [.text(head)] }
    let served = try record(.platform, "http://api.example.test", through: proxy.url)
    let answer = try served.ask("GET /a")
    #expect(answer.headers["Location"] == "\(served.url)/b")
    #expect(answer.headers["Set-Cookie"] == "a=1")
    #expect(answer.text == "\(served.url)/b")
    let response = try cassette(of: served).interactions.first?.response
    #expect(response?.headers["Location"] == "http://api.example.test/b")
    #expect(response?.headers["Set-Cookie"]?.hasSuffix("Domain=example.test; Secure") == true)
  }

  @Test(arguments: LoopKind.allCases)
  func `an https upstream is reached through a CONNECT tunnel of the proxy`(kind: LoopKind) throws {
    let authority = try LocalAuthority(name: "a proxy of tests")
    let scratch = try ScratchFolder()
    let trusted = scratch.path("ca.pem")
    try Data(authority.text).write(to: URL(filePath: trusted))
    let files = ["a.json": Served.cassette([Served.recording("GET /a", "through")], origin: "https://api.example.test")]
    let proxy = try Served(kind, files) {
      $0.proxy = ProxySettings()
      $0.proxy?.authority = authority
    }
    let trust = try TLSContext(trusting: trusted)
    let served = try record(kind, "https://api.example.test", through: proxy.url) { settings in
      settings.secure = { descriptor, host throws(SecurityError) in try trust.connect(descriptor, to: host) }
    }
    let client = try served.client()
    for _ in 0..<2 { #expect(try client.ask("GET /a").text == "through") }
    #expect(try cassette(of: served).interactions.map(\.url) == ["/a", "/a"])
    let caller = UpstreamCaller(
      to: try UpstreamOrigin("https://api.example.test"), isNamed: true,
      proxies: try OutgoingProxies { ["https_proxy": proxy.url][$0] }
    ) { descriptor, host throws(SecurityError) in try trust.connect(descriptor, to: host) }
    let answer = try caller.ask(HTTPRequest(target: try #require(HTTPTarget("/a"))))
    #expect(try answer.response.body?.bytes() == Array("through".utf8))
  }

  @Test func `a proxy that refuses a tunnel is reported with status 502 and its reason`() throws {
    let proxy = try LoopbackOrigin { _ in [.text("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")] }
    let served = try record(.platform, "https://api.example.test", through: proxy.url) { settings in
      settings.secure = { _, _ throws(SecurityError) in throw SecurityError("no tunnel came about") }
    }
    let answer = try served.ask("GET /a")
    #expect(answer.status == 502)
    #expect(answer.text.contains("the proxy refused the tunnel: 407 Proxy Authentication Required"))
    #expect(proxy.requests.map(\.target) == ["api.example.test:443"])
  }

  @Test func `a metadata address is not requested through a proxy`() throws {
    let proxy = try LoopbackOrigin { _ in [] }
    let served = try Served(.platform) { configuration in
      configuration.proxy = ProxySettings()
      var settings = RecordingSettings(upstream: nil, cassette: "\(configuration.cassettes[0])/a.json")
      if let proxies = try? OutgoingProxies(environment: { ["http_proxy": proxy.url][$0] }) {
        settings.proxies = proxies
      }
      configuration.recording = settings
    }
    #expect(try served.ask("GET http://169.254.169.254/latest").text.contains("metadata service"))
    #expect(proxy.requests.isEmpty)
  }

  @Test(
    arguments: [
      ("https://a.test/v2", "https://a.test", "/v2"), ("https://a.test/v2/", "https://a.test", "/v2"),
      ("http://a.test:81/x/y", "http://a.test:81", "/x/y"), ("https://a.test/", "https://a.test", ""),
      ("https://a.test", "https://a.test", ""),
    ])
  func `an upstream URL may have a path`(text: String, origin: String, path: String) throws {
    let found = try UpstreamOrigin.withPath(text)
    #expect(found.origin.description == origin)
    #expect(found.path == path)
  }

  @Test(
    arguments: [
      ("/a", "/v2/a"), ("/", "/v2/"), ("/?q", "/v2/?q"), ("/v2/a", "/v2/a"), ("/v2", "/v2"), ("/v2?q", "/v2?q"),
      ("/v21", "/v2/v21"), ("*", "*"),
    ])
  func `the path of the upstream is added to targets that do not begin with it`(target: String, expected: String) throws
  {
    let request = HTTPRequest(method: target == "*" ? .options : .get, target: try #require(HTTPTarget(target)))
    let message = UpstreamRequest(
      request, to: try UpstreamOrigin("http://a.test"), base: "http://127.0.0.1:1", path: "/v2")
    let line = String(decoding: message.bytes.prefix { $0 != 13 }, as: UTF8.self)
    #expect(line.split(separator: " ").dropFirst().first == Substring(expected))
    #expect(message.recorded.target.text == target)
  }
}
