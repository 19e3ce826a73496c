import Foundation
import MockServerKit
import TestSupport
import Testing

@testable import mockserver

/// The command `health`, as the health check of a container runs it.
@Suite struct HealthTests {
  @Test func `health exits 0 for a running server, and prints its counts only with the admin token`() throws {
    try Scratch.with { folder in
      try Scratch.write(Scratch.cassette, to: "\(folder)/a.json")
      var configuration = MockServer.Configuration(cassettes: [folder], port: 0)
      configuration.watches = false
      configuration.log = .none
      configuration.admin = .token("t0ken")
      let server = try MockServer(configuration)
      let url = try server.start()
      let plain = try Executable.run(["health", url], environment: [:])
      #expect(plain.status == 0 && plain.output == "\(url) is healthy\n" && plain.error.isEmpty)
      let known = try Executable.run(["health", url], environment: ["MOCKSERVER_ADMIN_TOKEN": "t0ken"])
      #expect(known.status == 0 && known.output == "\(url) is healthy, 3 recordings, 0 requests, 0 misses\n")
      server.stop(within: .zero)
      let gone = try Executable.run(["health", url], environment: [:])
      #expect(gone.status == 1 && gone.output.isEmpty && gone.error.contains("did not respond"))
    }
  }

  @Test(arguments: ["nonsense", "https://127.0.0.1:1"])
  func `health exits 64 for an invalid server URL`(url: String) throws {
    #expect(try Executable.run(["health", url]).status == 64)
  }
}
