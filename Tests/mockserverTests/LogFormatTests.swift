import Foundation
import ServerTestSupport
import TestSupport
import Testing

@testable import mockserver

/// The log of the built command.
@Suite(.enabled(if: Executable.path != nil, "the command is not next to the tests"))
struct LogFormatTests {
  private struct Line: Decodable {
    let time: String
    let event: String
    let number: Int?
    let method: String?
    let target: String?
    let status: Int?
    let outcome: String?
    let recording: String?
    let cassette: String?
    let duration: Double?
    let message: String?
  }

  /// Sends a recorded request and an unknown one, and returns the lines on standard error.
  private func logged(_ options: [String]) throws -> [Substring] {
    try Scratch.with { folder in
      try Scratch.write(Scratch.cassette, to: "\(folder)/example.json")
      let server = try RunningServer(["--cassettes", folder, "--port", "0"] + options)
      let port = try #require(server.port)
      #expect(try WireClient.get("/users/kean", port: port).hasPrefix("HTTP/1.1 200 "))
      #expect(try WireClient.get("/nobody?api_key=hunter2hunter2", port: port).hasPrefix("HTTP/1.1 404 "))
      server.signal(SIGTERM)
      return server.end().error.split(separator: "\n")
    }
  }

  @Test func `the JSON log has one object per line for each answer and miss`() throws {
    let lines = try logged(["--log-format", "json"])
    let objects = try lines.prefix { $0.hasPrefix("{") }.map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
    #expect(objects.map(\.event) == ["answer", "miss", "answer"])
    #expect(objects.allSatisfy { $0.time.hasSuffix("Z") && $0.time.count == 24 })
    let (played, miss, missed) = (objects[0], objects[1], objects[2])
    #expect(played.number == 1 && played.method == "GET" && played.target == "/users/kean" && played.status == 200)
    #expect(played.outcome == "played" && played.recording != nil && played.cassette == "example")
    #expect((played.duration ?? 0) > 0)
    #expect(miss.number == 2 && miss.message?.contains("was never recorded") == true)
    #expect(missed.outcome == "miss" && missed.status == 404 && missed.target == "/nobody?api_key={{secret}}")
    #expect(!lines.joined().contains("hunter2"))
  }

  @Test func `the text log has one line for each request, and explains a miss`() throws {
    let lines = try logged([])
    #expect(lines[0].contains("Z 1 GET /users/kean 200 ") && lines[0].hasSuffix(" ms"))
    #expect(lines[1].contains("Z mockserver: miss: GET /nobody?api_key={{secret}} was never recorded"))
    #expect(lines.contains { $0.contains("Z 2 GET /nobody?api_key={{secret}} 404 miss ") && $0.hasSuffix(" ms") })
  }
}
