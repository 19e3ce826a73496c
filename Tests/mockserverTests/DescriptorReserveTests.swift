import Foundation
import ServerTestSupport
import Testing

/// A server whose clients use all descriptors of its process.
struct DescriptorReserveTests {
  @Test(.enabled(if: Executable.path != nil))
  func `a body file is served if clients use every file descriptor`() throws {
    try Scratch.with { folder in
      try Scratch.write(
        #"""
        {"cassette": 1, "interactions": [{"request": {"method": "GET", "url": "/a"},
          "response": {"status": 200, "body": {"file": "bodies/deep/er/a.txt"}}}]}
        """#, to: "\(folder)/a.json")
      try Scratch.write("from a file", to: "\(folder)/bodies/deep/er/a.txt")
      let server = try RunningServer(
        ["serve", "--cassettes", folder, "--port", "0", "--loops", "1", "--log", "none"], descriptors: 48)
      defer {
        server.signal(SIGTERM)
        _ = server.end()
      }
      let port = try #require(server.port, "\(server.ready)")
      let first = try WireClient(port: port)
      #expect(try first.ask("GET /__mock/health").status == 200)
      let others = try (0..<100).map { _ in try WireClient(port: port) }
      // The loop accepts waiting clients until no descriptor is left.
      for _ in 0..<20 { #expect(try first.ask("GET /__mock/health").status == 200) }
      #expect(try first.ask("GET /a").text == "from a file")
      #expect(others.count == 100)
    }
  }
}
