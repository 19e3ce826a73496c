import Foundation
import TestSupport

@testable import MockServerKit
@testable import MockServerSockets

/// A certificate authority with a server and two clients, as files in a scratch folder.
final class Certificates: Sendable {
  private let folder: ScratchFolder
  /// The authority that clients and the server trust.
  let authority: String
  let server: TLSContext.Identity
  /// A client certificate of the authority, with its key in the same file.
  let client: String
  /// A client certificate of an unknown authority.
  let stranger: String

  init() throws {
    folder = try ScratchFolder()
    let own = try LocalAuthority(name: "an authority of tests")
    authority = try Self.write(own.text, folder.path("ca.pem"))
    let context = try own.certificate(for: ["localhost", "127.0.0.1"], kept: nil, clientAuthorities: nil)
    let file = try Self.write(context.secretText ?? [], folder.path("server.pem"))
    server = TLSContext.Identity(certificate: file, key: file)
    self.client = try Self.makeClient(of: own, folder.path("client.pem"))
    stranger = try Self.makeClient(of: LocalAuthority(name: "somebody else"), folder.path("stranger.pem"))
  }

  private static func makeClient(of authority: LocalAuthority, _ path: String) throws -> String {
    try write(authority.clientCertificate(named: "a client", kept: nil) ?? [], path)
  }

  private static func write(_ bytes: [UInt8], _ path: String) throws -> String {
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  /// Returns the TLS configuration of the server.
  func security(asksClients: Bool = false) throws -> ServingSecurity {
    try ServingSecurity(server, clientAuthorities: asksClients ? authority : nil)
  }

  /// Returns a context for clients that trusts the authority.
  func trust() throws -> TLSContext { try TLSContext(trusting: authority) }
}

/// The curl program, an independent implementation of TLS clients.
enum Curl {
  static let path = ["/usr/bin/curl", "/usr/local/bin/curl", "/opt/homebrew/bin/curl"]
    .first(where: FileManager.default.isExecutableFile(atPath:))

  static var isInstalled: Bool { path != nil }

  struct Result {
    let code: Int32
    let output: [UInt8]
    let error: String

    var text: String { String(decoding: output, as: UTF8.self) }
  }

  /// Runs curl and waits for at most one minute until it exits.
  static func run(_ arguments: String...) throws -> Result { try run(arguments) }

  static func run(_ arguments: [String]) throws -> Result {
    // Ignores the user's configuration file and proxies.
    let own = ["-q", "-sS", "-m", "60", "--noproxy", "*"]
    let result = try ChildProcess.run(path ?? "", own + arguments)
    return Result(code: result.status, output: result.outputBytes, error: result.error)
  }
}
