import CassetteSession
import CassetteSystem
import Cassettes
import Foundation
import MockServerConsole
import ServerTestSupport
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Four hundred secrets in the places and encodings of real APIs, through every feature that stores or shows
/// exchanges.
@Suite(.enabled(if: Executable.path != nil, "the command is not next to the tests"))
struct PlantedTests {
  /// The offset into the encodings; `PLANTED_TURN=3` tests every place with other encodings.
  private static let turn =
    ProcessInfo.processInfo.environment["PLANTED_TURN"].flatMap { Int($0) } ?? 0
  private static let cases = PlantedCase.all(turn: turn)
  private static let leftovers = Leftovers(of: cases)

  /// Starts an origin that answers each case by the number in its path.
  private static func origin() throws -> LoopbackOrigin {
    try LoopbackOrigin { request in
      let parts = request.target.split(separator: "/")
      guard let number = parts.first.flatMap({ Int($0) }), cases.indices.contains(number) else {
        return [.text("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")]
      }
      return [.send(cases[number].answer)]
    }
  }

  private func expect(_ left: Set<Int>, _ what: String, _ source: SourceLocation = #_sourceLocation) {
    for number in left.sorted() {
      Issue.record("\(what) contains \(Self.cases[number])", sourceLocation: source)
    }
  }

  @Test func `the planted cases are more than 400, in more than 115 places`() {
    #expect(Self.cases.count >= 400)
    #expect(Set(Self.cases.map { "\($0.place.part) \($0.place.text)" }).count > 115)
  }

  @Test(arguments: ["record", "proxy"])
  func `a recording server stores and prints no planted secret`(_ command: String) throws {
    try Scratch.with { folder in
      let origin = try Self.origin()
      var words = [command, "--cassette", "\(folder)/cassettes/a.json", "--port", "0", "--log", "requests"]
      if command == "record" { words += ["--upstream", origin.url] }
      let server = try RunningServer(words, log: "\(folder)/log")
      let port = try #require(server.port)
      let address = command == "proxy" ? String(origin.url.dropFirst(7)) : "127.0.0.1:\(port)"
      for one in Self.cases {
        let target = command == "proxy" ? "\(origin.url)\(one.target)" : one.target
        let answer = try WireClient.exchange(one.request(to: target, host: address), port: port)
        #expect(answer.starts(with: Array("HTTP/1.1 200".utf8)), "\(one)")
      }
      // Searches the journal files and the log, and then the journal of the control API.
      expect(try Self.leftovers.found(below: folder), "a file of the running server")
      let shown = try WireClient.get("/__mock/journal", port: port)
      expect(Self.leftovers.found(in: Array(shown.utf8)), "/__mock/journal")
      server.signal(SIGTERM)
      expect(Self.leftovers.found(in: server.end().outputBytes), "the report")
      expect(try Self.leftovers.found(below: folder), "the cassette or the log")
      let recorded = try CassetteFile.read(path: "\(folder)/cassettes/a.json").interactions.count
      let log = FileManager.default.contents(atPath: "\(folder)/log") ?? Data()
      #expect(recorded == Self.cases.count, "\(String(decoding: log.suffix(2000), as: UTF8.self))")
    }
  }

  @Test func `the answer and the log of a miss contain no planted secret`() throws {
    try Scratch.with { folder in
      var cassette = Cassette(name: "a")
      cassette.interactions = Self.cases.map(\.interaction)
      try Scratch.write("", to: "\(folder)/cassettes/a.json")
      try CassetteFile.write(cassette, to: "\(folder)/cassettes/a.json")
      let server = try RunningServer(
        ["serve", "--cassettes", "\(folder)/cassettes", "--port", "0", "--log", "requests"], log: "\(folder)/log")
      let port = try #require(server.port)
      for one in Self.cases where one.responseFields.isEmpty {
        let answer = try WireClient.exchange(one.request(to: "/no\(one.target)", host: "127.0.0.1:\(port)"), port: port)
        expect(Self.leftovers.found(in: answer), "the answer of a miss")
      }
      server.signal(SIGTERM)
      let log = FileManager.default.contents(atPath: "\(folder)/log") ?? Data()
      expect(Self.leftovers.found(in: server.end().outputBytes + Array(log)), "the log of a server")
    }
  }

  @Test func `a recording session stores and reports no planted secret`() async throws {
    let folder = try ScratchFolder()
    let origin = try Self.origin()
    let player = try CassettePlayer(paths: [folder.path("a.json")], mode: .record)
    let session = player.session()
    for one in Self.cases {
      var request = URLRequest(url: try #require(URL(string: origin.url + one.target), "\(one)"))
      request.httpMethod = one.isSent ? "POST" : "GET"
      if one.isSent { request.httpBody = Data(one.coded) }
      for (name, value) in one.requestFields { request.setValue(value, forHTTPHeaderField: name) }
      _ = try await session.data(for: request, delegate: Unredirected())
    }
    player.end()
    let report = try player.save().joined()
    expect(Self.leftovers.found(in: Array(report.utf8)), "the report")
    expect(try Self.leftovers.found(below: folder.path), "the cassette")
  }

  @Test func `an import stores and reports no planted secret`() throws {
    try Scratch.with { folder in
      let log: [String: Any] = ["log": ["version": "1.2", "entries": Self.cases.map(\.entry)]]
      try JSONSerialization.data(withJSONObject: log).write(
        to: URL(fileURLWithPath: "\(folder)/a.har"))
      let result = try Executable.run(["import", "a.har", "--into", "cassettes"], folder: folder)
      #expect(result.status < 2, "\(result.error)")
      expect(Self.leftovers.found(in: result.outputBytes + result.errorBytes), "the report")
      expect(try Self.leftovers.found(below: "\(folder)/cassettes"), "the cassette")
      #expect(
        try CassetteFile.read(path: "\(folder)/cassettes/a.json").interactions.count
          == Self.cases.count)
    }
  }

  @Test func `scan finds every planted secret in cassettes and files, and prints none`() throws {
    try Scratch.with { folder in
      for one in Self.cases {
        var cassette = Cassette(name: "\(one.number)")
        cassette.interactions = [one.interaction]
        try CassetteFile.write(cassette, to: "\(folder)/\(one.number).json")
        if !one.content.isEmpty {
          try Data(one.content).write(to: URL(fileURLWithPath: "\(folder)/\(one.number).txt"))
        }
      }
      let result = try Executable.run(["scan", "."], folder: folder)
      #expect(result.status == 1)
      expect(Self.leftovers.found(in: result.outputBytes + result.errorBytes), "the report")
      let named = Set(
        result.output.split(separator: "\n").compactMap {
          $0.split(separator: ":").first.map(String.init)
        })
      let files = try FileManager.default.contentsOfDirectory(atPath: folder)
      for one in Self.cases {
        for file in ["\(one.number).json", "\(one.number).txt"] where files.contains(file) {
          #expect(
            named.contains(file) || named.contains("./\(file)"), "not found in \(file): \(one)")
        }
      }
    }
  }
}

/// Does not follow redirects.
final class Unredirected: NSObject, URLSessionTaskDelegate, Sendable {
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest
  ) async -> URLRequest? { nil }
}
