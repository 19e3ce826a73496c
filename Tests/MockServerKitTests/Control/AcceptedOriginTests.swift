import CassetteHTTP
import CassetteSystem
import Foundation
import MockServerSockets
import MockServerUpstream
import ServerTestSupport
import TestSupport
import Testing

@testable import MockServerKit

/// The origins that `accept` sends requests to: a caller can only choose among origins that the user named.
@Suite struct AcceptedOriginTests {
  /// Starts a server with one cassette, and sends it a request that misses, `/new` by default.
  private func served(
    origin: String?, asked line: String = "GET /new", _ headers: HTTPHeaders = [:], body: String = "",
    _ configure: (inout MockServer.Configuration) -> Void = { _ in }
  ) throws -> Served {
    let served = try Served(
      .platform, ["test.json": Served.cassette([Served.recording("GET /a", "first")], origin: origin)], configure)
    #expect(try served.ask(line, headers, body: body).status == 404)
    return served
  }

  private func accept(_ served: Served, _ origin: String) throws -> WireClient.Answer {
    try served.steer(
      "POST journal/1/accept", "{\"how\":\"upstream\",\"origin\":\"\(origin)\",\"cassette\":\"test\"}")
  }

  @Test func `accept sends no request to an origin that only the caller names`() throws {
    let live = try Served(.platform, [Served.recording("GET /new", "live")])
    let served = try served(origin: nil)
    let refused = try accept(served, live.url)
    #expect(refused.status == 403 && refused.text.contains("start the server with --origin \(live.url)"))
    #expect(try live.told("GET health")["requests"] as? Int == 0)
    #expect(try String(contentsOfFile: "\(served.folder)/test.json", encoding: .utf8).contains("new") == false)
  }

  @Test func `accept sends a request with its credentials to an origin of the command line`() throws {
    let live = try Served(.platform, [Served.recording("GET /new", "live")])
    let served = try served(origin: nil, ["Authorization": "Bearer s3cr3t-of-mine-0123456789"]) {
      $0.origins = [try! UpstreamOrigin(live.url)]
    }
    #expect(try accept(served, live.url).status == 200)
    #expect(try live.told("GET health")["requests"] as? Int == 1)
    // A cassette without an origin stores paths, not whole URLs.
    let text = try String(contentsOfFile: "\(served.folder)/test.json", encoding: .utf8)
    #expect(text.contains("\"url\": \"/new\"") && !text.contains("s3cr3t"), "\(text)")
  }

  @Test func `an origin in a stub that a caller saved is not trusted`() throws {
    let live = try Served(.platform, [Served.recording("GET /new", "live")])
    let served = try served(origin: nil) { $0.watches = true }
    let stub = "{\"request\":{\"method\":\"GET\",\"url\":\"\(live.url)/b\"},\"response\":{\"status\":200}}"
    #expect(try served.steer("POST interactions", stub).status == 201)
    #expect(try served.steer("POST interactions/save", "{\"cassette\":\"other\"}").status == 200)
    #expect(try served.steer("GET health?generation=2&seconds=60").status == 200)
    #expect(try accept(served, live.url).status == 403)
    #expect(try live.told("GET health")["requests"] as? Int == 0)
  }

  @Test(arguments: [
    ("GET /new", "Authorization: Bearer s3cr3t-of-mine-0123456789", ""),
    ("GET /new", "Cookie: session=0123456789abcdef", ""),
    ("GET /new?access_token=s3cr3t-of-mine-0123456789", "Accept: */*", ""),
    ("POST /new", "Content-Type: application/json", "{\"password\":\"s3cr3t-of-mine\"}"),
  ])
  func `a request with credentials is sent only to the origin of its own cassette`(
    line: String, field: String, body: String
  ) throws {
    let live = try Served(.platform, [Served.recording("GET /x", "live")])
    let other = Served.cassette([Served.recording("GET /x", "x")], origin: live.url)
    let served = try Served(
      .platform,
      ["test.json": Served.cassette([Served.recording("GET /a", "a")], origin: "https://a.test"), "other.json": other])
    let parts = field.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(try served.ask(line, HTTPHeaders([(parts[0], parts[1])]), body: body).status == 404)
    let refused = try accept(served, live.url)
    #expect(refused.status == 403 && refused.text.contains("credentials"), "\(refused.text)")
    #expect(try live.told("GET health")["requests"] as? Int == 0)
  }

  /// Returns a lookup that resolves every name to one address, as a caller's own name server could.
  private static func leading(to host: String) -> Resolver.LookUp {
    { _, port in ((try? SocketAddress(host: host, port: port)).map { [$0] } ?? [], 0) }
  }

  @Test(arguments: [
    "169.254.169.254", "::ffff:169.254.169.254", "fe80::1", "fd00:ec2::254", "100.100.100.200", "64:ff9b::a9fe:a9fe",
    "2002:a9fe:a9fe::1", "168.63.129.16",
  ])
  func `an origin whose name resolves to a link-local or metadata address is refused`(address: String) throws {
    for named in [false, true] {
      let served = try served(origin: "http://rebound.test") {
        $0.lookUp = Self.leading(to: address)
        if named { $0.origins = [try! UpstreamOrigin("http://rebound.test")] }
      }
      let refused = try accept(served, "http://rebound.test")
      #expect(refused.status == 409 && refused.text.contains("metadata"), "\(refused.text)")
    }
  }

  @Test(arguments: ["http://169.254.169.254", "http://[::ffff:a9fe:a9fe]", "http://[fe80::1]"])
  func `a link-local or metadata address as the origin of a cassette is refused`(origin: String) throws {
    let refused = try accept(try served(origin: origin), origin)
    #expect(refused.status == 409 && refused.text.contains("metadata"), "\(refused.text)")
  }

  @Test func `accept refuses an origin whose name resolves to the server itself`() throws {
    let port = Locked(0)
    let served = try served(origin: "http://rebound.test") {
      $0.lookUp = { _, _ in
        ((try? SocketAddress(host: "127.0.0.1", port: port.withLock { $0 })).map { [$0] } ?? [], 0)
      }
    }
    port.withLock { $0 = Int(served.url.split(separator: ":").last ?? "") ?? 0 }
    let refused = try accept(served, "http://rebound.test")
    #expect(refused.status == 409 && refused.text.contains("this server itself"), "\(refused.text)")
  }
}
