import Foundation
import MockServerKit
import TestSupport
import Testing

@testable import mockserver

/// `mockserver health`, as a container's check runs it.
@Suite struct HealthTests {
  @Test func `a server that answers is healthy, and its counts are told to who may know`() throws {
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
  func `what is no address of a server is wrong usage`(url: String) throws {
    #expect(try Executable.run(["health", url]).status == 64)
  }
}
