import Foundation
import TestSupport

@testable import MockServerKit
@testable import MockServerSockets

/// An authority with a server and clients, as files, for the length of a test.
final class Certificates: Sendable {
  private let folder: ScratchFolder
  /// What clients are to trust, and servers to ask clients for.
  let authority: String
  let server: TLSContext.Identity
  /// A client of the authority: certificate and key in one file.
  let client: String
  /// A client that made its certificate itself.
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

  /// For the server.
  func security(asksClients: Bool = false) throws -> ServingSecurity {
    try ServingSecurity(server, clientAuthorities: asksClients ? authority : nil)
  }

  /// For clients.
  func trust() throws -> TLSContext { try TLSContext(trusting: authority) }
}

/// The curl program, whose word on TLS is taken.
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

  /// Runs it, and waits for its end: a minute at most.
  static func run(_ arguments: String...) throws -> Result { try run(arguments) }

  static func run(_ arguments: [String]) throws -> Result {
    // Nothing of the user's, and no proxy.
    let own = ["-q", "-sS", "-m", "60", "--noproxy", "*"]
    let result = try ChildProcess.run(path ?? "", own + arguments)
    return Result(code: result.status, output: result.outputBytes, error: result.error)
  }
}
