import CassetteHTTP
import MockServerSockets
import Testing

@testable import MockServerKit
@testable import MockServerUpstream

struct UpstreamOriginTests {
  @Test(
    arguments: [
      ("https://api.github.com", "https://api.github.com", 443),
      ("https://API.GitHub.com/", "https://api.github.com", 443),
      ("http://a.test:8080", "http://a.test:8080", 8080), ("https://a.test:443", "https://a.test", 443),
      ("http://[::1]:81", "http://[::1]:81", 81), ("http://127.0.0.1", "http://127.0.0.1", 80),
    ] as [(String, String, Int)])
  func `a server URL is parsed and normalised`(text: String, origin: String, port: Int) throws {
    let read = try UpstreamOrigin(text)
    #expect("\(read)" == origin)
    #expect(read.port == port)
  }

  @Test(arguments: [
    ("api.github.com", "type https://api.github.com"), ("ftp://a.test", "neither http nor https"),
    ("https://swapi.dev/api", "use https://swapi.dev"), ("https://a.test?x=1", "without a path"),
    ("https://user:pw@a.test", "must not contain a user or password"), ("http://a.test:0", "port"), ("", "not the URL"),
  ])
  func `an invalid server URL throws an error that suggests a correction`(text: String, words: String) {
    let problem = #expect(throws: UpstreamOrigin.Problem.self) { try UpstreamOrigin(text) }
    #expect(problem?.description.contains(words) == true)
  }

  @Test(
    arguments: [
      ("http://metadata.test", "169.254.169.254", true), ("http://169.254.169.254", "169.254.169.254", false),
      ("http://a.test", "fe80::1", true), ("http://a.test", "febf::1", true), ("http://[fe80::1]", "fe80::1", false),
      ("http://a.test", "fd00:ec2::254", true), ("http://a.test", "10.0.0.1", false),
      ("http://a.test", "fec0::1", false),
    ] as [(String, String, Bool)])
  func `a link-local or metadata address is refused unless the origin names it`(
    origin: String, address: String, isRefused: Bool
  ) throws {
    let refusal = try UpstreamOrigin(origin).refusal(of: SocketAddress(host: address, port: 80))
    #expect((refusal != nil) == isRefused)
  }

  @Test func `hop-by-hop fields are not forwarded, and Accept-Encoding lists only codings that can be decoded`() throws
  {
    let request = HTTPRequest(
      method: .post, target: try #require(HTTPTarget("/a?b=c")),
      headers: [
        ("host", "127.0.0.1:8080"), ("X-One", "1"), ("Accept-Encoding", "compress, gzip;q=0.9, dcb"),
        ("Connection", "x-two"),
        ("X-Two", "2"), ("Origin", "http://127.0.0.1:8080"), ("Referer", "http://127.0.0.1:8080/p"),
        ("Expect", "100-continue"), ("X-Mock-Session", "s"), ("Transfer-Encoding", "chunked"), ("x-one", "3"),
      ], body: Array("hi".utf8))
    let message = UpstreamRequest(request, to: try UpstreamOrigin("https://a.test"), base: "http://127.0.0.1:8080")
    #expect(
      String(decoding: message.bytes, as: UTF8.self) == """
        POST /a?b=c HTTP/1.1\r
        host: a.test\r
        X-One: 1\r
        Accept-Encoding: gzip;q=0.9\r
        Origin: https://a.test\r
        Referer: https://a.test/p\r
        x-one: 3\r
        Content-Length: 2\r
        \r
        hi
        """)
    #expect(message.recorded.headers["Accept-Encoding"] == "compress, gzip;q=0.9, dcb")
    #expect(message.recorded.headers["X-Mock-Session"] == nil)
  }
}
