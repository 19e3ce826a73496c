import CassetteSystem
import Cassettes
import ServerTestSupport
import TestSupport
import Testing

@testable import MockServerConsole

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The first signal lets a command finish its work, and a later signal ends the process immediately.
struct StopSignalsTests {
  @Test func `a signal within two seconds of the first is ignored, and a later one ends the process`() {
    let first = StopSignals.First()
    first.isHeld.set()
    #expect(!first.take(SIGTERM, at: 5))
    #expect(!first.take(SIGTERM, at: 5))
    #expect(!first.take(SIGHUP, at: 2_000_000_004))
    #expect(first.take(SIGINT, at: 2_000_000_005))
    #expect(first.value == SIGTERM)
  }

  @Test func `the first signal ends a process that has nothing to finish`() {
    #expect(StopSignals.First().take(SIGINT, at: 5))
  }

  @Test(.enabled(if: Executable.path != nil), arguments: [SIGINT, SIGTERM, SIGHUP], ["record", "proxy"])
  func `a repeated signal writes every exchange into the cassette`(signal: Int32, command: String) throws {
    try Scratch.with { folder in
      let origin = try LoopbackOrigin { _ in [.text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")] }
      let cassette = "\(folder)/new/a.json"
      let upstream = command == "record" ? ["--upstream", origin.url] : ["--tls-dir", "\(folder)/tls"]
      let server = try RunningServer([command, "--cassette", cassette, "--port", "0"] + upstream)
      let port = try #require(server.port)
      let base = command == "record" ? "" : origin.url
      for number in 0..<20 { #expect(try WireClient.get("\(base)/\(number)", port: port).contains("200 OK")) }
      for _ in 0..<50 { server.signal(signal) }
      let result = server.end()
      #expect(result.status == 0)
      #expect(result.error.contains("20 added"))
      let paths = try CassetteFile.read(path: cassette).interactions.map(\.url)
      #expect(paths.map { $0.split(separator: "/").last } == (0..<20).map { "\($0)" })
    }
  }

  @Test(.enabled(if: Executable.path != nil))
  func `a recorder started under nohup ignores SIGHUP`() throws {
    try Scratch.with { folder in
      let origin = try LoopbackOrigin { _ in [.text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")] }
      let words = ["record", "--upstream", origin.url, "--cassette", "\(folder)/a.json", "--port", "0"]
      let server = try RunningServer(words, log: "\(folder)/log", ignoring: "HUP")
      let port = try #require(server.port)
      server.signal(SIGHUP)
      #expect(try WireClient.get("/a", port: port).contains("200 OK"))
      server.signal(SIGTERM)
      #expect(server.end().status == 0)
      #expect(try CassetteFile.read(path: "\(folder)/a.json").interactions.map(\.url) == ["/a"])
    }
  }
}
