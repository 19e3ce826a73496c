import Cassettes
import Dispatch
public import Foundation
import MockServerKit
import Synchronization

/// A mock server on a free port of this machine, for the length of a test.
public final class TestServer: Sendable {
  @TaskLocal static var running: TestServer?

  /// The server of the running test, from `.mockServer(…)`; nil without one.
  public static var current: TestServer? { running }

  /// Where it listens: `http://127.0.0.1:49152`.
  public let url: URL

  private let server: MockServer
  private let log: Log

  /// The lines a server prints, kept.
  private final class Log: Sendable {
    let lines = Mutex<[String]>([])
  }

  /// Starts a server.
  ///
  /// - Parameter paths: Cassettes, or folders of them.
  /// - Throws: ``CassetteError`` when one does not read, ``MockServer/Failure`` when no port is free.
  init(paths: [String]) throws {
    let log = Log()
    var configuration = Configuration(cassettes: paths, port: 0)
    configuration.loops = 1
    configuration.watches = false
    configuration.log = .misses
    configuration.logLine = { line in log.lines.withLock { $0.append(line) } }
    let server = try MockServer(configuration)
    let address = try server.start()
    guard let url = URL(string: address) else {
      server.stop(within: 0)
      throw CassetteError(file: address, message: "is no URL")
    }
    self.url = url
    self.server = server
    self.log = log
  }

  /// Begins every recording anew.
  public func rewind() { server.reset() }

  /// Stops, and tells what went wrong and what was never played.
  func stop() async -> (problems: [String], neverPlayed: [String]) {
    // Stopping waits for connections: not on a thread that tasks run on.
    let summary = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: self.server.stop(within: 1)) }
    }
    let problems = log.lines.withLock { lines in
      lines.map { line in
        line.hasPrefix("mockserver: miss: ") ? String(line.dropFirst("mockserver: miss: ".count)) : line
      }
    }
    return (problems, summary?.neverPlayed ?? [])
  }
}
