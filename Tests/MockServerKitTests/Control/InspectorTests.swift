import CassetteHTTP
import Foundation
import ServerTestSupport
import Testing

@testable import MockServerControl
@testable import MockServerKit

/// The files of the inspector, access to them, and logins.
@Suite struct InspectorTests {
  private static func served(_ configure: (inout MockServer.Configuration) -> Void = { _ in }) throws -> Served {
    try Served(.platform, [Served.recording("GET /a", "a")], configure)
  }

  @Test func `each file of the inspector has a strict Content-Security-Policy and the right media type`() throws {
    let served = try Self.served()
    var size = 0
    for file in ControlAPI.PageFile.allCases {
      let answer = try served.inspect("GET \(file.rawValue)")
      #expect(answer.status == 200 && answer.headers["Content-Type"] == file.mediaType)
      let policy = try #require(answer.headers["Content-Security-Policy"])
      #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
      #expect(!policy.contains("unsafe") && !policy.contains("http") && !policy.contains("*"))
      #expect(answer.headers["X-Content-Type-Options"] == "nosniff" && answer.headers["X-Frame-Options"] == "DENY")
      size += answer.body.count
    }
    #expect((2_000..<150_000).contains(size), "\(size) bytes")
  }

  @Test func `the inspector's files load nothing from other hosts and build no markup from text`() throws {
    for file in ControlAPI.PageFile.allCases {
      let text = String(decoding: file.bytes, as: UTF8.self)
      let links = text.matches(of: /https?:\/\/[^\s"'`<>)\\$]+/).map { String($0.output) }
      // Names of XML vocabularies are not requested; the sample origin is only displayed.
      #expect(links.allSatisfy { $0 == "https://api.example.com" }, "\(file): \(links)")
      #expect(!text.contains("<script>") && !text.contains(" style=\"") && !text.contains(" onclick="))
      for name in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"] {
        #expect(!text.contains(name), "\(file): \(name)")
      }
    }
  }

  @Test func `the inspector's script calls only routes of the control API`() throws {
    let script = String(decoding: ControlAPI.PageFile.script.bytes, as: UTF8.self)
    let known = ControlRoutes.all.map { $0.path.dropFirst("/__mock/".count).prefix { $0 != "{" && $0 != "/" } }
    let asked = script.matches(of: /"(GET|POST|PUT|DELETE)", ?[`"]([a-z.]+)/).map { String($0.output.2) }
    #expect(!asked.isEmpty || script.count < 100)
    // The script calls `resources` only if the OpenAPI document has the route.
    for name in asked where name != "resources" { #expect(known.contains { $0 == name }, "\(name)") }
  }

  @Test func `the inspector refuses frames and pages of other origins, and opens when a link is followed`() throws {
    let served = try Self.served()
    let visit: HTTPHeaders = [
      "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document",
    ]
    #expect(try served.inspect("GET /__mock/", visit).status == 200)
    #expect(try served.inspect("GET /__mock/journal", visit).status == 403)
    let frame: HTTPHeaders = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"]
    #expect(try served.inspect("GET /__mock/", frame).status == 403)
    #expect(try served.inspect("GET /__mock/", ["Origin": "https://evil.example"]).status == 403)
    #expect(try served.inspect("GET /__mock/", ["Host": "evil.example"]).status == 403)
  }

  @Test func `a visit of the server's port is redirected to the inspector's port under the same host name`() throws {
    let served = try Self.served()
    let port = try served.inspector.split(separator: ":").last ?? ""
    let visit: HTTPHeaders = [
      "Host": "localhost:1", "Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document",
    ]
    let answer = try served.ask("GET /__mock/journal?path=/a", visit)
    #expect(answer.status == 302 && answer.headers["Location"] == "http://localhost:\(port)/__mock/journal?path=/a")
    #expect(try served.ask("GET /__mock/", ["Host": "[::1]:1"]).headers["Location"] == "http://[::1]:\(port)/__mock/")
    #expect(try served.ask("GET /__mock/", ["Host": "evil.example"]).status == 403)
  }

  @Test func `the inspector's port accepts requests of its own page, and refuses pages of other origins`() throws {
    let served = try Self.served()
    let own = try served.inspector
    let host = String(own.dropFirst("http://".count))
    for (name, value, status) in [
      ("Origin", own, 200), ("Referer", "\(own)/__mock/", 200), ("Sec-Fetch-Site", "same-origin", 200),
      ("Sec-Fetch-Site", "none", 200), ("Sec-Fetch-Site", "same-site", 403), ("Sec-Fetch-Site", "cross-site", 403),
      ("Origin", served.url, 403), ("Referer", "\(served.url)/a", 403), ("Origin", "null", 403),
      ("Origin", "http://evil/\(host)", 403), ("Origin", "http://evil.example", 403),
    ] {
      let answer = try served.inspect("GET /__mock/journal", HTTPHeaders([("Host", host), (name, value)]))
      #expect(answer.status == status, "\(name): \(value)")
    }
  }

  @Test(arguments: LoopKind.allCases)
  func `the inspector's port serves no recordings`(kind: LoopKind) throws {
    let served = try Served(kind, [Served.recording("GET /a", "a"), Served.recording("GET /__mock", "b")])
    let client = try WireClient(served.inspector)
    #expect(try client.ask("GET /a").status == 404)
    #expect(try client.ask("GET /__mock").status == 404)
    #expect(try served.ask("GET /a").text == "a")
    #expect(try client.ask("GET /__mock/health").status == 200)
    #expect(try served.admin("journal")["requests"] as? Int == 1)
  }

  @Test func `without a token no inspector listens on an address of other machines`() throws {
    let served = try Self.served { $0.host = "0.0.0.0" }
    #expect(served.inspectorPort == nil)
    #expect(throws: Never.self) { try Self.served { ($0.host, $0.admin) = ("0.0.0.0", .token("t")) }.inspector }
  }

  @Test func `a login with the token sets a cookie that is valid at the inspector's port until the logout`() throws {
    let served = try Self.served { $0.admin = .token("t0ken") }
    #expect(try served.inspect("GET /__mock/").status == 200)
    #expect(try served.inspect("GET /__mock/journal").status == 401)
    #expect(try served.steer("POST login", "{\"token\":\"guess\"}").status == 403)
    let answer = try served.steer("POST login", "{\"token\":\"t0ken\"}")
    let cookie = try #require(answer.headers["Set-Cookie"])
    #expect(answer.status == 200 && cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
    #expect(cookie.contains("Path=/__mock/") && !cookie.contains("t0ken"))
    let pair = try #require(cookie.split(separator: ";").first.map(String.init))
    let own: HTTPHeaders = ["Cookie": "other=1; \(pair)"]
    #expect(try served.inspect("GET /__mock/journal", own).status == 200)
    // Browsers send the cookie to the server's port, too, with the requests of recorded pages.
    #expect(try served.ask("GET /__mock/journal", own).status == 401)
    #expect(try served.inspect("GET /__mock/journal", ["Cookie": "\(pair)0"]).status == 401)
    let json: HTTPHeaders = ["Cookie": pair, "Content-Type": "application/json"]
    #expect(try served.inspect("POST /__mock/logout", json, body: "{}").status == 200)
    #expect(try served.inspect("GET /__mock/journal", own).status == 401)
  }

  @Test func `a login is refused if no token is required, or if its body is not JSON`() throws {
    let served = try Self.served()
    #expect(try served.steer("POST login", "{\"token\":\"x\"}").status == 409)
    let other = try Self.served { $0.admin = .token("t0ken") }
    #expect(
      try other.ask("POST /__mock/login", ["Content-Type": "text/plain"], body: "{\"token\":\"t0ken\"}").status == 415)
  }

  @Test func `a follower with a limited rate receives the number of events that were left out`() throws {
    let served = try Self.served { $0.loops = 1 }
    let follower = try served.client()
    follower.request("GET /__mock/journal?follow=true&rate=10")
    #expect(try follower.reads(until: "text/event-stream"))
    let client = try served.client()
    for _ in 0..<200 { #expect(try client.ask("GET /a").status == 200) }
    #expect(try follower.reads(until: "event: lost"))
  }
}
