import CassetteSession
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

  /// What a server prints, kept: each problem, and the first thousand requests.
  private final class Log: Sendable {
    static let kept = 1_000
    let lines = Mutex<(problems: [String], requests: [String], count: Int)>(([], [], 0))

    func append(_ line: String) {
      lines.withLock { lines in
        for prefix in ["mockserver: miss: ", "mockserver: "] where line.hasPrefix(prefix) {
          lines.problems.append(String(line.dropFirst(prefix.count)))
          return
        }
        lines.count += 1
        if lines.requests.count < Self.kept { lines.requests.append(line) }
      }
    }
  }

  /// What came of a server's requests.
  struct Outcome {
    var problems: [String] = []
    var requests: [String] = []
    var count = 0
    var neverPlayed: [String] = []
    var faultsNeverMet: [String] = []
    var approximations: [Approximation] = []
  }

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - paths: Cassettes, or folders of them.
  ///   - faults: What lies over them.
  ///   - matching: How requests are compared with recordings.
  ///   - strictness: Whether they are compared exactly where no level is said.
  /// - Throws: ``CassetteError`` when one does not read, ``MockServer/Failure`` when no port is free.
  init(paths: [String], faults: [Fault] = [], matching: Matching = Matching(), _ strictness: Strictness) throws {
    if let problem = matching.problems.first {
      throw CassetteError(file: paths.first ?? "", message: "matching: \(problem)")
    }
    let log = Log()
    var configuration = Configuration(cassettes: paths, port: 0)
    configuration.loops = 1
    configuration.watches = false
    configuration.log = .requests
    configuration.logLine = { log.append($0) }
    configuration.faults = faults
    configuration.matching = matching
    if strictness == .strict, matching.level == nil { configuration.matching.level = .exact }
    configuration.insistsOnMatching = true
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

  /// The requests that came so far.
  var requests: [SentRequest] { [] }

  /// Begins every recording anew.
  public func rewind() { server.reset() }

  /// Stops, and tells what went wrong and what was never played.
  func stop() async -> Outcome {
    // Stopping waits for connections: not on a thread that tasks run on.
    let summary = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: self.server.stop(within: 1)) }
    }
    let (problems, requests, count) = log.lines.withLock { $0 }
    return Outcome(
      problems: problems, requests: requests, count: count, neverPlayed: summary?.neverPlayed ?? [],
      faultsNeverMet: summary?.faultsNeverMet ?? [], approximations: summary?.approximations.last ?? [])
  }
}
