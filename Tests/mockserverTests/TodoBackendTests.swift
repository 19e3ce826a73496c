import CassetteMaintenance
import CassetteSession
import Cassettes
import Foundation
import TestSupport
import Testing

@testable import MockServerKit
@testable import MockServerUpstream

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A to-do list recorded once, and its tests against the recordings and against a simulated resource.
@Suite struct TodoBackendTests {
  private static let sessions = 50

  /// Records all tests with a recording server.
  private static func record(into file: String) async throws {
    let backend = try TodoBackend()
    defer { backend.origin.stop() }
    var configuration = MockServer.Configuration(cassettes: [file], port: 0)
    configuration.watches = false
    configuration.log = .none
    configuration.recording = RecordingSettings(upstream: try UpstreamOrigin(backend.origin.url), cassette: file)
    let server = try MockServer(configuration)
    let address = try server.start()
    let client = try Self.client(at: address)
    for test in TodoTest.requirements + TodoTest.twelve {
      #expect(try await test.run(client), "recording: \(test.name)")
    }
    server.stop()
    _ = try server.saveRecording()
  }

  private static func client(at address: String, session name: String? = nil) throws -> TodoClient {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    return TodoClient(
      root: try #require(URL(string: "\(address)/todos")), session: URLSession(configuration: configuration), name: name
    )
  }

  /// Returns the number of passed tests in each of many concurrent sessions, and the failures.
  private static func passes(
    _ tests: [TodoTest], _ client: @escaping @Sendable (Int) throws -> TodoClient
  ) async throws -> (counts: [Int], failures: [String]) {
    try await withThrowingTaskGroup(of: [String].self) { group in
      for number in 0..<sessions {
        group.addTask {
          let client = try client(number)
          var failures: [String] = []
          for test in tests {
            do {
              if try await !test.run(client) { failures.append("\(number): \(test.name)") }
            } catch {
              failures.append("\(number): \(test.name): \(error)")
            }
          }
          return failures
        }
      }
      var (counts, failures): ([Int], [String]) = ([], [])
      for try await failed in group {
        counts.append(tests.count - failed.count)
        failures += failed
      }
      return (counts, failures)
    }
  }

  private static func onServer(
    _ file: String, _ tests: [TodoTest] = TodoTest.requirements + TodoTest.twelve
  ) async throws -> (counts: [Int], failures: [String]) {
    var configuration = MockServer.Configuration(cassettes: [file], port: 0)
    configuration.watches = false
    configuration.log = .none
    let server = try MockServer(configuration)
    let address = try server.start()
    defer { server.stop() }
    return try await passes(tests) { try client(at: address, session: "session-\($0)") }
  }

  private static func inProcess(
    _ file: String, _ tests: [TodoTest] = TodoTest.requirements + TodoTest.twelve
  ) async throws -> (counts: [Int], failures: [String]) {
    let origin = try #require(try CassetteFile.read(path: file).origin)
    return try await passes(tests) { _ in
      let player = try CassettePlayer(paths: [file])
      return TodoClient(
        root: try #require(URL(string: "\(origin)/todos")), session: player.session(),
        player: player)
    }
  }

  @Test func `the recordings pass all tests in fifty concurrent sessions, on a server and in process`() async throws {
    let folder = try ScratchFolder()
    let file = folder.path("todos.json")
    try await Self.record(into: file)
    for run in [try await Self.onServer(file), try await Self.inProcess(file)] {
      #expect(run.counts == Array(repeating: 16, count: Self.sessions))
      #expect(run.failures.isEmpty)
    }
  }

  @Test func `the simulated resource passes all tests in fifty concurrent sessions, in any order`() async throws {
    let folder = try ScratchFolder()
    try await Self.record(into: folder.path("todos.json"))
    let recorded = try CassetteFile.read(path: folder.path("todos.json"))
    let simulation = try Simulation(recorded, name: "todos.resource")
    #expect(simulation.found.map(\.path) == ["/todos"])
    #expect(simulation.found.first?.operations == ["list", "create", "clear", "read", "patch", "delete"])
    #expect(simulation.cassette.interactions.isEmpty)
    let file = folder.path("todos.resource.json")
    try CassetteFile.write(simulation.cassette, to: file)
    let backwards = Array((TodoTest.requirements + TodoTest.twelve).reversed())
    for tests in [TodoTest.requirements + TodoTest.twelve, backwards] {
      for run in [try await Self.onServer(file, tests), try await Self.inProcess(file, tests)] {
        #expect(run.counts == Array(repeating: 16, count: Self.sessions))
        #expect(run.failures.isEmpty)
      }
    }
  }
}
