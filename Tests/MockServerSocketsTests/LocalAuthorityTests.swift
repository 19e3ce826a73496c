import CassetteSystem
import Foundation
import Testing

@testable import MockServerSockets

/// The local certificate authority and the folder of its files.
@Suite(.enabled(if: (try? OpenSSL.shared.get()) != nil, "OpenSSL is not installed"))
final class LocalAuthorityTests {
  private let scratch = FileManager.default.temporaryDirectory.appending(path: "authority-\(UUID())")
  private let folder: String

  init() { folder = scratch.path + "/a/b" }

  deinit { try? FileManager.default.removeItem(at: scratch) }

  private func mode(_ name: String) -> mode_t {
    var status = stat()
    return stat("\(folder)/\(name)", &status) == 0 ? status.st_mode & 0o777 : 0
  }

  private func pin(_ hosts: [String]) throws -> String? {
    try LocalAuthority.kept(in: folder).authority.keptCertificate(for: hosts, in: folder, clientAuthorities: nil).pin
  }

  @Test func `an authority is created once, and its keys are readable only by their owner`() throws {
    let (authority, trusted) = try LocalAuthority.kept(in: folder)
    _ = try authority.keptCertificate(for: ["localhost"], in: folder, clientAuthorities: nil)
    let client = try authority.keptClient(in: folder)
    #expect(trusted == "\(folder)/ca.pem")
    #expect(client == "\(folder)/client.pem")
    #expect(mode("authority.pem") == 0o600 && mode("server.pem") == 0o600 && mode("client.pem") == 0o600)
    #expect(mode("") == 0o700)
    #expect(!String(decoding: authority.text, as: UTF8.self).contains("PRIVATE KEY"))
    let again = try LocalAuthority.kept(in: folder).authority
    #expect(again.text == authority.text)
    #expect(again.secretText == authority.secretText)
  }

  @Test func `a certificate for other hosts keeps its pin`() throws {
    let first = try #require(try pin(["localhost"]))
    let files = try PrivateFolder(folder)
    let certificate = try files.read("server.pem")
    #expect(try pin(["localhost"]) == first)
    #expect(try files.read("server.pem") == certificate)
    #expect(try pin(["localhost", "example.test", "::1"]) == first)
    #expect(try files.read("server.pem") != certificate)
    #expect(first.hasPrefix("sha256//"))
    #expect(first.utf8.count == "sha256//".utf8.count + 44)
  }

  @Test func `an authority near its expiry is replaced together with its certificates`() throws {
    let files = try PrivateFolder(folder)
    let old = try LocalAuthority(name: "old", days: LocalAuthority.spareDays - 1)
    try files.write(old.secretText, to: "authority.pem", isSecret: true, replaces: true)
    _ = try old.keptCertificate(for: ["localhost"], in: folder, clientAuthorities: nil)
    let certificate = try files.read("server.pem")
    let (new, _) = try LocalAuthority.kept(in: folder)
    #expect(new.text != old.text)
    #expect(try files.read("ca.pem") == new.text)
    _ = try new.keptCertificate(for: ["localhost"], in: folder, clientAuthorities: nil)
    #expect(try files.read("server.pem") != certificate)
  }

  @Test func `eight tasks that create an authority at the same time get the same one`() async throws {
    let folder = folder
    let texts = try await withThrowingTaskGroup { group in
      for _ in 0..<8 { group.addTask { try LocalAuthority.kept(in: folder).authority.text } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(texts.count == 1)
  }

  @Test func `a file that is not an authority is named in the error and left unchanged`() throws {
    let files = try PrivateFolder(folder)
    try files.write(Array("mine".utf8), to: "authority.pem", isSecret: true, replaces: false)
    let error = #expect(throws: SecurityError.self) { try LocalAuthority.kept(in: folder) }
    #expect(error?.description.hasPrefix("\(folder)/authority.pem has no key for its certificate") == true)
    #expect(try files.read("authority.pem") == Array("mine".utf8))
  }

  @Test(arguments: [("authority.pem", 0o666), ("authority.pem", 0o640), ("server.pem", 0o604)])
  func `a key that other users can read or replace is refused with the command that corrects it`(
    name: String, mode: Int
  ) throws {
    let (authority, _) = try LocalAuthority.kept(in: folder)
    _ = try authority.keptCertificate(for: ["localhost"], in: folder, clientAuthorities: nil)
    let path = "\(folder)/\(name)"
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    let error = #expect(throws: SecurityError.self) { try LocalAuthority.kept(in: folder) }
    #expect(error?.description.hasSuffix("type: chmod 600 \(path)") == true)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    #expect(try LocalAuthority.kept(in: folder).authority.text == authority.text)
  }

  @Test func `a folder that cannot be created is named in the error`() {
    let error = #expect(throws: SecurityError.self) { try LocalAuthority.kept(in: "/dev/null/a") }
    #expect(error?.description.hasPrefix("the folder /dev/null/a cannot be created") == true)
  }

  @Test(arguments: ["localhost", "api.github.com", "127.0.0.1", "::1", "[::1]", "xn--bcher-kva.example", "a_b.test"])
  func `a host's certificate is created once, is valid for this host, and expires within 398 days`(host: String) throws
  {
    let authority = try LocalAuthority(name: "any")
    let context = try authority.certificate(for: host)
    #expect(try authority.certificate(for: host.uppercased()) === context)
    let library = try OpenSSLCertificates.shared.get()
    let certificate = try #require(context.library.contextOwnCertificate(context.pointer))
    #expect(library.isFor(host, certificate))
    #expect(!library.isFor("elsewhere.test", certificate))
    #expect(library.isValid(certificate, afterDays: 390))
    // Apple's systems refuse a certificate of more than 398 days.
    #expect(!library.isValid(certificate, afterDays: 398))
  }

  @Test(arguments: [
    "", ".", "..", "a..b", ".a", String(repeating: "a", count: 64), "a b", "a,IP:1.2.3.4", "a\nb", "müller.test",
    String(repeating: "a", count: 254),
  ])
  func `an invalid host name gets no certificate`(host: String) throws {
    #expect(throws: SecurityError.self) { try LocalAuthority(name: "any").certificate(for: host) }
    #expect(!LocalAuthority.canName(host))
  }
}

/// Messages of TLS errors.
struct TLSErrorTests {
  @Test func `the error for a missing OpenSSL says what to install`() throws {
    let result = OpenSSLLibrary.load(["libnone.so.1", "libnone.so.2"]) { symbols throws(SystemLibrary.Missing) in
      try OpenSSL(symbols)
    }
    let error = #expect(throws: SecurityError.self) { try result.get() }
    let text = try #require(error?.description)
    #expect(
      text.hasPrefix("https requires OpenSSL, which was not found (libnone.so.1, libnone.so.2); install it with: "))
    #expect(text.hasSuffix("libssl3") || text.hasSuffix("openssl@3"))
  }

  @Test func `a library without OpenSSL's symbols is not used`() {
    #if canImport(Glibc)
      let result = OpenSSLLibrary.load(["libc.so.6"]) { symbols throws(SystemLibrary.Missing) in try OpenSSL(symbols) }
      #expect(throws: SecurityError.self) { try result.get() }
    #endif
  }

  @Test(
    arguments: [
      ("http request", nil, "use https://"), ("peer did not return a certificate", nil, "did not send a certificate"),
      ("certificate verify failed", "self-signed certificate", "not trusted: self-signed certificate"),
      ("tlsv1 alert unknown ca", nil, "does not trust the certificate of this server: unknown ca"),
      ("sslv3 alert bad certificate", nil, "does not trust the certificate of this server: bad certificate"),
      ("tlsv1 alert internal error", nil, "refused the TLS handshake: internal error"),
      ("unsupported protocol", nil, "1.2"), ("no application protocol", nil, "HTTP/2 alone"),
      ("no shared cipher", nil, "the TLS handshake with a client failed: no shared cipher"),
      (nil, nil, "does it trust the certificate?"),
    ] as [(String?, String?, String)])
  func `the message of a failed handshake names its cause`(reason: String?, distrust: String?, words: String) {
    let text = HandshakeFailure.words(reason, distrust: distrust)
    #expect(text.contains(words))
    #expect(!text.contains("\n"))
  }
}
