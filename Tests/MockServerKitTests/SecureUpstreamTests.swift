import CassetteHTTP
import Cassettes
import Foundation
import MockServerSockets
import ServerTestSupport
import TestSupport
import Testing

@testable import MockServerKit
@testable import MockServerUpstream

/// TLS to an upstream, with the `openssl` program as the origin.
///
/// Skipped if `openssl` is not installed.
@Suite(.enabled(if: OpenSSLServer.isInstalled, "the openssl program is not installed"))
struct SecureUpstreamTests {
  private func ask(
    _ server: OpenSSLServer, host: String = "localhost", trusting authority: String? = nil, isInsecure: Bool = false,
    identity: TLSContext.Identity? = nil
  ) throws -> (answer: WireClient.Answer, cassette: [Interaction]) {
    let context = try TLSContext(trusting: authority, identity: identity, isInsecure: isInsecure)
    let upstream = try UpstreamOrigin("https://\(host):\(server.port)")
    let served = try Served { configuration in
      var settings = RecordingSettings(upstream: upstream, cassette: "\(configuration.cassettes[0])/a.json")
      settings.secure = { descriptor, host throws(SecurityError) in try context.connect(descriptor, to: host) }
      configuration.recording = settings
    }
    let answer = try served.ask("GET /")
    served.server.stop()
    _ = try served.server.saveRecording()
    let path = "\(served.folder)/a.json"
    guard FileManager.default.fileExists(atPath: path) else { return (answer, []) }
    return (answer, try CassetteFile.read(path: path).interactions)
  }

  @Test(arguments: ["localhost", "127.0.0.1"])
  func `a trusted upstream with the right name is recorded`(host: String) throws {
    let server = try OpenSSLServer()
    let (answer, interactions) = try ask(server, host: host, trusting: server.authority)
    #expect(answer.status == 200)
    #expect(answer.text.contains("s_server"))
    #expect(try interactions.first?.responseBody?.bytes().isEmpty == false)
  }

  @Test func `an upstream that is not trusted is answered with 502 and the option --ca`() throws {
    let server = try OpenSSLServer()
    let (answer, interactions) = try ask(server)
    #expect(answer.status == 502)
    #expect(answer.text.contains("is not trusted"))
    #expect(answer.text.contains("--ca FILE"))
    #expect(interactions.isEmpty)
  }

  @Test func `an upstream with a certificate for another name is answered with 502`() throws {
    let server = try OpenSSLServer(names: "DNS:elsewhere.test")
    let answer = try ask(server, trusting: server.authority).answer
    #expect(answer.status == 502)
    #expect(answer.text.lowercased().contains("mismatch"))
  }

  @Test func `with isInsecure, an upstream with any certificate is accepted`() throws {
    let server = try OpenSSLServer(names: "DNS:elsewhere.test")
    #expect(try ask(server, isInsecure: true).answer.status == 200)
  }

  @Test func `an upstream that requires a client certificate receives it`() throws {
    let server = try OpenSSLServer(asksClients: true)
    let identity = TLSContext.Identity(certificate: server.certificate, key: server.key)
    #expect(try ask(server, trusting: server.authority, identity: identity).answer.status == 200)
    #expect(try ask(server, trusting: server.authority).answer.status == 502)
  }

  @Test func `UpstreamCaller uses TLS and verifies the certificate`() throws {
    let server = try OpenSSLServer()
    let request = HTTPRequest(target: try #require(HTTPTarget("/")))
    func caller(trusting authority: String?) throws -> UpstreamCaller {
      let context = try TLSContext(trusting: authority)
      return UpstreamCaller(to: try UpstreamOrigin("https://localhost:\(server.port)"), isNamed: true) {
        descriptor, host throws(SecurityError) in try context.connect(descriptor, to: host)
      }
    }
    let answer = try caller(trusting: server.authority).ask(request)
    #expect(answer.response.status == 200)
    #expect(String(decoding: try answer.response.body?.bytes() ?? [], as: UTF8.self).contains("s_server"))
    let failure = #expect(throws: UpstreamCaller.Failure.self) { try caller(trusting: nil).ask(request) }
    #expect(failure?.description.contains("--ca FILE") == true)
  }

  @Test func `a CA file without a certificate is named in the error`() throws {
    let error = #expect(throws: SecurityError.self) { try TLSContext(trusting: "/dev/null") }
    #expect(error?.description.contains("/dev/null does not contain a PEM certificate") == true)
  }
}

/// `openssl s_server` on a free port, with its own authority and certificate.
private final class OpenSSLServer {
  private static let program = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl"]
    .first(where: FileManager.default.isExecutableFile(atPath:))

  static var isInstalled: Bool { program != nil }

  let port: Int
  let authority: String
  let certificate: String
  let key: String
  private let process: ChildProcess
  private let folder: URL

  init(names: String = "DNS:localhost,IP:127.0.0.1", asksClients: Bool = false) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    authority = folder.appending(path: "ca.pem").path
    certificate = folder.appending(path: "cert.pem").path
    key = folder.appending(path: "key.pem").path
    let new = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    let authorityKey = folder.appending(path: "ca.key").path
    try Self.run(
      ["req", "-x509"] + new + ["-keyout", authorityKey, "-out", authority, "-subj", "/CN=an authority", "-days", "2"])
    let wish = folder.appending(path: "wish.pem").path
    try Self.run(["req"] + new + ["-keyout", key, "-out", wish, "-subj", "/CN=a server"])
    let extensions = folder.appending(path: "extensions").path
    try Data("subjectAltName=\(names)".utf8).write(to: URL(filePath: extensions))
    try Self.run([
      "x509", "-req", "-in", wish, "-CA", authority, "-CAkey", authorityKey, "-set_serial", "1", "-out", certificate,
      "-days", "2", "-extfile", extensions,
    ])
    process = try ChildProcess(
      Self.program ?? "",
      ["s_server", "-www", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key]
        + (asksClients ? ["-Verify", "1", "-verify_return_error", "-CAfile", authority] : []))
    // The line "ACCEPT 127.0.0.1:40123" contains the port.
    var text = ""
    while !text.contains(where: \.isNewline) || !text.contains("ACCEPT") {
      let more = process.nextOutput()
      if more.isEmpty { break }
      text += String(decoding: more, as: UTF8.self)
    }
    let line = text.split(whereSeparator: \.isNewline).first { $0.hasPrefix("ACCEPT") }
    port = try #require(line?.split(separator: ":").last.flatMap { Int($0) })
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private static func run(_ arguments: [String]) throws {
    try #require(try ChildProcess.run(program ?? "", arguments).status == 0)
  }
}
