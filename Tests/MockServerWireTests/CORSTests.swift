import CassetteHTTP
import MockServerWire
import Testing

@Suite struct `Cross-origin requests` {
  @Test(
    arguments: [
      ("http://localhost:3000", "http://localhost:3000", true), ("http://LOCALHOST", "http://localhost", true),
      ("https://localhost:443", "https://localhost", true), ("http://localhost:80", "http://localhost", true),
      ("http://localhost:443", "http://localhost:443", true), ("http://app.localhost:5173", nil, true),
      ("http://127.0.0.1:8080", nil, true), ("http://127.1.2.3", nil, true), ("https://[::1]:3000", nil, true),
      ("https://staging.example", nil, false), ("http://192.168.0.7:3000", nil, false), ("http://[::2]", nil, false),
      ("http://127.0.0.1.evil.example", nil, false), ("http://127.evil.example", nil, false),
      ("http://localhost.evil.example", nil, false), ("http://notlocalhost", nil, false),
      ("http://0.0.0.0", nil, false), ("http://localhost.:3000", nil, true),
      ("http://127.0.0.256", nil, false), ("http://127.0.1", nil, false),
    ] as [(String, String?, Bool)])
  func `an origin is normalized, and a loopback host is recognized`(text: String, canonical: String?, isLoopback: Bool)
    throws
  {
    let origin = try #require(WebOrigin(text))
    #expect(origin.description == canonical ?? text)
    #expect(origin.isLoopback == isLoopback)
  }

  @Test(arguments: [
    "", "null", "*", "localhost:3000", "http://", "http://:80", "ftp://localhost", "file://", "http://localhost/",
    "http://localhost/a", "http://me@localhost", "http://localhost@evil.example", "http://localhost:", "http://a:b",
    "http://localhost:+80",
    "http://localhost:65536", "http://localhost:3000, http://evil.example", "http://a b", "http://[::1", "http://[a/b]",
    "capacitor://localhost", "http://localhost\\@evil.example", "http://localhost%2eevil.example", "http://löcalhost",
  ])
  func `a string that is not a web origin is granted nothing`(text: String) throws {
    #expect(WebOrigin(text) == nil)
    #expect(try CORSPolicy().grant(for: page(text)) == nil)
  }

  private func page(_ origin: String?, _ method: HTTPMethod = .get, _ more: HTTPHeaders = [:]) throws -> HTTPRequest {
    var headers = more
    if let origin { headers.append("Origin", origin) }
    return HTTPRequest(method: method, target: try #require(HTTPTarget("/a")), headers: headers)
  }

  @Test func `only a loopback or a named origin is granted access`() throws {
    var named = CORSPolicy.recorded
    named.named = [try #require(WebOrigin("https://staging.example"))]
    let origins = ["http://localhost:3000", "https://staging.example", "https://evil.example", nil]
    func granted(_ policy: CORSPolicy) throws -> [Bool] { try origins.map { policy.grant(for: try page($0)) != nil } }
    #expect(try granted(CORSPolicy()) == [true, false, false, false])
    #expect(try granted(.recorded) == [false, false, false, false])
    #expect(try granted(named) == [false, true, false, false])
  }

  @Test func `a grant replaces recorded CORS fields and exposes every header field with credentials`() throws {
    let grant = try #require(CORSPolicy().grant(for: page("http://localhost:3000")))
    let recorded: HTTPHeaders = [
      ("Link", "<a>"), ("access-control-allow-origin", "https://app.example"), ("X-Total", "2"), ("link", "<b>"),
      ("Access-Control-Expose-Headers", "ETag"), ("Set-Cookie", "a=b"), ("Vary", "Accept"),
      ("Access-Control-Max-Age", "5"),
    ]
    #expect(
      grant.applied(to: recorded) == [
        ("Link", "<a>"), ("X-Total", "2"), ("link", "<b>"), ("Set-Cookie", "a=b"), ("Vary", "Accept"),
        ("Access-Control-Allow-Origin", "http://localhost:3000"), ("Access-Control-Allow-Credentials", "true"),
        ("Access-Control-Expose-Headers", "Link, X-Total, Vary, Date"), ("Vary", "Origin"),
      ])
    #expect(grant.preflight == nil)
  }

  @Test(arguments: ["*", "origin", "Accept, Origin"])
  func `a Vary field that covers Origin is unchanged`(vary: String) throws {
    let grant = try #require(CORSPolicy().grant(for: page("http://localhost:3000")))
    #expect(grant.applied(to: ["Vary": vary]).values(of: "Vary") == [vary])
  }

  @Test func `a preflight is granted the requested method and header fields`() throws {
    let asked: HTTPHeaders = [
      ("Access-Control-Request-Method", "PURGE"), ("Access-Control-Request-Headers", "authorization,x-a"),
      ("Access-Control-Request-Private-Network", "true"),
    ]
    let grant = try #require(CORSPolicy().grant(for: page("http://[::1]:5173", .options, asked)))
    let preflight = try #require(grant.preflight)
    #expect(preflight.status == 204)
    let headers = grant.applied(to: preflight.headers)
    #expect(headers.members(of: "Access-Control-Allow-Methods").contains("PURGE"))
    #expect(headers.members(of: "Access-Control-Allow-Methods").contains("DELETE"))
    #expect(headers["Access-Control-Allow-Headers"] == "authorization,x-a")
    #expect(headers["Access-Control-Allow-Private-Network"] == "true")
    #expect(headers["Access-Control-Allow-Origin"] == "http://[::1]:5173")
    #expect(headers["Access-Control-Allow-Credentials"] == "true")
    #expect(headers["Access-Control-Expose-Headers"] == nil)
    #expect(headers.members(of: "Vary").contains("Origin"))
  }

  @Test func `a preflight is granted a private network only if it requests one`() throws {
    let grant = try #require(
      CORSPolicy().grant(for: page("http://localhost", .options, ["Access-Control-Request-Method": "GET"])))
    #expect(grant.preflight?.headers.contains("Access-Control-Allow-Private-Network") == false)
    // An OPTIONS request without Access-Control-Request-Method is not a preflight.
    #expect(try CORSPolicy().grant(for: page("http://localhost", .options))?.preflight == nil)
  }
}
