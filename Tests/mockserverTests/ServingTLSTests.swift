import Foundation
import MockServerConsole
import MockServerKit
import TestSupport
import Testing

@testable import MockServerSockets
@testable import mockserver

/// TLS options of servers, their messages, and the result with curl.
struct ServingTLSTests {
  private let folder: ScratchFolder
  private static let curl = ["/usr/bin/curl", "/usr/local/bin/curl", "/opt/homebrew/bin/curl"]
    .first(where: FileManager.default.isExecutableFile(atPath:))

  init() throws {
    folder = try ScratchFolder()
    try Scratch.write(Scratch.cassette, to: folder.path("a.json"))
  }

  private func read(_ words: String, state: String? = nil) throws -> ServingSecurity? {
    guard case .run(let invocation) = try Intent(words.split(separator: " ").map(String.init)) else { return nil }
    return try ServingTLS.read(invocation, host: "127.0.0.1") { $0 == "XDG_STATE_HOME" ? state : nil }
  }

  @Test func `without TLS options no certificate is created`() throws {
    #expect(try read("serve", state: folder.path) == nil)
    #expect(folder.files == ["a.json"])
  }

  @Test func `a self-signed certificate is stored in the user's state folder or in --tls-dir`() throws {
    let security = try #require(try read("serve --tls self-signed", state: folder.path))
    #expect(security.trusted == folder.path("mockserver/tls/ca.pem"))
    #expect(security.client == nil)
    let named = folder.path("own")
    #expect(try read("record --tls self-signed --tls-dir \(named)")?.trusted == "\(named)/ca.pem")
    #expect(
      try read("serve --tls self-signed --tls-dir \(named) --tls-client-ca self-signed")?.client
        == "\(named)/client.pem")
  }

  @Test func `the certificate files of one server can be used by another`() throws {
    let security = try #require(try read("serve --tls self-signed --tls-dir \(folder.path)"))
    let file = folder.path("server.pem")
    let again = try #require(
      try read("serve --tls-cert \(file) --tls-key \(file) --tls-client-ca \(folder.path("ca.pem"))"))
    #expect(again.pin == security.pin)
    #expect(again.trusted == nil)
  }

  @Test(arguments: [
    ("--tls-cert a.pem", "--tls-cert and --tls-key must be given together"),
    ("--tls-key a.pem", "--tls-cert and --tls-key must be given together"),
    ("--tls self-signed --tls-cert a.pem --tls-key a.pem", "cannot be combined"),
    ("--tls-dir a", "--tls-dir requires --tls self-signed"),
    ("--tls-client-ca a.pem", "--tls-client-ca requires a server certificate"),
    ("--tls letsencrypt", "--tls is self-signed"),
  ])
  func `TLS options that contradict each other are refused with the reason`(words: String, message: String) {
    let error = #expect(throws: CommandError.self) { try read("serve \(words)") }
    #expect(error?.code == .usage)
    #expect(error?.message.contains(message) == true)
  }

  @Test func `an unusable certificate or key file is named`() throws {
    _ = try read("serve --tls self-signed --tls-dir \(folder.path("1")) --tls-client-ca self-signed")
    _ = try read("serve --tls self-signed --tls-dir \(folder.path("2"))")
    let (good, other) = (folder.path("1/server.pem"), folder.path("2/server.pem"))
    func message(_ certificate: String, _ key: String) -> (ExitCode?, String) {
      let error = #expect(throws: CommandError.self) { try read("serve --tls-cert \(certificate) --tls-key \(key)") }
      return (error?.code, error?.message ?? "")
    }
    #expect(message("none.pem", good) == (.noInput, "no such file: none.pem"))
    #expect(message(good, other) == (.unavailable, "\(other) is not the private key of \(good)"))
    let cassette = folder.path("a.json")
    #expect(message(cassette, good).1.hasPrefix("\(cassette) does not contain a PEM certificate"))
    #expect(message(good, cassette).1.hasPrefix("\(cassette) does not contain the private key of \(good)"))
  }

  @Test func `a self-signed certificate without a state folder suggests --tls-dir`() {
    let error = #expect(throws: CommandError.self) { try read("serve --tls self-signed") }
    #expect(error?.message.contains("--tls-dir DIR") == true)
  }

  @Test(.enabled(if: Executable.path != nil && curl != nil, "the command or curl is not there"))
  func `the printed curl command is accepted by the server`() throws {
    let server = try RunningServer([
      "--cassettes", folder.path, "--port", "0", "--tls", "self-signed", "--tls-dir", folder.path("tls"),
      "--tls-client-ca", "self-signed",
    ])
    let url = try #require(server.ready.split(separator: " ").first { $0.hasPrefix("https://127.0.0.1:") })
    let identity = ["--cert", folder.path("tls/client.pem")]
    let trust = ["-q", "-sS", "-m", "30", "--noproxy", "*", "--cacert", folder.path("tls/ca.pem")]
    let answer = try ChildProcess.run(Self.curl ?? "", trust + identity + ["\(url)/users/kean"])
    #expect(answer.output == #"{"login":"kean"}"#)
    #expect(try ChildProcess.run(Self.curl ?? "", trust + ["\(url)/users/kean"]).status != 0)
    server.signal(SIGTERM)
    let said = server.end()
    #expect(said.status == 0)
    #expect(
      said.error.contains(
        "to trust the certificate: curl --cacert \(folder.path)/tls/ca.pem --cert \(folder.path)/tls/client.pem \(url)/"
      ))
    #expect(said.error.contains("to pin its key: sha256//"))
  }
}
