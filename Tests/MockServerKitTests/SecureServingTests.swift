import Foundation
import MockServerSockets
import TestSupport
import Testing

@testable import CassetteRecording
@testable import MockServerKit
@testable import MockServerUpstream

/// A server with TLS, tested with curl.
@Suite(.enabled(if: Curl.isInstalled, "curl is not installed"))
struct SecureServingTests {
  private let certificates: Certificates

  init() throws { certificates = try Certificates() }

  private static let recordings = [
    Served.recording(
      "GET /a", "see https://api.example.com/b", headers: [("Content-Type", "text/plain")]),
    Served.recording("GET /b", "b"),
  ]

  private func served(
    _ kind: LoopKind = .platform, asksClients: Bool = false,
    _ configure: (inout MockServer.Configuration) -> Void = { _ in }
  ) throws -> Served {
    let security = try certificates.security(asksClients: asksClients)
    return try Served(kind, Self.recordings, origin: "https://api.example.com") {
      $0.security = security
      configure(&$0)
    }
  }

  private func local(_ served: Served, _ path: String) -> String {
    served.url.replacing("127.0.0.1", with: "localhost") + path
  }

  @Test(arguments: LoopKind.allCases)
  func `a client that trusts the authority is answered, with links to this server`(kind: LoopKind) throws {
    let served = try served(kind)
    #expect(served.url.hasPrefix("https://127.0.0.1:"))
    let result = try Curl.run("--cacert", certificates.authority, local(served, "/a"))
    #expect(result.code == 0)
    #expect(result.text == "see \(local(served, "/b"))")
  }

  @Test func `a client that does not trust the authority fails, and the reason is reported once`() throws {
    let served = try served()
    for _ in 0..<2 { #expect(try Curl.run(local(served, "/a")).code == 60) }
    let reason = "a client does not trust the certificate of this server: unknown ca"
    #expect(served.tells(of: "handshake-refused", reason))
    #expect(try Curl.run("--cacert", certificates.authority, local(served, "/b")).text == "b")
    #expect(served.count(of: "handshake-refused", reason) == 1)
  }

  @Test func `the pin of the server is the pin that clients compute`() throws {
    let served = try served()
    let pin = try #require(try certificates.security().pin)
    let other = try #require(try Certificates().security().pin)
    func code(_ pin: String) throws -> Int32 {
      try Curl.run("--cacert", certificates.authority, "--pinnedpubkey", pin, local(served, "/b")).code
    }
    #expect(try code(pin) == 0)
    #expect(try code(other) == 90)
  }

  @Test func `a client that uses another host name receives a certificate for it with the same pin`() throws {
    let folder = try ScratchFolder()
    let security = try ServingSecurity(selfSignedFor: "127.0.0.1", keptIn: folder.path)
    let served = try served { $0.security = security }
    let address = served.url.replacing("https://", with: "")
    func ask(_ host: String) throws -> Curl.Result {
      try Curl.run(
        "--cacert", security.trusted ?? "", "--pinnedpubkey", security.pin ?? "", "--connect-to",
        "\(host):443:\(address)",
        "https://\(host)/a")
    }
    for host in ["api.example.com", "API.example.com", "localhost", "one.more.test"] {
      #expect(try ask(host).text == "see https://\(host)/b")
    }
  }

  @Test(arguments: LoopKind.allCases)
  func `with client authentication, only certificates of the authority are accepted`(kind: LoopKind) throws {
    let served = try served(kind, asksClients: true)
    func ask(_ certificate: String?) throws -> Curl.Result {
      if let certificate {
        return try Curl.run(
          "--cacert", certificates.authority, "--cert", certificate, "--key", certificate, local(served, "/b"))
      }
      return try Curl.run("--cacert", certificates.authority, local(served, "/b"))
    }
    #expect(try ask(certificates.client).text == "b")
    let nobody = try ask(nil)
    #expect(nobody.code != 0 && nobody.output.isEmpty)
    #expect(nobody.error.contains("certificate required"))
    #expect(served.tells(of: "handshake-refused", "a client did not send a certificate"))
    let stranger = try ask(certificates.stranger)
    #expect(stranger.code != 0 && stranger.output.isEmpty)
    #expect(served.tells(of: "handshake-refused", "the certificate of a client is not trusted"))
    #expect(try ask(certificates.client).text == "b")
  }

  @Test(arguments: ["1.2", "1.3"])
  func `TLS 1.2 and 1.3 are supported, with HTTP 1.1 by ALPN`(version: String) throws {
    let served = try served()
    let result = try Curl.run(
      "-v", "--cacert", certificates.authority, "--tlsv\(version)", "--tls-max", version, local(served, "/b"))
    #expect(result.text == "b")
    #expect(result.error.contains("TLSv\(version)"))
    #expect(result.error.contains("accepted http/1.1") || !result.error.contains("ALPN"))
  }

  @Test func `two requests share one TLS connection`() throws {
    let served = try served()
    let result = try Curl.run(
      "--cacert", certificates.authority, "-o", "/dev/null", "-o", "/dev/null", "-w", "%{http_code} %{num_connects}\n",
      local(served, "/a"), local(served, "/b"))
    #expect(result.text == "200 1\n200 0\n")
  }

  @Test(arguments: LoopKind.allCases)
  func `a body of twenty megabytes is sent unchanged over TLS`(kind: LoopKind) throws {
    var body = [UInt8](repeating: 0, count: 20 << 20)
    // No two records are equal, so that a lost or repeated record is noticed.
    for index in stride(from: 0, to: body.count, by: 509) { body[index] = UInt8(truncatingIfNeeded: index / 509) }
    let served = try served(kind) { configuration in
      let folder = URL(filePath: "\(configuration.cassettes[0])/fixtures")
      try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try? Data(body).write(to: folder.appending(path: "big.bin"))
    }
    let result = try Curl.run("--cacert", certificates.authority, local(served, "/big.bin"))
    #expect(result.output.count == body.count)
    #expect(result.output == body)
  }

  @Test func `64 concurrent TLS connections are served`() throws {
    let served = try served()
    let result = try Curl.run(
      "--cacert", certificates.authority, "--parallel", "--parallel-immediate", "--parallel-max", "64", "-o",
      "/dev/null", "-w", "%{http_code}\n", local(served, "/b?[1-256]"))
    // The recording has no query, so that every request is a miss with an answer.
    #expect(result.text.split(separator: "\n").count(where: { $0 == "404" }) == 256)
  }

  @Test(arguments: LoopKind.allCases)
  func `plain HTTP on a TLS port is answered with 400 and the https URL`(kind: LoopKind) throws {
    let served = try served(kind)
    let result = try Curl.run("-i", served.url.replacing("https", with: "http") + "/a")
    #expect(result.text.hasPrefix("HTTP/1.1 400 Bad Request"))
    #expect(result.text.contains("this port requires TLS: use \(served.url)"))
    #expect(served.tells(of: "handshake-refused", "a client sent HTTP without TLS; use https://"))
  }

  @Test func `a recorder with TLS records an upstream over TLS`() throws {
    let origin = try served()
    let upstream = try UpstreamOrigin(local(origin, ""))
    let (security, trust) = (try certificates.security(), try certificates.trust())
    let recorder = try Served { configuration in
      var settings = RecordingSettings(upstream: upstream, cassette: "\(configuration.cassettes[0])/a.json")
      settings.secure = { descriptor, host throws(SecurityError) in try trust.connect(descriptor, to: host) }
      configuration.recording = settings
      configuration.security = security
    }
    let result = try Curl.run("--cacert", certificates.authority, local(recorder, "/a"))
    #expect(result.text == "see \(local(recorder, "/b"))")
    recorder.server.stop()
    let changes = try recorder.server.saveRecording()?.changes
    #expect(changes?.added == ["GET /a"])
  }
}
